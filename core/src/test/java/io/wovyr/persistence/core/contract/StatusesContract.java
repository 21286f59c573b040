/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Change;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Committed;
import io.wovyr.persistence.PersistenceException.IllegalTransition;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.UnitOfWork;
import io.wovyr.persistence.activity.Activities;
import io.wovyr.persistence.activity.ActivityExecution;
import io.wovyr.persistence.activity.ActivityStatus;
import io.wovyr.persistence.activity.NewActivity;
import io.wovyr.persistence.compensation.CompensationRecord;
import io.wovyr.persistence.compensation.CompensationStatus;
import io.wovyr.persistence.compensation.Compensations;
import io.wovyr.persistence.compensation.NewCompensation;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.retry.Retries;
import io.wovyr.persistence.retry.RetryPolicy;
import io.wovyr.persistence.retry.RetryRecord;
import io.wovyr.persistence.retry.RetryStatus;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Activities, retries and compensations: every operation in every status, what it leads to or that
 * it is refused.
 */
public abstract class StatusesContract extends RepositoryContract {
  private static final Payload WHY = Payload.text("why");
  private static final RetryPolicy TWICE = RetryPolicy.ofAttempts(2);

  /** What leads from where to where; whatever is not here is refused. */
  private static final Map<ActivityStatus, Map<String, ActivityStatus>> ACTIVITY =
      Map.of(
          ActivityStatus.SCHEDULED,
          Map.of(
              "start", ActivityStatus.STARTED,
              "timeOut", ActivityStatus.TIMED_OUT,
              "cancel", ActivityStatus.CANCELLED),
          ActivityStatus.STARTED,
          Map.of(
              "takeOver", ActivityStatus.STARTED,
              "heartbeat", ActivityStatus.STARTED,
              "complete", ActivityStatus.COMPLETED,
              "fail", ActivityStatus.FAILED,
              "failAndReschedule", ActivityStatus.SCHEDULED,
              "timeOut", ActivityStatus.TIMED_OUT,
              "cancel", ActivityStatus.CANCELLED),
          ActivityStatus.FAILED,
          Map.of("reschedule", ActivityStatus.SCHEDULED),
          ActivityStatus.TIMED_OUT,
          Map.of("reschedule", ActivityStatus.SCHEDULED),
          ActivityStatus.COMPLETED,
          Map.of(),
          ActivityStatus.CANCELLED,
          Map.of());

  private static final Map<RetryStatus, Map<String, RetryStatus>> RETRY =
      Map.of(
          RetryStatus.PENDING,
          Map.of(
              "failed", RetryStatus.EXHAUSTED,
              "succeeded", RetryStatus.SUCCEEDED,
              "cancelled", RetryStatus.CANCELLED,
              "retryNow", RetryStatus.PENDING),
          RetryStatus.EXHAUSTED,
          Map.of("retryNow", RetryStatus.PENDING),
          RetryStatus.SUCCEEDED,
          Map.of(),
          RetryStatus.CANCELLED,
          Map.of());

  private static final Map<CompensationStatus, Map<String, CompensationStatus>> COMPENSATION =
      Map.of(
          CompensationStatus.REGISTERED,
          Map.of("start", CompensationStatus.RUNNING, "skip", CompensationStatus.SKIPPED),
          CompensationStatus.RUNNING,
          Map.of(
              "start", CompensationStatus.RUNNING,
              "complete", CompensationStatus.COMPENSATED,
              "fail", CompensationStatus.FAILED,
              "skip", CompensationStatus.SKIPPED),
          CompensationStatus.FAILED,
          Map.of("start", CompensationStatus.RUNNING, "skip", CompensationStatus.SKIPPED),
          CompensationStatus.COMPENSATED,
          Map.of(),
          CompensationStatus.SKIPPED,
          Map.of());

  protected StatusesContract(TestStore.Factory stores) {
    super(stores);
  }

  private static <S> Set<String> operations(Map<S, Map<String, S>> table) {
    Set<String> operations = new HashSet<>();
    table.values().forEach(row -> operations.addAll(row.keySet()));
    return operations;
  }

  private Committed step(Lease lease, Change change) {
    return committed(
        repositories()
            .unitOfWork()
            .append(lease.executionId(), Append.next(lease), event("Step"))
            .with(change)
            .commit());
  }

  // Activities.

  private ActivityExecution activity(Lease lease, String id, ActivityStatus status) {
    Activities all = repositories().activities();
    ActivityExecution scheduled =
        only(
            step(lease, all.schedule(lease.executionId(), NewActivity.of(id, "t"))),
            ActivityExecution.class);
    if (status == ActivityStatus.SCHEDULED) {
      return scheduled;
    }
    ActivityExecution started =
        only(step(lease, all.start(scheduled, "worker-1")), ActivityExecution.class);
    return switch (status) {
      case COMPLETED -> only(step(lease, all.complete(started, Optional.empty())), started);
      case FAILED -> only(step(lease, all.fail(started, WHY)), started);
      case TIMED_OUT -> only(step(lease, all.timeOut(started, WHY)), started);
      case CANCELLED -> only(step(lease, all.cancel(started)), started);
      default -> started;
    };
  }

  @SuppressWarnings("unchecked")
  private static <T> T only(Committed committed, T like) {
    return only(committed, (Class<T>) like.getClass());
  }

  private Change activityChange(String operation, ActivityExecution before) {
    Activities all = repositories().activities();
    return switch (operation) {
      case "start" -> all.start(before, "worker-2");
      case "takeOver" -> all.takeOver(before, "worker-2");
      case "heartbeat" -> all.heartbeat(before, Optional.of(WHY));
      case "complete" -> all.complete(before, Optional.of(WHY));
      case "fail" -> all.fail(before, WHY);
      case "failAndReschedule" -> all.failAndReschedule(before, WHY);
      case "timeOut" -> all.timeOut(before, WHY);
      case "cancel" -> all.cancel(before);
      case "reschedule" -> all.reschedule(before);
      default -> throw new IllegalArgumentException(operation);
    };
  }

  @Test
  void anActivityMovesOnlyAsItsStatusAllows() {
    Lease lease = running(newExecution().id());
    for (ActivityStatus from : ActivityStatus.values()) {
      for (String operation : operations(ACTIVITY)) {
        ActivityExecution before = activity(lease, from + "-" + operation, from);
        assertThat(before.status()).isEqualTo(from);
        ActivityStatus to = ACTIVITY.get(from).get(operation);
        if (to == null) {
          assertThatThrownBy(() -> activityChange(operation, before))
              .as("%s when %s", operation, from)
              .isInstanceOf(IllegalTransition.class)
              .hasMessageContainingAll(before.activityId(), from.name());
        } else {
          ActivityExecution after = only(step(lease, activityChange(operation, before)), before);
          assertThat(after.status()).as("%s when %s", operation, from).isEqualTo(to);
          assertThat(after.openSince().isPresent()).isEqualTo(to.isOpen());
        }
      }
    }
  }

  // Retries.

  private RetryRecord retry(Lease lease, String activity, RetryStatus status) {
    Retries all = repositories().retries();
    UUID id = lease.executionId();
    RetryRecord pending =
        only(step(lease, all.failed(id, activity, TWICE, "E", WHY).change()), RetryRecord.class);
    return switch (status) {
      case PENDING -> pending;
      case EXHAUSTED ->
          only(step(lease, all.failed(id, activity, TWICE, "E", WHY).change()), pending);
      case SUCCEEDED -> only(step(lease, all.succeeded(pending)), pending);
      case CANCELLED -> only(step(lease, all.cancelled(pending)), pending);
    };
  }

  private CommitResult retryStep(Lease lease, String operation, RetryRecord before) {
    Retries all = repositories().retries();
    return switch (operation) {
      case "failed" ->
          step(
              lease,
              all.failed(before.executionId(), before.activityId(), TWICE, "E", WHY).change());
      case "succeeded" -> step(lease, all.succeeded(before));
      case "cancelled" -> step(lease, all.cancelled(before));
      case "retryNow" -> all.retryNow(before);
      default -> throw new IllegalArgumentException(operation);
    };
  }

  @Test
  void aRetryMovesOnlyAsItsStatusAllows() {
    Lease lease = running(newExecution().id());
    for (RetryStatus from : RetryStatus.values()) {
      for (String operation : operations(RETRY)) {
        RetryRecord before = retry(lease, from + "-" + operation, from);
        assertThat(before.status()).isEqualTo(from);
        RetryStatus to = RETRY.get(from).get(operation);
        if (to == null) {
          assertThatThrownBy(() -> retryStep(lease, operation, before))
              .as("%s when %s", operation, from)
              .isInstanceOf(IllegalTransition.class)
              .hasMessageContainingAll(before.activityId(), from.name());
          assertThat(repositories().retries().find(lease.executionId(), before.activityId()))
              .contains(before);
        } else {
          RetryRecord after = only(committed(retryStep(lease, operation, before)), before);
          assertThat(after.status()).as("%s when %s", operation, from).isEqualTo(to);
          assertThat(from.next()).contains(to);
        }
      }
    }
  }

  @Test
  void whatAnOperatorGaveOneMoreAttemptCountsOnAndIsExhaustedAgain() {
    Lease lease = running(newExecution().id());
    RetryRecord exhausted = retry(lease, "a", RetryStatus.EXHAUSTED);
    RetryRecord again = only(committed(repositories().retries().retryNow(exhausted)), exhausted);
    assertThat(again.attempts()).isEqualTo(2);
    RetryRecord over = only(committed(retryStep(lease, "failed", again)), exhausted);
    assertThat(over.attempts()).isEqualTo(3);
    assertThat(over.status()).isEqualTo(RetryStatus.EXHAUSTED);
    assertThat(over.firstFailureAt()).isEqualTo(exhausted.firstFailureAt());
  }

  // Compensations.

  private CompensationRecord entry(Lease lease, CompensationStatus status) {
    Compensations all = repositories().compensations();
    CompensationRecord pushed =
        only(
            step(lease, all.push(lease.executionId(), NewCompensation.of("a", "undo-a"))),
            CompensationRecord.class);
    if (status == CompensationStatus.REGISTERED) {
      return pushed;
    }
    CompensationRecord begun = only(step(lease, all.start(pushed)), pushed);
    return switch (status) {
      case FAILED -> only(step(lease, all.fail(begun, "E", WHY, Optional.empty())), pushed);
      case COMPENSATED -> only(step(lease, all.complete(begun, Optional.empty())), pushed);
      case SKIPPED -> only(step(lease, all.skip(begun, WHY)), pushed);
      default -> begun;
    };
  }

  private Change entryChange(String operation, CompensationRecord before) {
    Compensations all = repositories().compensations();
    return switch (operation) {
      case "start" -> all.start(before);
      case "complete" -> all.complete(before, Optional.of(WHY));
      case "fail" -> all.fail(before, "E", WHY, Optional.empty());
      case "skip" -> all.skip(before, WHY);
      default -> throw new IllegalArgumentException(operation);
    };
  }

  @Test
  void aCompensationMovesOnlyAsItsStatusAllows() {
    for (CompensationStatus from : CompensationStatus.values()) {
      for (String operation : operations(COMPENSATION)) {
        Lease lease = running(newExecution().id());
        CompensationRecord before = entry(lease, from);
        assertThat(before.status()).isEqualTo(from);
        CompensationStatus to = COMPENSATION.get(from).get(operation);
        if (to == null) {
          assertThatThrownBy(() -> entryChange(operation, before))
              .as("%s when %s", operation, from)
              .isInstanceOf(IllegalTransition.class)
              .hasMessageContaining(from.name());
        } else {
          CompensationRecord after = only(step(lease, entryChange(operation, before)), before);
          assertThat(after.status()).as("%s when %s", operation, from).isEqualTo(to);
        }
      }
    }
  }

  @Test
  void noTwoChangesOfOneRecordMeetInAUnitOfWork() {
    Lease lease = running(newExecution().id());
    ActivityExecution begun = activity(lease, "a", ActivityStatus.STARTED);
    RetryRecord retry = retry(lease, "a", RetryStatus.PENDING);
    CompensationRecord entry = entry(lease, CompensationStatus.RUNNING);
    List<List<Change>> pairs =
        List.of(
            List.of(activityChange("complete", begun), activityChange("cancel", begun)),
            List.of(activityChange("takeOver", begun), activityChange("heartbeat", begun)),
            List.of(
                repositories().retries().succeeded(retry),
                repositories().retries().cancelled(retry)),
            List.of(entryChange("complete", entry), entryChange("fail", entry)));
    for (List<Change> pair : pairs) {
      UnitOfWork unit =
          repositories()
              .unitOfWork()
              .append(lease.executionId(), Append.next(lease), event("Both"))
              .with(pair.get(0));
      assertThatThrownBy(() -> unit.with(pair.get(1)))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("changed twice");
    }
  }

  @Test
  void theTablesOfTheApiAreThese() {
    for (ActivityStatus from : ActivityStatus.values()) {
      Set<ActivityStatus> reached = EnumSet.noneOf(ActivityStatus.class);
      reached.addAll(ACTIVITY.get(from).values());
      reached.remove(from);
      if (from == ActivityStatus.STARTED) {
        reached.remove(ActivityStatus.SCHEDULED); // by way of FAILED
      }
      assertThat(from.next()).as("%s", from).isEqualTo(reached);
    }
    for (RetryStatus from : RetryStatus.values()) {
      assertThat(from.next()).as("%s", from).isEqualTo(Set.copyOf(RETRY.get(from).values()));
    }
    for (CompensationStatus from : CompensationStatus.values()) {
      Set<CompensationStatus> reached = EnumSet.noneOf(CompensationStatus.class);
      reached.addAll(COMPENSATION.get(from).values());
      reached.remove(from);
      assertThat(from.next()).as("%s", from).isEqualTo(reached);
    }
  }
}
