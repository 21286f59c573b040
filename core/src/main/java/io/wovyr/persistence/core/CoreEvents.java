/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.Permission;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.core.mapping.RecordMapper;
import io.wovyr.persistence.core.mapping.RecordMappers;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.Events;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.event.StateChange;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Events of one tenant. Thread-safe. */
final class CoreEvents implements Events {
  private final TenantAccess access;
  private final Engine engine;
  private final Scope scope;
  private final String actor;
  private final RecordMapper<WorkflowEvent> mapper = RecordMappers.of(WorkflowEvent.class);

  CoreEvents(TenantAccess access) {
    this.access = access;
    this.engine = access.engine();
    this.scope = access.scope();
    this.actor = access.actor();
  }

  @Override
  public CommitResult append(UUID executionId, Append mode, List<NewEvent> events) {
    return access.unit().append(executionId, mode, events).commit();
  }

  @Override
  public Page<WorkflowEvent> read(UUID executionId, long fromSequence, int limit) {
    access.require(Permission.READ);
    if (fromSequence < 1) {
      throw new InvalidInput("events begin at sequence 1, not " + fromSequence);
    }
    Pages.checkLimit(limit);
    Optional<Row> head = EventGaps.checkKept(engine, scope, executionId, fromSequence);
    if (head.isEmpty()) {
      return new Page<>(List.of(), Optional.empty());
    }
    Page<Row> rows =
        engine.scan(
            scope, Scan.byKey(RecordTypes.EVENT, List.of(executionId), limit).from(fromSequence));
    if (!EventGaps.beginsAt(fromSequence, rows.items())) {
      EventGaps.checkKept(engine, scope, executionId, fromSequence);
    }
    List<WorkflowEvent> events = rows.items().stream().map(mapper::fromRow).toList();
    EventGaps.check(engine, executionId, fromSequence, events);
    long reached = fromSequence + events.size() - 1;
    if (rows.next().isEmpty()) {
      EventGaps.checkEnd(engine, executionId, reached, BatchPlan.lastSequence(head.get()));
      return new Page<>(events, Optional.empty());
    }
    return new Page<>(events, Optional.of(Long.toString(reached + 1)));
  }

  @Override
  public Optional<WorkflowEvent> find(UUID executionId, long sequence) {
    access.require(Permission.READ);
    return engine
        .read(scope, Key.of(RecordTypes.EVENT, executionId, sequence))
        .map(mapper::fromRow);
  }

  @Override
  public Page<WorkflowEvent> byCorrelation(UUID correlationId, int limit, Optional<String> after) {
    return byPath("by_correlation", correlationId, limit, after);
  }

  @Override
  public Page<WorkflowEvent> byCausation(UUID causationId, int limit, Optional<String> after) {
    return byPath("by_causation", causationId, limit, after);
  }

  private Page<WorkflowEvent> byPath(String path, UUID value, int limit, Optional<String> after) {
    access.require(Permission.READ);
    Pages.checkLimit(limit);
    Scan scan = Scan.byPath(RecordTypes.EVENT, path, List.of(value), limit).after(after);
    return Pages.readable(engine.scan(scope, scan), mapper);
  }

  @Override
  public Optional<Payload> payload(WorkflowEvent event) {
    access.require(Permission.READ);
    access.checkOwn(event.header());
    return event.payload().map(stored -> engine.sealer().open(stored, Bindings.payload(event)));
  }

  @Override
  public Optional<Payload> value(WorkflowEvent event, int index) {
    access.require(Permission.READ);
    access.checkOwn(event.header());
    StateChange change = event.changes().get(index);
    if (!(change instanceof StateChange.Put put)) {
      return Optional.empty();
    }
    if (put.value() instanceof StateChange.Value.Own own) {
      return Optional.of(engine.sealer().open(own.payload(), Bindings.change(event, index)));
    }
    return payload(event);
  }

  @Override
  public long purge(UUID executionId, long belowSequence, boolean force) {
    access.require(Permission.MAINTAIN);
    return new Purger(engine, scope, actor).purge(executionId, belowSequence, force);
  }
}
