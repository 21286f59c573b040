/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.PersistenceException.IllegalTransition;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.storage.spi.Scope;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What one unit of work does to one existing execution. Not thread-safe. */
final class ExecutionEdit {
  private final UUID executionId;
  private final List<EventDraft> drafts = new ArrayList<>();
  private @Nullable Append mode;
  private @Nullable WorkflowExecution before;
  private @Nullable WorkflowExecution after;
  private @Nullable HeldLease renewing;
  private @Nullable Wake wake;

  ExecutionEdit(UUID executionId) {
    this.executionId = executionId;
  }

  UUID executionId() {
    return executionId;
  }

  List<EventDraft> drafts() {
    return drafts;
  }

  /** How its events are appended; under the lease that is renewed or freed, when that is all. */
  Append mode() {
    return mode == null ? new Append.UnderToken(Objects.requireNonNull(renewing)) : mode;
  }

  Optional<WorkflowExecution> before() {
    return Optional.ofNullable(before);
  }

  Optional<WorkflowExecution> after() {
    return Optional.ofNullable(after);
  }

  Optional<Wake> release() {
    return Optional.ofNullable(wake);
  }

  /** The lease it is done under; empty for a signal. */
  Optional<HeldLease> lease() {
    if (mode instanceof Append.Sequence sequence) {
      return Optional.of((HeldLease) sequence.lease());
    }
    return mode instanceof Append.UnderToken token
        ? Optional.of((HeldLease) token.lease())
        : Optional.ofNullable(renewing);
  }

  Optional<String> dedupeKey() {
    return mode instanceof Append.Signal signal
        ? Optional.of(signal.dedupeKey())
        : Optional.empty();
  }

  /** The dedupe key for the next draft: the first event of a signal carries it. */
  Optional<String> nextDedupeKey() {
    return drafts.isEmpty() ? dedupeKey() : Optional.empty();
  }

  /** Refuses a mode that does not fit, before anything is staged. */
  void check(Append wanted, Engine engine, Scope scope) {
    Lease given =
        wanted instanceof Append.Sequence sequence
            ? sequence.lease()
            : wanted instanceof Append.UnderToken token ? token.lease() : null;
    if (given != null) {
      checkLease(HeldLease.of(given, engine, scope));
    }
    if (mode != null && !mode.equals(wanted)) {
      throw new InvalidInput(
          "execution " + executionId + " is changed in two modes by one unit of work");
    }
    if (renewing != null && renewing != given) {
      throw otherLease();
    }
  }

  void use(Append wanted) {
    mode = wanted;
  }

  private void checkLease(HeldLease lease) {
    if (!lease.executionId().equals(executionId)) {
      throw new InvalidInput(
          "the lease is for execution " + lease.executionId() + ", not " + executionId);
    }
  }

  private InvalidInput otherLease() {
    return new InvalidInput("execution " + executionId + " is changed under another lease");
  }

  /** Is decided under this lease, with or without an event. */
  void renew(HeldLease lease) {
    checkLease(lease);
    if ((mode != null || renewing != null) && lease().filter(held -> held == lease).isEmpty()) {
      throw otherLease();
    }
    renewing = lease;
  }

  void release(HeldLease lease, Wake when) {
    renew(lease);
    wake = when;
  }

  boolean closes() {
    return after != null && after.status().isFinal();
  }

  /** Stages the record's next version; returns the status it leaves. */
  void move(
      WorkflowExecution read,
      Transition transition,
      Optional<StoredPayload> outcome,
      Instant now,
      String actor) {
    WorkflowExecution from = after == null ? read : after;
    if (before == null) {
      before = read;
    }
    checkLegal(from, transition);
    ExecutionStatus to = transition.to();
    boolean closing = to.isFinal();
    after =
        new WorkflowExecution(
            before.header().next(now, actor),
            from.workflowId(),
            closing ? Optional.empty() : from.liveWorkflowId(),
            to,
            to == ExecutionStatus.PAUSED ? Optional.of(from.status()) : Optional.empty(),
            from.definitionName(),
            from.definitionVersion(),
            from.definitionDigest(),
            from.parentId(),
            from.searchAttributes(),
            from.input(),
            outcome,
            closing ? Optional.of(now) : Optional.empty(),
            from.startedAt());
  }

  static void checkLegal(WorkflowExecution from, Transition transition) {
    if (!open(from).contains(transition.to())) {
      throw new IllegalTransition(
          "execution %s is %s and cannot become %s; possible: %s"
              .formatted(from.id(), from.status(), transition.to(), open(from)));
    }
    if (transition.outcome().isPresent() && !transition.to().isFinal()) {
      throw new InvalidInput(
          "only a final status has an outcome; " + transition.to() + " is not final");
    }
  }

  private static Set<ExecutionStatus> open(WorkflowExecution from) {
    Set<ExecutionStatus> open = from.status().next();
    if (from.pausedFrom().isPresent()) {
      ExecutionStatus origin = from.pausedFrom().get();
      open.retainAll(
          EnumSet.of(
              ExecutionStatus.COMPENSATING,
              ExecutionStatus.CANCELLED,
              ExecutionStatus.FAILED,
              ExecutionStatus.ABORTED));
      open.retainAll(origin.next());
      open.add(origin);
    }
    return open;
  }
}
