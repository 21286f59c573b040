/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.FeedChunk;
import io.wovyr.persistence.storage.spi.ForwardingStorage;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.ScopedKey;
import io.wovyr.persistence.storage.spi.Storage;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * A store that remembers what was sent to it and lets a test step in between. Everything reaches
 * the store behind it. Thread-safe.
 */
public final class ProbedStorage extends ForwardingStorage {
  /** What a test does around a commit; ends by calling {@code store} or throwing. */
  @FunctionalInterface
  public interface AroundCommit {
    List<CommitOutcome> commit(Storage store, List<Batch> batches, Deadline deadline);
  }

  /** What a test does around a scan. */
  @FunctionalInterface
  public interface AroundScan {
    Page<Row> scan(Storage store, Scope scope, Scan scan, ReadOptions options);
  }

  private final List<Batch> sent = new CopyOnWriteArrayList<>();
  private final AtomicLong reads = new AtomicLong();
  private volatile AroundCommit aroundCommit = Storage::commit;
  private volatile AroundScan aroundScan = Storage::scan;
  private volatile Runnable beforeSystemScans = () -> {};
  private volatile Function<List<Optional<Row>>, List<Optional<Row>>> afterRead =
      Function.identity();

  public ProbedStorage(Storage store) {
    super(store);
  }

  /** Every batch that arrived, in order. */
  public List<Batch> sent() {
    return sent;
  }

  /** How often records were asked for: by key, by a unique key, by a scan or the feed. */
  public long reads() {
    return reads.get();
  }

  /** Steps in around every commit from now on. */
  public void aroundCommit(AroundCommit around) {
    aroundCommit = around;
  }

  /** Runs once, before the next commit reaches the store. */
  public void beforeNextCommit(Runnable action) {
    aroundCommit =
        (next, batches, deadline) -> {
          aroundCommit = Storage::commit;
          action.run();
          return next.commit(batches, deadline);
        };
  }

  /** Steps in around every scan from now on. */
  public void aroundScan(AroundScan around) {
    aroundScan = around;
  }

  /** Runs before every scan across tenants from now on; fails it by throwing. */
  public void beforeSystemScans(Runnable action) {
    beforeSystemScans = action;
  }

  /** Runs once, after the next read by key was answered by the store. */
  public void afterNextRead(Runnable action) {
    afterRead =
        rows -> {
          afterRead = Function.identity();
          action.run();
          return rows;
        };
  }

  @Override
  public List<CommitOutcome> commit(List<Batch> batches, Deadline deadline) {
    sent.addAll(batches);
    return aroundCommit.commit(delegate(), batches, deadline);
  }

  @Override
  public List<Optional<Row>> read(Scope scope, List<Key> keys, ReadOptions options) {
    reads.incrementAndGet();
    return afterRead.apply(super.read(scope, keys, options));
  }

  @Override
  public Page<Row> scan(Scope scope, Scan scan, ReadOptions options) {
    reads.incrementAndGet();
    return aroundScan.scan(delegate(), scope, scan, options);
  }

  @Override
  public Page<ScopedKey> scanSystem(Scope.System scope, Scan scan, ReadOptions options) {
    beforeSystemScans.run();
    return super.scanSystem(scope, scan, options);
  }

  @Override
  public Optional<Row> readUnique(
      Scope scope, RecordType type, String uniqueKey, List<Object> values, ReadOptions options) {
    reads.incrementAndGet();
    return super.readUnique(scope, type, uniqueKey, values, options);
  }

  @Override
  public FeedChunk feed(Scope scope, Optional<FeedCursor> after, int limit, Deadline deadline) {
    reads.incrementAndGet();
    return super.feed(scope, after, limit, deadline);
  }
}
