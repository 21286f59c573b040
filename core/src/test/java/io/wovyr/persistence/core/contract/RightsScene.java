/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.Change;
import io.wovyr.persistence.CommitReference;
import io.wovyr.persistence.CommitResult.Applied;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.activity.ActivityExecution;
import io.wovyr.persistence.activity.NewActivity;
import io.wovyr.persistence.audit.AuditRecord;
import io.wovyr.persistence.audit.NewAuditRecord;
import io.wovyr.persistence.checkpoint.CheckpointKind;
import io.wovyr.persistence.checkpoint.CheckpointMark;
import io.wovyr.persistence.checkpoint.CheckpointOrigin;
import io.wovyr.persistence.checkpoint.WorkflowCheckpoint;
import io.wovyr.persistence.compensation.CompensationRecord;
import io.wovyr.persistence.compensation.NewCompensation;
import io.wovyr.persistence.definition.NewDefinition;
import io.wovyr.persistence.definition.WorkflowDefinition;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.feed.RegisteredCursor;
import io.wovyr.persistence.lease.AcquireResult.Acquired;
import io.wovyr.persistence.lease.HeldName;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.retry.RetryPolicy;
import io.wovyr.persistence.retry.RetryRecord;
import io.wovyr.persistence.schedule.NewSchedule;
import io.wovyr.persistence.schedule.Schedule;
import io.wovyr.persistence.schedule.Timing;
import io.wovyr.persistence.secret.SecretRecord;
import io.wovyr.persistence.secret.SecretRef;
import io.wovyr.persistence.state.WorkflowState;
import java.time.Instant;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

/** Makes what a method is called with, by a caller that may do everything: each time anew. */
record RightsScene(Repositories all) {
  /** Stands in every value there is: no message may show it. */
  static final String VALUE = "a-value-that-no-message-shows";

  private static final Instant RIGHT_NOW = Instant.parse("2020-01-01T00:00:00Z");

  static Payload value() {
    return Payload.text(VALUE);
  }

  private static <T> T only(Applied committed, Class<T> type) {
    return committed.records(type).get(0);
  }

  private <T> T written(Class<T> type, Change change) {
    return only(all.unitOfWork().with(change).commit().orThrow(), type);
  }

  private <T> T stepped(Class<T> type, UUID executionId, Change change) {
    return only(step(all, executionId, change), type);
  }

  /**
   * Commits what belongs to an execution under a lease that is freed by it.
   *
   * @throws NoSuchElementException the caller's tenant has no such execution to lease
   */
  static Applied step(Repositories by, UUID executionId, Change change) {
    if (!(by.leases().acquire(executionId, "worker", RepositoryContract.TTL)
        instanceof Acquired acquired)) {
      throw new NoSuchElementException("there is no lease of execution " + executionId);
    }
    return by.unitOfWork().release(acquired.lease(), Wake.now()).with(change).commit().orThrow();
  }

  WorkflowExecution execution() {
    NewExecution execution = NewExecution.of(DefinitionRef.of("order", 1)).withInput(value());
    return only(all.executions().create(execution).orThrow(), WorkflowExecution.class);
  }

  WorkflowExecution closed() {
    WorkflowExecution execution = execution();
    Transition cancel = Transition.to(ExecutionStatus.CANCELLED);
    return only(
        all.executions().transition(execution, cancel, Append.signal("cancel")).orThrow(),
        WorkflowExecution.class);
  }

  Lease lease() {
    UUID id = execution().id();
    return ((Acquired) all.leases().acquire(id, "worker", RepositoryContract.TTL)).lease();
  }

  HeldName heldName() {
    String name = "name-" + UUID.randomUUID();
    return all.leases().acquireName(name, "worker", RepositoryContract.TTL).orElseThrow();
  }

  WorkflowEvent event() {
    NewEvent event = NewEvent.of("Put").withPayload(value()).put(Section.VARIABLES, "key", value());
    return only(
        all.events().append(execution().id(), Append.signal("put"), event).orThrow(),
        WorkflowEvent.class);
  }

  WorkflowState.Leaf leaf() {
    return all.executions()
        .state(event().executionId())
        .get(Section.VARIABLES, "key")
        .orElseThrow();
  }

  CommitReference reference() {
    AtomicReference<CommitReference> reference = new AtomicReference<>();
    all.unitOfWork()
        .append(execution().id(), Append.signal("known"), NewEvent.of("Known"))
        .beforeSend(reference::set)
        .commit()
        .orThrow();
    return reference.get();
  }

  ActivityExecution scheduled() {
    NewActivity activity = NewActivity.of("charge", "Charge").withInput(value());
    UUID id = execution().id();
    return stepped(ActivityExecution.class, id, all.activities().schedule(id, activity));
  }

  ActivityExecution started() {
    ActivityExecution before = scheduled();
    return stepped(
        ActivityExecution.class, before.executionId(), all.activities().start(before, "worker"));
  }

  ActivityExecution failed() {
    ActivityExecution before = started();
    return stepped(
        ActivityExecution.class, before.executionId(), all.activities().fail(before, value()));
  }

  RetryRecord retry() {
    UUID id = execution().id();
    return stepped(
        RetryRecord.class,
        id,
        all.retries().failed(id, "charge", RetryPolicy.ofAttempts(9), "Timeout", value()).change());
  }

  CompensationRecord pushed() {
    NewCompensation compensation = NewCompensation.of("charge", "refund").withInput(value());
    UUID id = execution().id();
    return stepped(CompensationRecord.class, id, all.compensations().push(id, compensation));
  }

  WorkflowExecution compensating() {
    WorkflowExecution running = moved(execution(), ExecutionStatus.RUNNING);
    return moved(running, ExecutionStatus.COMPENSATING);
  }

  private WorkflowExecution moved(WorkflowExecution before, ExecutionStatus to) {
    return all.executions()
        .transition(before, Transition.to(to), Append.signal("to-" + to))
        .orThrow()
        .records(WorkflowExecution.class)
        .get(0);
  }

  CompensationRecord undoing() {
    CompensationRecord before = pushed();
    return stepped(
        CompensationRecord.class, before.executionId(), all.compensations().start(before));
  }

  WorkflowDefinition definition() {
    return added(newDefinition());
  }

  WorkflowDefinition draft() {
    return added(newDefinition().asDraft());
  }

  static NewDefinition newDefinition() {
    return NewDefinition.of("definition-" + UUID.randomUUID(), value());
  }

  private WorkflowDefinition added(NewDefinition definition) {
    return only(all.definitions().add(definition).orThrow(), WorkflowDefinition.class);
  }

  Schedule schedule() {
    return only(all.schedules().add(newSchedule()).orThrow(), Schedule.class);
  }

  Schedule pausedSchedule() {
    return only(all.schedules().pause(schedule()).orThrow(), Schedule.class);
  }

  /** One that is due as soon as it is stored. */
  static NewSchedule newSchedule() {
    return NewSchedule.of(
            "schedule-" + UUID.randomUUID(),
            new Timing.Once(RIGHT_NOW),
            DefinitionRef.of("order", 1))
        .withInput(value());
  }

  AuditRecord audited() {
    NewAuditRecord audited =
        NewAuditRecord.done("approved", "order", UUID.randomUUID().toString()).withDetails(value());
    return only(all.audit().append(audited).orThrow(), AuditRecord.class);
  }

  SecretRef secret() {
    String name = "secret-" + UUID.randomUUID();
    return only(all.secrets().put(name, value()).orThrow(), SecretRecord.class).ref();
  }

  RegisteredCursor cursor() {
    return only(all.feed().cursors().insert(newCursor()).orThrow(), RegisteredCursor.class);
  }

  static RegisteredCursor newCursor() {
    return RegisteredCursor.of("cursor-" + UUID.randomUUID(), new FeedCursor(1, "1"));
  }

  WorkflowCheckpoint checkpoint() {
    return written(WorkflowCheckpoint.class, all.checkpoints().add(manifest()));
  }

  /** Of a checkpoint that is invalid and pinned. */
  CheckpointMark checkpointMark() {
    WorkflowCheckpoint marked = checkpoint();
    all.checkpoints().invalidate(marked, VALUE).orThrow();
    return only(all.checkpoints().pin(marked, VALUE).orThrow(), CheckpointMark.class);
  }

  WorkflowCheckpoint manifest() {
    return manifest(execution().id());
  }

  static WorkflowCheckpoint manifest(UUID executionId) {
    Bytes hash = Bytes.copyOf(new byte[32]);
    return new WorkflowCheckpoint(
        RecordHeader.unsaved(),
        executionId,
        UUID.randomUUID(),
        "order-1",
        1,
        Optional.of("sha-256:" + "ab".repeat(32)),
        1,
        CheckpointKind.FULL,
        CheckpointOrigin.AUTOMATIC,
        "activity-completed",
        1,
        1,
        Optional.empty(),
        0,
        "worker",
        1,
        1,
        hash,
        "RUNNING",
        List.of(),
        0,
        0,
        0,
        0,
        Optional.empty(),
        List.of(),
        false,
        Optional.empty(),
        "cbor",
        "none",
        0,
        Optional.empty(),
        "filesystem",
        "1.wcp",
        1,
        1,
        hash,
        Optional.empty());
  }
}
