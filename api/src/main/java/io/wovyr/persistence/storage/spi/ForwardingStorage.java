/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.sealing.spi.SealingProvider;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A storage that does what another one does: a base for decorators. As thread-safe as its delegate.
 *
 * @since 0.1
 */
public class ForwardingStorage implements Storage {
  private final Storage delegate;

  /** Over this storage; closing this closes it. */
  protected ForwardingStorage(Storage delegate) {
    this.delegate = delegate;
  }

  /** The storage beneath. */
  protected final Storage delegate() {
    return delegate;
  }

  @Override
  public List<CommitOutcome> commit(List<Batch> batches, Deadline deadline) {
    return delegate.commit(batches, deadline);
  }

  @Override
  public PurgeOutcome purge(Scope scope, Purge purge, Deadline deadline) {
    return delegate.purge(scope, purge, deadline);
  }

  @Override
  public void useSealing(SealingProvider sealing) {
    delegate.useSealing(sealing);
  }

  @Override
  public StoreIdentity identity() {
    return delegate.identity();
  }

  @Override
  public Set<Capability> capabilities() {
    return delegate.capabilities();
  }

  @Override
  public Limits limits() {
    return delegate.limits();
  }

  @Override
  public List<Optional<Row>> read(Scope scope, List<Key> keys, ReadOptions options) {
    return delegate.read(scope, keys, options);
  }

  @Override
  public Optional<Row> readUnique(
      Scope scope, RecordType type, String uniqueKey, List<Object> values, ReadOptions options) {
    return delegate.readUnique(scope, type, uniqueKey, values, options);
  }

  @Override
  public Page<Row> scan(Scope scope, Scan scan, ReadOptions options) {
    return delegate.scan(scope, scan, options);
  }

  @Override
  public Page<ScopedKey> scanSystem(Scope.System scope, Scan scan, ReadOptions options) {
    return delegate.scanSystem(scope, scan, options);
  }

  @Override
  public Optional<CallersTransaction> callersTransaction() {
    return delegate.callersTransaction();
  }

  @Override
  public Enlisted enlist(Batch batch, Deadline deadline) {
    return delegate.enlist(batch, deadline);
  }

  @Override
  public Statistics statistics(Scope scope, Deadline deadline) {
    return delegate.statistics(scope, deadline);
  }

  @Override
  public FeedChunk feed(Scope scope, Optional<FeedCursor> after, int limit, Deadline deadline) {
    return delegate.feed(scope, after, limit, deadline);
  }

  @Override
  public Health health() {
    return delegate.health();
  }

  @Override
  public void close() {
    delegate.close();
  }
}
