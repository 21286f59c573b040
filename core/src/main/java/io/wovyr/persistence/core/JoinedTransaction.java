/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.storage.spi.CallersTransaction.End;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What became part of one JTA transaction of a caller's: the heads as it will leave them, which its
 * next commit builds upon, and the leases, which follow its end. Thread-safe.
 */
final class JoinedTransaction {
  private final Object key;
  private final Map<Id, Row> heads = new HashMap<>();
  private final Map<HeldLease, Step> steps = new HashMap<>();
  private final Map<Id, Map<Key, Row>> entries = new HashMap<>();
  private final Map<Id, Row> values = new HashMap<>();

  /**
   * @param key of the transaction
   */
  JoinedTransaction(Object key) {
    this.key = key;
  }

  private record Id(String tenantId, UUID id) {}

  /**
   * The last step under a lease.
   *
   * @param head as the step made it
   * @param sawAll it named the last event before it
   * @param gives the lease up, or ends the execution
   */
  record Step(Row head, boolean sawAll, long sentAtNanos, boolean gives) {}

  Object key() {
    return key;
  }

  /** The head of an execution that was changed here. */
  synchronized Optional<Row> head(Scope scope, UUID executionId) {
    return Optional.ofNullable(heads.get(new Id(scope.tenantId(), executionId)));
  }

  /** A head as it will be. */
  synchronized void changed(Scope scope, Row head) {
    heads.put(new Id(scope.tenantId(), (UUID) head.key().values().get(0)), head);
  }

  /** What is written of a compensation stack here, which nobody else reads before the end. */
  synchronized void wrote(Scope scope, Row entry) {
    Id execution = new Id(scope.tenantId(), (UUID) entry.key().values().get(0));
    entries.computeIfAbsent(execution, any -> new HashMap<>()).put(entry.key(), entry);
  }

  /** A large value that was published here. */
  synchronized void published(Scope scope, Row value) {
    UUID id = (UUID) value.key().values().get(0);
    values.put(new Id(scope.tenantId(), id), value);
  }

  /** A large value that was published here, as it will be. */
  synchronized Optional<Row> published(Scope scope, UUID valueId) {
    return Optional.ofNullable(values.get(new Id(scope.tenantId(), valueId)));
  }

  /** The entries of a compensation stack that were written here, as they will be. */
  synchronized List<Row> entries(Scope scope, UUID executionId) {
    return List.copyOf(
        entries.getOrDefault(new Id(scope.tenantId(), executionId), Map.of()).values());
  }

  /** A step under a lease. */
  synchronized void stepped(HeldLease lease, Step step) {
    steps.put(lease, step);
    lease.join(key, step.sentAtNanos());
  }

  /** Events came that were not appended under the lease, and here: its holder may not know. */
  synchronized boolean hasMore(HeldLease lease, Row head) {
    @Nullable Step last = steps.get(lease);
    Row known = last == null ? lease.row() : last.head();
    return BatchPlan.lastSequence(head) > BatchPlan.lastSequence(known);
  }

  /** The transaction has ended. */
  synchronized void ended(End end) {
    steps.forEach((lease, step) -> ended(lease, step, end));
    steps.clear();
    heads.clear();
    entries.clear();
  }

  private void ended(HeldLease lease, Step step, End end) {
    if (end == End.UNKNOWN || (end == End.COMMITTED && step.gives())) {
      lease.lose();
    }
    if (end != End.COMMITTED) {
      lease.leave();
      return;
    }
    Row last = heads.getOrDefault(new Id(lease.tenantId(), lease.executionId()), step.head());
    lease.stepped(step.head(), last, step.sawAll(), step.sentAtNanos());
    lease.joined();
  }
}
