/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static io.wovyr.persistence.execution.ExecutionStatus.ABORTED;
import static io.wovyr.persistence.execution.ExecutionStatus.CANCELLED;
import static io.wovyr.persistence.execution.ExecutionStatus.COMPENSATED;
import static io.wovyr.persistence.execution.ExecutionStatus.COMPENSATING;
import static io.wovyr.persistence.execution.ExecutionStatus.COMPLETED;
import static io.wovyr.persistence.execution.ExecutionStatus.CREATED;
import static io.wovyr.persistence.execution.ExecutionStatus.FAILED;
import static io.wovyr.persistence.execution.ExecutionStatus.PAUSED;
import static io.wovyr.persistence.execution.ExecutionStatus.RUNNING;
import static io.wovyr.persistence.execution.ExecutionStatus.WAITING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Committed;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException.IllegalTransition;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.ExecutionHead;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.lease.AcquireResult;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.payload.Payload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The lifecycle of executions. */
public abstract class ExecutionsContract extends RepositoryContract {
  /** How a status is reached. */
  private static final Map<ExecutionStatus, List<ExecutionStatus>> WAY_TO =
      new EnumMap<>(
          Map.of(
              CREATED, List.of(),
              RUNNING, List.of(RUNNING),
              WAITING, List.of(RUNNING, WAITING),
              PAUSED, List.of(RUNNING, PAUSED),
              COMPENSATING, List.of(RUNNING, COMPENSATING),
              COMPLETED, List.of(RUNNING, COMPLETED),
              CANCELLED, List.of(CANCELLED),
              FAILED, List.of(RUNNING, FAILED),
              ABORTED, List.of(RUNNING, WAITING, ABORTED),
              COMPENSATED, List.of(RUNNING, COMPENSATING, COMPENSATED)));

  /** What is allowed, written down a second time on purpose; paused from running. */
  private static final Map<ExecutionStatus, Set<ExecutionStatus>> ALLOWED =
      new EnumMap<>(
          Map.of(
              CREATED, EnumSet.of(RUNNING, PAUSED, CANCELLED, FAILED, ABORTED),
              RUNNING,
                  EnumSet.of(WAITING, PAUSED, COMPENSATING, COMPLETED, CANCELLED, FAILED, ABORTED),
              WAITING, EnumSet.of(RUNNING, PAUSED, COMPENSATING, CANCELLED, FAILED, ABORTED),
              PAUSED, EnumSet.of(RUNNING, COMPENSATING, CANCELLED, FAILED, ABORTED),
              COMPENSATING, EnumSet.of(PAUSED, COMPENSATED, FAILED, ABORTED),
              COMPLETED, EnumSet.noneOf(ExecutionStatus.class),
              CANCELLED, EnumSet.noneOf(ExecutionStatus.class),
              FAILED, EnumSet.noneOf(ExecutionStatus.class),
              ABORTED, EnumSet.noneOf(ExecutionStatus.class),
              COMPENSATED, EnumSet.noneOf(ExecutionStatus.class)));

  protected ExecutionsContract(TestStore.Factory stores) {
    super(stores);
  }

  private WorkflowExecution brought(ExecutionStatus to) {
    WorkflowExecution execution = newExecution();
    for (ExecutionStatus step : WAY_TO.get(to)) {
      execution = move(execution.id(), step, Append.signal("to-" + step));
    }
    return execution;
  }

  @ParameterizedTest
  @EnumSource(ExecutionStatus.class)
  void allowedTransitionsAreMadeAndAllOthersRefused(ExecutionStatus from) {
    for (ExecutionStatus to : ExecutionStatus.values()) {
      WorkflowExecution before = brought(from);
      long events = head(before.id()).lastSequence();
      if (ALLOWED.get(from).contains(to)) {
        Committed moved =
            committed(
                repositories()
                    .executions()
                    .transition(before, Transition.to(to), Append.signal("now")));
        assertThat(only(moved, WorkflowExecution.class)).isEqualTo(execution(before.id()));
        assertThat(execution(before.id()).status()).isEqualTo(to);
        assertThat(execution(before.id()).header().version())
            .isEqualTo(before.header().version() + 1);
        assertThat(head(before.id()).lastSequence()).isEqualTo(events + 1);
      } else {
        assertThatThrownBy(
                () ->
                    repositories()
                        .executions()
                        .transition(before, Transition.to(to), Append.signal("now")))
            .as("%s to %s", from, to)
            .isInstanceOf(IllegalTransition.class)
            .hasMessageContaining(before.id().toString());
        assertThat(execution(before.id())).isEqualTo(before);
        assertThat(head(before.id()).lastSequence()).isEqualTo(events);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = ExecutionStatus.class,
      names = {"CREATED", "RUNNING", "WAITING", "COMPENSATING"})
  void pausedItReturnsToWhereItWas(ExecutionStatus from) {
    WorkflowExecution paused = move(brought(from).id(), PAUSED, Append.signal("pause"));
    assertThat(paused.pausedFrom()).contains(from);
    assertThat(head(paused.id()).paused()).isTrue();
    assertThat(head(paused.id()).dueAt()).isEmpty();
    for (ExecutionStatus other : EnumSet.of(CREATED, RUNNING, WAITING)) {
      if (other != from) {
        assertThatThrownBy(
                () ->
                    repositories()
                        .executions()
                        .transition(paused, Transition.to(other), Append.signal("resume")))
            .isInstanceOf(IllegalTransition.class);
      }
    }

    WorkflowExecution resumed = move(paused.id(), from, Append.signal("resume"));

    assertThat(resumed.status()).isEqualTo(from);
    assertThat(resumed.pausedFrom()).isEmpty();
    assertThat(head(paused.id()).paused()).isFalse();
    assertThat(head(paused.id()).dueAt()).isPresent();
  }

  @ParameterizedTest
  @EnumSource(
      value = ExecutionStatus.class,
      names = {"COMPLETED", "CANCELLED", "FAILED", "ABORTED", "COMPENSATED"})
  void afterTheEndNothingFollows(ExecutionStatus end) {
    WorkflowExecution closed = brought(end);

    assertThat(closed.closedAt()).isPresent();
    assertThat(closed.liveWorkflowId()).isEmpty();
    ExecutionHead head = head(closed.id());
    assertThat(head.closed()).isTrue();
    assertThat(head.dueAt()).isEmpty();
    conflict(
        repositories().events().append(closed.id(), Append.signal("late"), event("Late")),
        Reason.CLOSED);
    assertThat(repositories().leases().acquire(closed.id(), "worker", TTL))
        .isEqualTo(new AcquireResult.NotAvailable(closed.id(), AcquireResult.Why.CLOSED));
    assertThat(head(closed.id())).isEqualTo(head);
  }

  @Test
  void closedUnderALeaseTheLeaseIsFreeAndNothingCanBeAppended() {
    UUID id = newExecution().id();
    Lease lease = running(id);

    move(id, COMPLETED, Append.next(lease));

    assertThat(lease.isHeld()).isFalse();
    assertThat(head(id).owner()).isEmpty();
    assertThat(head(id).fencingToken()).isEqualTo(lease.token());
    conflict(repositories().events().append(id, Append.next(lease), event("Late")), Reason.CLOSED);
    conflict(
        repositories()
            .events()
            .append(id, Append.after(lease, head(id).lastSequence()), event("Late")),
        Reason.CLOSED);
    assertThat(repositories().leases().heartbeat(lease)).isFalse();
    assertThat(repositories().leases().release(lease, io.wovyr.persistence.lease.Wake.now()))
        .isFalse();
  }

  @Test
  void closedFromOutsideTheOwnerLearnsIt() {
    UUID id = newExecution().id();
    Lease lease = running(id);

    move(id, CANCELLED, Append.signal("cancel"));

    conflict(repositories().events().append(id, Append.next(lease), event("Late")), Reason.CLOSED);
    assertThat(lease.isHeld()).isFalse();
  }

  @Test
  void everyChangeHasAnEventAndTheStateFollows() {
    UUID id = newExecution().id();
    Lease lease = running(id);
    move(id, WAITING, Append.next(lease));
    move(id, PAUSED, Append.signal("pause"));
    move(id, WAITING, Append.signal("resume"));
    move(id, COMPENSATING, Append.next(lease));
    move(id, COMPENSATED, Append.next(lease));

    List<WorkflowEvent> events = history(id);

    assertThat(execution(id).header().version()).isEqualTo(events.size());
    assertThat(events.subList(1, events.size()))
        .allMatch(event -> event.type().equals("wovyr.StatusChanged"));
    List<String> statuses = new ArrayList<>();
    for (int sequence = 1; sequence <= events.size(); sequence++) {
      statuses.add(
          repositories()
              .executions()
              .state(id, sequence)
              .get(Section.WORKFLOW, "status")
              .map(leaf -> repositories().open(leaf).content().utf8())
              .orElseThrow());
    }
    assertThat(statuses)
        .containsExactly(
            "CREATED", "RUNNING", "WAITING", "PAUSED", "WAITING", "COMPENSATING", "COMPENSATED");
  }

  @Test
  void anOutcomeIsStoredWithTheEndAndInTheState() {
    UUID id = newExecution().id();
    Lease lease = running(id);

    committed(
        repositories()
            .executions()
            .transition(
                execution(id),
                Transition.to(FAILED).withOutcome(Payload.text("no stock")),
                Append.next(lease)));

    assertThat(repositories().executions().outcome(execution(id)))
        .contains(Payload.text("no stock"));
    assertThat(
            repositories()
                .executions()
                .state(id)
                .get(Section.WORKFLOW, "outcome")
                .map(leaf -> repositories().open(leaf)))
        .contains(Payload.text("no stock"));
  }

  @Test
  void onlyAnEndHasAnOutcome() {
    UUID id = newExecution().id();

    assertThatThrownBy(
            () ->
                repositories()
                    .executions()
                    .transition(
                        execution(id),
                        Transition.to(RUNNING).withOutcome(Payload.text("no")),
                        Append.signal("run")))
        .isInstanceOf(InvalidInput.class);
    assertThat(types(id)).hasSize(1);
  }

  @Test
  void whoDecidedOnAnOldRecordLosesAndNothingIsWritten() {
    WorkflowExecution old = newExecution();
    move(old.id(), RUNNING, Append.signal("run"));
    WorkflowExecution now = execution(old.id());

    conflict(
        repositories()
            .executions()
            .transition(old, Transition.to(CANCELLED), Append.signal("cancel")),
        Reason.STALE_VERSION);
    Lease lease = acquire(old.id());
    conflict(
        repositories().executions().transition(old, Transition.to(CANCELLED), Append.next(lease)),
        Reason.STALE_VERSION);

    assertThat(execution(old.id())).isEqualTo(now);
    assertThat(types(old.id())).hasSize(2);
    assertThat(lease.isHeld()).as("the lease has nothing to do with it").isTrue();
  }

  @Test
  void ofManyWhoMoveItAtOnceOneWins() {
    WorkflowExecution before = brought(RUNNING);
    List<ExecutionStatus> wanted = List.of(WAITING, PAUSED, COMPLETED, CANCELLED);

    List<CommitResult> results =
        Together.run(
            16,
            i ->
                repositories()
                    .executions()
                    .transition(
                        before, Transition.to(wanted.get(i % 4)), Append.signal("try-" + i)));

    assertThat(results).filteredOn(CommitResult::isCommitted).hasSize(1);
    assertThat(execution(before.id()).header().version()).isEqualTo(before.header().version() + 1);
    assertThat(types(before.id())).hasSize(3);
  }

  @Test
  void severalStepsInOneUnitAreOneVersionAndAnEventEach() {
    WorkflowExecution before = newExecution();
    Lease lease = acquire(before.id());

    committed(
        repositories()
            .unitOfWork()
            .transition(before, Transition.to(RUNNING), Append.next(lease))
            .transition(before, Transition.to(COMPLETED), Append.next(lease))
            .commit());

    assertThat(execution(before.id()).status()).isEqualTo(COMPLETED);
    assertThat(execution(before.id()).header().version()).isEqualTo(2);
    assertThat(types(before.id())).hasSize(3);
  }

  @Test
  void listsByStatusInTheOrderOfIds() {
    List<UUID> running = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      UUID id = newExecution().id();
      if (i % 2 == 0) {
        move(id, RUNNING, Append.signal("run"));
        running.add(id);
      }
    }

    assertThat(listed(Optional.of(RUNNING), 2)).containsExactlyElementsOf(running);
    assertThat(listed(Optional.empty(), 3)).hasSize(7).isSorted();
    assertThat(listed(Optional.of(FAILED), 3)).isEmpty();
  }

  private List<UUID> listed(Optional<ExecutionStatus> status, int limit) {
    List<UUID> found = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      Page<WorkflowExecution> page = repositories().executions().list(status, limit, next);
      assertThat(page.items().size()).isLessThanOrEqualTo(limit);
      page.items().forEach(execution -> found.add(execution.id()));
      next = page.next();
    } while (next.isPresent());
    return found;
  }

  @Test
  void whatIsNotThereIsEmptyOrAConflict() {
    UUID nobody = UUID.randomUUID();

    assertThat(repositories().executions().find(nobody)).isEmpty();
    assertThat(repositories().executions().head(nobody)).isEmpty();
    assertThat(repositories().executions().findLive("nobody")).isEmpty();
    assertThatThrownBy(() -> repositories().executions().state(nobody))
        .isInstanceOf(InvalidInput.class);
    conflict(
        repositories().events().append(nobody, Append.signal("hello"), event("Hello")),
        Reason.NOT_FOUND);
    conflict(repositories().leases().unpark(nobody), Reason.NOT_FOUND);
  }

  @Test
  void whatIsMovedFromOutsideIsWhatIsStored() {
    WorkflowExecution stored = newExecution();
    WorkflowExecution forged =
        new WorkflowExecution(
            stored.header(),
            "smuggled",
            Optional.of("smuggled"),
            RUNNING,
            Optional.empty(),
            "smuggled",
            9,
            "sha-256:" + "0".repeat(64),
            Optional.of(UUID.randomUUID()),
            List.of("vip=yes"),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Instant.EPOCH);
    assertThatThrownBy(
            () ->
                repositories()
                    .executions()
                    .transition(forged, Transition.to(WAITING), Append.signal("wait")))
        .as("CREATED is stored")
        .isInstanceOf(IllegalTransition.class);

    committed(
        repositories().executions().transition(forged, Transition.to(PAUSED), Append.signal("p")));

    WorkflowExecution paused = execution(stored.id());
    assertThat(paused.pausedFrom()).contains(CREATED);
    assertThat(paused.workflowId()).isEqualTo(stored.workflowId());
    assertThat(paused.liveWorkflowId()).isEqualTo(stored.liveWorkflowId());
    assertThat(paused.definition()).isEqualTo(stored.definition());
    assertThat(paused.parentId()).isEmpty();
    assertThat(paused.searchAttributes()).isEqualTo(stored.searchAttributes());
    assertThat(paused.input()).isEqualTo(stored.input());
    assertThat(paused.startedAt()).isEqualTo(stored.startedAt());
  }
}
