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
import io.wovyr.persistence.core.state.HashTrieState;
import io.wovyr.persistence.core.state.Replay;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.ExecutionHead;
import io.wovyr.persistence.execution.ExecutionQuery;
import io.wovyr.persistence.execution.ExecutionQuery.By;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.Executions;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.state.WorkflowState;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Executions of one tenant. Thread-safe. */
final class CoreExecutions implements Executions {
  private static final int REPLAY_PAGE = 1_000;

  private final TenantAccess access;
  private final Engine engine;
  private final Scope scope;
  private final RecordMapper<WorkflowExecution> mapper = RecordMappers.of(WorkflowExecution.class);

  CoreExecutions(TenantAccess access) {
    this.access = access;
    this.engine = access.engine();
    this.scope = access.scope();
  }

  @Override
  public CommitResult create(NewExecution execution) {
    return access.unit().create(execution).commit();
  }

  @Override
  public Optional<WorkflowExecution> find(UUID id) {
    access.require(Permission.READ);
    return engine.read(scope, Key.of(RecordTypes.EXECUTION, id)).map(mapper::fromRow);
  }

  @Override
  public Optional<WorkflowExecution> findLive(String workflowId) {
    access.require(Permission.READ);
    List<Object> entry = List.of(Inputs.name("workflowId", workflowId));
    return engine
        .reading(
            options ->
                engine
                    .storage()
                    .readUnique(scope, RecordTypes.EXECUTION, "live_workflow", entry, options))
        .map(mapper::fromRow);
  }

  @Override
  public Optional<ExecutionHead> head(UUID id) {
    access.require(Permission.READ);
    return headRow(id).map(RecordMappers.of(ExecutionHead.class)::fromRow);
  }

  private Optional<Row> headRow(UUID id) {
    return engine.read(scope, Key.of(RecordTypes.HEAD, id));
  }

  @Override
  public Page<WorkflowExecution> list(
      Optional<ExecutionStatus> status, int limit, Optional<String> after) {
    access.require(Permission.READ);
    Pages.checkLimit(limit);
    Scan scan =
        status
            .map(
                wanted ->
                    Scan.byPath(RecordTypes.EXECUTION, "by_status", List.of(wanted.name()), limit))
            .orElseGet(() -> Scan.byKey(RecordTypes.EXECUTION, List.of(), limit))
            .after(after);
    return Pages.readable(engine.scan(scope, scan), mapper);
  }

  @Override
  public Page<WorkflowExecution> find(ExecutionQuery query, int limit, Optional<String> after) {
    access.require(Permission.READ);
    Pages.checkLimit(limit);
    Scan scan = scan(query.by(), limit).after(after);
    if (query.fromInclusive().isPresent()) {
      scan = scan.from(Inputs.bound(query.fromInclusive().get()));
    }
    if (query.toExclusive().isPresent()) {
      scan = scan.to(Inputs.bound(query.toExclusive().get()));
    }
    return access.page(WorkflowExecution.class, query.newestFirst() ? scan.descending() : scan);
  }

  private static Scan scan(ExecutionQuery.By by, int limit) {
    if (by instanceof By.Status status) {
      return byPath("by_status", status.status().name(), limit);
    }
    if (by instanceof By.Definition definition) {
      return byPath("by_definition", definition.name(), limit);
    }
    if (by instanceof By.WorkflowId workflow) {
      return byPath("by_workflow", workflow.workflowId(), limit);
    }
    if (by instanceof By.Parent parent) {
      return byPath("by_parent", parent.parentId(), limit);
    }
    if (by instanceof By.Attribute attribute) {
      return byPath("by_attribute", attribute.name() + "=" + attribute.value(), limit);
    }
    return Scan.byPath(RecordTypes.EXECUTION, "by_time", List.of(), limit);
  }

  private static Scan byPath(String path, Object value, int limit) {
    return Scan.byPath(RecordTypes.EXECUTION, path, List.of(value), limit);
  }

  @Override
  public CommitResult transition(WorkflowExecution before, Transition transition, Append mode) {
    return access.unit().transition(before, transition, mode).commit();
  }

  @Override
  public WorkflowState state(UUID id) {
    access.require(Permission.READ);
    return replay(id, Long.MAX_VALUE);
  }

  @Override
  public WorkflowState state(UUID id, long sequence) {
    access.require(Permission.READ);
    if (sequence < 0) {
      throw new InvalidInput("a sequence is 0 or more, not " + sequence);
    }
    return replay(id, sequence);
  }

  /** The head is read first: every event up to its last one must then be there. */
  private WorkflowState replay(UUID id, long upTo) {
    Row head =
        EventGaps.checkKept(engine, scope, id, 1)
            .orElseThrow(() -> new InvalidInput("there is no execution " + id));
    long last = Math.min(upTo, BatchPlan.lastSequence(head));
    if (upTo != Long.MAX_VALUE && upTo > last) {
      throw new InvalidInput("execution " + id + " ends at event " + last + ", before " + upTo);
    }
    RecordMapper<WorkflowEvent> events = RecordMappers.of(WorkflowEvent.class);
    WorkflowState state = HashTrieState.empty();
    Optional<String> next = Optional.empty();
    long done = 0;
    do {
      Scan scan = Scan.byKey(RecordTypes.EVENT, List.of(id), REPLAY_PAGE).to(last + 1).after(next);
      Page<Row> page = engine.scan(scope, scan);
      if (!EventGaps.beginsAt(done + 1, page.items())) {
        EventGaps.checkKept(engine, scope, id, done + 1);
      }
      List<WorkflowEvent> read = page.items().stream().map(events::fromRow).toList();
      EventGaps.check(engine, id, done + 1, read);
      state = Replay.fold(id, state, done, read);
      done += read.size();
      next = page.next();
    } while (next.isPresent());
    EventGaps.checkEnd(engine, id, done, last);
    return state;
  }

  @Override
  public Optional<Payload> input(WorkflowExecution execution) {
    return open(execution, execution.input(), "input");
  }

  @Override
  public Optional<Payload> outcome(WorkflowExecution execution) {
    return open(execution, execution.outcome(), "outcome");
  }

  private Optional<Payload> open(
      WorkflowExecution execution, Optional<StoredPayload> value, String attribute) {
    access.require(Permission.READ);
    access.checkOwn(execution.header());
    return value.map(
        stored ->
            engine
                .sealer()
                .open(stored, Bindings.execution(scope.tenantId(), execution.id(), attribute)));
  }
}
