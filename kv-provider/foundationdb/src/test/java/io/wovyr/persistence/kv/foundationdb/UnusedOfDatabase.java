/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.DatabaseOptions;
import com.apple.foundationdb.EventKeeper;
import com.apple.foundationdb.KeyRangeArrayResult;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Tenant;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.Tuple;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** What of the client's interface the provider does not use: it fails whoever calls it. */
abstract class UnusedOfDatabase implements Database {
  static AssertionError unused() {
    return new AssertionError("the fake has only what the provider uses");
  }

  @Override
  public Tenant openTenant(Tuple a) {
    throw unused();
  }

  @Override
  public Tenant openTenant(byte[] a, Executor b) {
    throw unused();
  }

  @Override
  public Tenant openTenant(Tuple a, Executor b) {
    throw unused();
  }

  @Override
  public Tenant openTenant(byte[] a, Executor b, EventKeeper c) {
    throw unused();
  }

  @Override
  public Tenant openTenant(Tuple a, Executor b, EventKeeper c) {
    throw unused();
  }

  @Override
  public DatabaseOptions options() {
    throw unused();
  }

  @Override
  public double getMainThreadBusyness() {
    throw unused();
  }

  @Override
  public CompletableFuture<byte[]> purgeBlobGranules(
      byte[] a, byte[] b, long c, boolean d, Executor e) {
    throw unused();
  }

  @Override
  public CompletableFuture<Void> waitPurgeGranulesComplete(byte[] a, Executor b) {
    throw unused();
  }

  @Override
  public CompletableFuture<Boolean> blobbifyRange(byte[] a, byte[] b, Executor c) {
    throw unused();
  }

  @Override
  public CompletableFuture<Boolean> blobbifyRangeBlocking(byte[] a, byte[] b, Executor c) {
    throw unused();
  }

  @Override
  public CompletableFuture<Boolean> unblobbifyRange(byte[] a, byte[] b, Executor c) {
    throw unused();
  }

  @Override
  public CompletableFuture<KeyRangeArrayResult> listBlobbifiedRanges(
      byte[] a, byte[] b, int c, Executor d) {
    throw unused();
  }

  @Override
  public CompletableFuture<Long> verifyBlobRange(byte[] a, byte[] b, long c, Executor d) {
    throw unused();
  }

  @Override
  public CompletableFuture<Boolean> flushBlobRange(
      byte[] a, byte[] b, boolean c, long d, Executor e) {
    throw unused();
  }

  @Override
  public <T> T read(Function<? super ReadTransaction, T> a) {
    throw unused();
  }

  @Override
  public <T> T read(Function<? super ReadTransaction, T> a, Executor b) {
    throw unused();
  }

  @Override
  public <T> CompletableFuture<T> readAsync(
      Function<? super ReadTransaction, ? extends CompletableFuture<T>> a) {
    throw unused();
  }

  @Override
  public <T> CompletableFuture<T> readAsync(
      Function<? super ReadTransaction, ? extends CompletableFuture<T>> a, Executor b) {
    throw unused();
  }

  @Override
  public <T> T run(Function<? super Transaction, T> a) {
    throw unused();
  }

  @Override
  public <T> T run(Function<? super Transaction, T> a, Executor b) {
    throw unused();
  }

  @Override
  public <T> CompletableFuture<T> runAsync(
      Function<? super Transaction, ? extends CompletableFuture<T>> a) {
    throw unused();
  }

  @Override
  public <T> CompletableFuture<T> runAsync(
      Function<? super Transaction, ? extends CompletableFuture<T>> a, Executor b) {
    throw unused();
  }

  @Override
  public CompletableFuture<byte[]> getClientStatus(Executor a) {
    throw unused();
  }

  @Override
  public Transaction createTransaction(Executor a, EventKeeper b) {
    throw unused();
  }

  @Override
  public Executor getExecutor() {
    throw unused();
  }
}
