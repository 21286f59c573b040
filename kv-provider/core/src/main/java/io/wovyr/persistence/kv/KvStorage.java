/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.kv.engine.Engine;
import io.wovyr.persistence.kv.engine.Shape;
import io.wovyr.persistence.kv.engine.View;
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
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.ScopedKey;
import io.wovyr.persistence.storage.spi.Statistics;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StoreIdentity;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The storage over an engine. */
final class KvStorage implements Storage {
  private final Engine engine;
  private final Shape shape;
  private final Layout layout;
  private final Committer committer;
  private volatile StoreIdentity identity;
  private volatile boolean closed;

  KvStorage(Engine engine, KvStore store) {
    this.engine = engine;
    shape = engine.shape();
    layout = new Layout(store.shards());
    identity = store.identity();
    committer = new Committer(engine, layout);
  }

  @Override
  public StoreIdentity identity() {
    return identity;
  }

  @Override
  public Set<Capability> capabilities() {
    return shape.capabilities();
  }

  @Override
  public Limits limits() {
    return shape.limits();
  }

  private <T> T viewed(Deadline deadline, Function<View, T> work) {
    open();
    return Views.read(engine, deadline, work);
  }

  @Override
  public List<Optional<Row>> read(Scope scope, List<Key> keys, ReadOptions options) {
    if (keys.isEmpty()) {
      return List.of();
    }
    return viewed(
        options.deadline(), view -> new RowReader(view, layout, scope.tenantId()).rows(keys));
  }

  @Override
  public Optional<Row> readUnique(
      Scope scope, RecordType type, String uniqueKey, List<Object> values, ReadOptions options) {
    IndexLayout index = TypeLayout.of(type).unique(uniqueKey);
    return viewed(
        options.deadline(),
        view ->
            view.get(List.of(Layout.unique(scope.tenantId(), type, index, values)))
                .get(0)
                .map(entry -> Committer.holder(type, entry))
                .flatMap(new RowReader(view, layout, scope.tenantId())::row));
  }

  @Override
  public Page<Row> scan(Scope scope, Scan scan, ReadOptions options) {
    AccessPath path = scan.path().orElse(null);
    if (path != null && path.reach() != Reach.TENANT) {
      throw new IllegalArgumentException(path.name() + " is a path of the system: scanSystem");
    }
    return consistent(
        options.deadline(),
        view -> {
          Scanner scanner = new Scanner(view, layout, shape.snapshots(), scan);
          return path == null
              ? scanner.byKey(scope.tenantId())
              : scanner.byPath(scope.tenantId(), TypeLayout.of(scan.type()).path(path.name()));
        });
  }

  /**
   * A page of one instant. Without snapshots it is read until two readings in a row are the same:
   * since versions only rise, that is what was there between them.
   */
  private Page<Row> consistent(Deadline deadline, Function<View, Page<Row>> work) {
    Page<Row> page = viewed(deadline, work);
    if (shape.snapshots()) {
      return page;
    }
    while (true) {
      Page<Row> again = viewed(deadline, work);
      if (versions(again).equals(versions(page)) && again.next().equals(page.next())) {
        return again;
      }
      if (deadline.isOver()) {
        throw new Unavailable("the deadline came before a page stood still to be read", null);
      }
      page = again;
    }
  }

  private static List<Batch.VersionIs> versions(Page<Row> page) {
    return page.items().stream().map(row -> new Batch.VersionIs(row.key(), row.version())).toList();
  }

  @Override
  public Page<ScopedKey> scanSystem(Scope.System scope, Scan scan, ReadOptions options) {
    AccessPath path =
        scan.path()
            .filter(found -> found.reach() == Reach.SYSTEM)
            .orElseThrow(() -> new IllegalArgumentException("not a path of the system"));
    return viewed(
        options.deadline(),
        view ->
            new Scanner(view, layout, shape.snapshots(), scan)
                .bySystemPath(TypeLayout.of(scan.type()).path(path.name())));
  }

  @Override
  public List<CommitOutcome> commit(List<Batch> batches, Deadline deadline) {
    open();
    if (batches.isEmpty()) {
      return List.of();
    }
    if (batches.size() > shape.limits().mergedBatches()) {
      throw new Rejected(
          "the call has %,d batches; %,d are allowed (mergedBatches)"
              .formatted(batches.size(), shape.limits().mergedBatches()));
    }
    batches.forEach(batch -> Admission.check(batch, shape.limits()));
    begin(batches, deadline);
    return committer.commit(batches, deadline);
  }

  private void begin(List<Batch> batches, Deadline deadline) {
    for (Batch batch : batches) {
      if (batch.epoch() != identity.epoch()) {
        refresh(deadline);
      }
      if (batch.epoch() != identity.epoch()) {
        throw new Unavailable(
            "commit %s was read in epoch %d, the store is in %d: read again"
                .formatted(batch.commitId(), batch.epoch(), identity.epoch()),
            null);
      }
    }
    if (deadline.isOver()) {
      throw new Unavailable("the deadline is over; nothing was written", null);
    }
  }

  private void refresh(Deadline deadline) {
    KvStore.find(engine, deadline).ifPresent(store -> identity = store.identity());
  }

  @Override
  public PurgeOutcome purge(Scope scope, Purge purge, Deadline deadline) {
    open();
    Admission.check(purge.batch(), shape.limits());
    begin(List.of(purge.batch()), deadline);
    return new Purger(engine, layout, committer, scope.tenantId(), identity.epoch(), purge)
        .purge(deadline);
  }

  @Override
  public Statistics statistics(Scope scope, Deadline deadline) {
    open();
    try (Sizes sizes = new Sizes(engine, layout, deadline)) {
      return sizes.of(scope);
    }
  }

  @Override
  public FeedChunk feed(Scope scope, Optional<FeedCursor> after, int limit, Deadline deadline) {
    if (limit < 1) {
      throw new InvalidInput("limit must be at least 1, not " + limit);
    }
    return viewed(
        deadline, view -> new FeedReader(view, layout, identity.epoch(), scope).read(after, limit));
  }

  @Override
  public Health health() {
    return closed
        ? new Health(
            false,
            Optional.empty(),
            Optional.of("this handle of the store is closed: open another"))
        : engine.health();
  }

  @Override
  public void close() {
    closed = true;
    engine.close();
  }

  private void open() {
    if (closed) {
      throw new Unavailable("this handle of the store is closed: open another", null);
    }
  }
}
