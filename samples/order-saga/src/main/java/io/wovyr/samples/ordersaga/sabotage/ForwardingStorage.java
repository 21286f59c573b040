/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga.sabotage;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.sealing.spi.SealingProvider;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Enlisted;
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
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A storage in front of another one. Commits go through {@link #commit(Batch, Deadline)} one by
 * one, which is what a decorator overrides; everything else is passed on. As thread-safe as the one
 * behind.
 */
public abstract class ForwardingStorage implements Storage {
  private final Storage behind;

  /** In front of this one, which is closed with it. */
  protected ForwardingStorage(Storage behind) {
    this.behind = behind;
  }

  /** The one behind. */
  protected final Storage behind() {
    return behind;
  }

  @Override
  public CommitOutcome commit(Batch batch, Deadline deadline) {
    return behind.commit(batch, deadline);
  }

  @Override
  public final List<CommitOutcome> commit(List<Batch> batches, Deadline deadline) {
    List<CommitOutcome> outcomes = new ArrayList<>();
    for (Batch batch : batches) {
      outcomes.add(commit(batch, deadline));
    }
    return outcomes;
  }

  @Override
  public final void useSealing(SealingProvider sealing) {
    behind.useSealing(sealing);
  }

  @Override
  public final StoreIdentity identity() {
    return behind.identity();
  }

  @Override
  public final Set<Capability> capabilities() {
    return behind.capabilities();
  }

  @Override
  public final Limits limits() {
    return behind.limits();
  }

  @Override
  public final List<Optional<Row>> read(Scope scope, List<Key> keys, ReadOptions options) {
    return behind.read(scope, keys, options);
  }

  @Override
  public final Optional<Row> readUnique(
      Scope scope, RecordType type, String uniqueKey, List<Object> values, ReadOptions options) {
    return behind.readUnique(scope, type, uniqueKey, values, options);
  }

  @Override
  public final Page<Row> scan(Scope scope, Scan scan, ReadOptions options) {
    return behind.scan(scope, scan, options);
  }

  @Override
  public final Page<ScopedKey> scanSystem(Scope.System scope, Scan scan, ReadOptions options) {
    return behind.scanSystem(scope, scan, options);
  }

  @Override
  public final Enlisted enlist(Batch batch) {
    return behind.enlist(batch);
  }

  @Override
  public final void stage(Scope scope, UUID stageId, Iterator<Bytes> chunks, Deadline deadline) {
    behind.stage(scope, stageId, chunks, deadline);
  }

  @Override
  public final PurgeOutcome purge(Scope scope, Purge purge, Deadline deadline) {
    return behind.purge(scope, purge, deadline);
  }

  @Override
  public final Statistics statistics(Scope scope, Deadline deadline) {
    return behind.statistics(scope, deadline);
  }

  @Override
  public final FeedChunk feed(
      Scope scope, Optional<FeedCursor> after, int limit, Deadline deadline) {
    return behind.feed(scope, after, limit, deadline);
  }

  @Override
  public final Health health() {
    return behind.health();
  }

  @Override
  public final void close() {
    behind.close();
  }
}
