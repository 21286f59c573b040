/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.KeyArrayResult;
import com.apple.foundationdb.KeyRangeArrayResult;
import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.MappedKeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.TransactionOptions;
import com.apple.foundationdb.async.AsyncIterable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** What of the client's interface the provider does not use: it fails whoever calls it. */
@SuppressWarnings("deprecation") // One of them is.
abstract class UnusedOfTransaction implements Transaction {
  private static AssertionError unused() {
    return UnusedOfDatabase.unused();
  }

  @Override
  public void clearRangeStartsWith(byte[] a) {
    throw unused();
  }

  @Override
  public Long getCommittedVersion() {
    throw unused();
  }

  @Override
  public CompletableFuture<byte[]> getVersionstamp() {
    throw unused();
  }

  @Override
  public CompletableFuture<Long> getApproximateSize() {
    throw unused();
  }

  @Override
  public CompletableFuture<Transaction> onError(Throwable a) {
    throw unused();
  }

  @Override
  public CompletableFuture<Void> watch(byte[] a) {
    throw unused();
  }

  @Override
  public Database getDatabase() {
    throw unused();
  }

  @Override
  public <T> T run(Function<? super Transaction, T> a) {
    throw unused();
  }

  @Override
  public <T> CompletableFuture<T> runAsync(
      Function<? super Transaction, ? extends CompletableFuture<T>> a) {
    throw unused();
  }

  @Override
  public <T> T read(Function<? super ReadTransaction, T> a) {
    throw unused();
  }

  @Override
  public <T> CompletableFuture<T> readAsync(
      Function<? super ReadTransaction, ? extends CompletableFuture<T>> a) {
    throw unused();
  }

  @Override
  public Executor getExecutor() {
    throw unused();
  }

  @Override
  public boolean addReadConflictRangeIfNotSnapshot(byte[] a, byte[] b) {
    throw unused();
  }

  @Override
  public boolean addReadConflictKeyIfNotSnapshot(byte[] a) {
    throw unused();
  }

  @Override
  public CompletableFuture<byte[]> getKey(KeySelector a) {
    throw unused();
  }

  @Override
  public AsyncIterable<KeyValue> getRange(KeySelector a, KeySelector b) {
    throw unused();
  }

  @Override
  public AsyncIterable<KeyValue> getRange(KeySelector a, KeySelector b, int c) {
    throw unused();
  }

  @Override
  public AsyncIterable<KeyValue> getRange(KeySelector a, KeySelector b, int c, boolean d) {
    throw unused();
  }

  @Override
  public AsyncIterable<KeyValue> getRange(byte[] a, byte[] b) {
    throw unused();
  }

  @Override
  public AsyncIterable<KeyValue> getRange(byte[] a, byte[] b, int c) {
    throw unused();
  }

  @Override
  public AsyncIterable<KeyValue> getRange(byte[] a, byte[] b, int c, boolean d) {
    throw unused();
  }

  @Override
  public AsyncIterable<KeyValue> getRange(Range a) {
    throw unused();
  }

  @Override
  public AsyncIterable<KeyValue> getRange(Range a, int b) {
    throw unused();
  }

  @Override
  public AsyncIterable<KeyValue> getRange(Range a, int b, boolean c) {
    throw unused();
  }

  @Override
  public AsyncIterable<KeyValue> getRange(Range a, int b, boolean c, StreamingMode d) {
    throw unused();
  }

  @Override
  public AsyncIterable<MappedKeyValue> getMappedRange(
      KeySelector a, KeySelector b, byte[] c, int d, boolean e, StreamingMode f) {
    throw unused();
  }

  @Override
  public CompletableFuture<Long> getEstimatedRangeSizeBytes(Range a) {
    throw unused();
  }

  @Override
  public CompletableFuture<KeyArrayResult> getRangeSplitPoints(byte[] a, byte[] b, long c) {
    throw unused();
  }

  @Override
  public CompletableFuture<KeyArrayResult> getRangeSplitPoints(Range a, long b) {
    throw unused();
  }

  @Override
  public CompletableFuture<KeyRangeArrayResult> getBlobGranuleRanges(byte[] a, byte[] b, int c) {
    throw unused();
  }

  @Override
  public TransactionOptions options() {
    throw unused();
  }

  @Override
  public void addReadConflictRange(byte[] a, byte[] b) {
    throw unused();
  }

  @Override
  public void addWriteConflictRange(byte[] a, byte[] b) {
    throw unused();
  }

  @Override
  public void addWriteConflictKey(byte[] a) {
    throw unused();
  }
}
