/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.memory;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.storage.spi.AccessPath;
import io.wovyr.persistence.storage.spi.AccessPath.Reach;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.FeedChunk;
import io.wovyr.persistence.storage.spi.Health;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Limits;
import io.wovyr.persistence.storage.spi.Purge;
import io.wovyr.persistence.storage.spi.PurgeOutcome;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordType.IndexEntry;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.ScopedKey;
import io.wovyr.persistence.storage.spi.Statistics;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StoreIdentity;
import io.wovyr.persistence.storage.spi.StoreTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** A handle of a {@link MemoryStore}. */
final class MemoryStorage implements Storage {
  private final MemoryStore store;
  private volatile boolean closed;

  MemoryStorage(MemoryStore store) {
    this.store = store;
  }

  @Override
  public StoreIdentity identity() {
    return store.identity();
  }

  @Override
  public Set<Capability> capabilities() {
    return store.capabilities();
  }

  @Override
  public Limits limits() {
    return store.settings().limits();
  }

  @Override
  public List<Optional<Row>> read(Scope scope, List<Key> keys, ReadOptions options) {
    open();
    return store.locked(
        options.deadline(),
        () -> keys.stream().map(key -> store.rows().find(scope.tenantId(), key)).toList());
  }

  @Override
  public Optional<Row> readUnique(
      Scope scope, RecordType type, String uniqueKey, List<Object> values, ReadOptions options) {
    open();
    IndexEntry entry = new IndexEntry(uniqueKey, true, values);
    return store.locked(
        options.deadline(),
        () ->
            store
                .rows()
                .holder(scope.tenantId(), type, entry)
                .flatMap(key -> store.rows().find(scope.tenantId(), key)));
  }

  @Override
  public Page<Row> scan(Scope scope, Scan scan, ReadOptions options) {
    open();
    refuseSymbolicBounds(scan);
    if (scan.path().isEmpty()) {
      return store.locked(
          options.deadline(),
          () -> page(store.rows().table(scope.tenantId(), scan.type()), scan).page(row -> row));
    }
    AccessPath path = scan.path().get();
    if (path.reach() != Reach.TENANT) {
      throw new IllegalArgumentException(path.name() + " is a path of the system: scanSystem");
    }
    return store.locked(
        options.deadline(),
        () ->
            page(store.rows().path(scope.tenantId(), scan.type(), path), scan)
                .page(place -> store.rows().find(place.tenant(), place.key()).orElseThrow()));
  }

  @Override
  public Page<ScopedKey> scanSystem(Scope.System scope, Scan scan, ReadOptions options) {
    open();
    refuseSymbolicBounds(scan);
    AccessPath path =
        scan.path()
            .filter(found -> found.reach() == Reach.SYSTEM)
            .orElseThrow(() -> new IllegalArgumentException("not a path of the system"));
    return store.locked(
        options.deadline(),
        () ->
            page(store.rows().path(scope.tenantId(), scan.type(), path), scan)
                .page(place -> new ScopedKey(place.tenant(), place.key())));
  }

  private <V> MemoryScan<V> page(java.util.NavigableMap<List<Object>, V> entries, Scan scan) {
    return new MemoryScan<>(entries, scan, store.now(), store.settings().shortPages());
  }

  private void refuseSymbolicBounds(Scan scan) {
    boolean symbolic =
        isSymbolic(scan.fromInclusive().orElse(List.of()))
            || isSymbolic(scan.toExclusive().orElse(List.of()));
    if (symbolic && !store.settings().storeClock()) {
      throw new Rejected("this store has no clock (STORE_CLOCK): send instants, not StoreTime");
    }
  }

  private static boolean isSymbolic(List<Object> bounds) {
    return bounds.stream().anyMatch(StoreTime.class::isInstance);
  }

  @Override
  public List<CommitOutcome> commit(List<Batch> batches, Deadline deadline) {
    open();
    return store.commit(batches, deadline);
  }

  @Override
  public PurgeOutcome purge(Scope scope, Purge purge, Deadline deadline) {
    open();
    return store.purge(purge, scope.tenantId(), deadline);
  }

  @Override
  public Statistics statistics(Scope scope, Deadline deadline) {
    open();
    Map<String, Long> records = new TreeMap<>();
    Map<String, Long> bytes = new TreeMap<>();
    return store.locked(
        deadline,
        () -> {
          store
              .rows()
              .forEachTable(
                  (tenant, type, rows) -> {
                    if (scope instanceof Scope.System || tenant.equals(scope.tenantId())) {
                      records.merge(type.name(), (long) rows.size(), Long::sum);
                      long size = rows.stream().mapToLong(Row::sizeBytes).sum();
                      bytes.merge(type.name(), size, Long::sum);
                    }
                  });
          return new Statistics(records, bytes);
        });
  }

  @Override
  public FeedChunk feed(Scope scope, Optional<FeedCursor> after, int limit, Deadline deadline) {
    open();
    return store.locked(
        deadline, () -> store.feed().read(scope, after, store.identity().epoch(), limit));
  }

  @Override
  public Health health() {
    return closed
        ? new Health(false, Optional.empty(), Optional.of("this handle is closed: open another"))
        : new Health(true, Optional.of(Duration.ZERO), Optional.empty());
  }

  @Override
  public void close() {
    closed = true;
  }

  private void open() {
    if (closed) {
      throw new Unavailable("this handle of the store is closed: open another", null);
    }
  }
}
