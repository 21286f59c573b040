/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.Change;
import io.wovyr.persistence.CommitResult.Committed;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.IllegalTransition;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.UnknownKey;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.UnitOfWork;
import io.wovyr.persistence.activity.Activities;
import io.wovyr.persistence.activity.ActivityExecution;
import io.wovyr.persistence.activity.ActivityStatus;
import io.wovyr.persistence.activity.ActivityTimeouts;
import io.wovyr.persistence.activity.NewActivity;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.lease.AcquireResult;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.retry.FailedAttempt;
import io.wovyr.persistence.retry.Retries;
import io.wovyr.persistence.retry.RetryPolicy;
import io.wovyr.persistence.retry.RetryRecord;
import io.wovyr.persistence.retry.RetryStatus;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Activities and their retries: each step one commit with the event that tells of it. */
public abstract class ActivitiesContract extends RepositoryContract {
  private static final RetryPolicy POLICY =
      RetryPolicy.ofAttempts(3).withDelays(Duration.ofSeconds(8), Duration.ofSeconds(60));

  protected ActivitiesContract(TestStore.Factory stores) {
    super(stores);
  }

  private Activities activities() {
    return repositories().activities();
  }

  private Retries retries() {
    return repositories().retries();
  }

  private Committed step(Lease lease, String type, Change... changes) {
    var unit = repositories().unitOfWork();
    unit.append(lease.executionId(), Append.next(lease), event(type));
    for (Change change : changes) {
      unit.with(change);
    }
    return committed(unit.commit());
  }

  private ActivityExecution stepped(Lease lease, String type, Change change) {
    return only(step(lease, type, change), ActivityExecution.class);
  }

  private Lease started() {
    return running(newExecution().id());
  }

  @Test
  void anActivityGoesThroughItsLifeWithItsValues() {
    Lease lease = started();
    UUID id = lease.executionId();
    ActivityExecution scheduled =
        stepped(
            lease,
            "ChargeScheduled",
            activities()
                .schedule(
                    id, NewActivity.of("charge", "charge-card").withInput(Payload.text("EUR 42"))));
    assertThat(activities().open(10, Optional.empty()).items()).containsExactly(scheduled);

    ActivityExecution begun =
        stepped(lease, "ChargeStarted", activities().start(scheduled, "worker-1"));
    ActivityExecution alive =
        stepped(
            lease,
            "ChargeProgressed",
            activities().heartbeat(begun, Optional.of(Payload.text("half"))));
    ActivityExecution done =
        stepped(
            lease,
            "ChargeCompleted",
            activities().complete(alive, Optional.of(Payload.text("receipt 7"))));

    assertThat(activities().find(id, "charge")).contains(done);
    assertThat(done.status()).isEqualTo(ActivityStatus.COMPLETED);
    assertThat(done.attempt()).isEqualTo(1);
    assertThat(done.worker()).contains("worker-1");
    assertThat(activities().input(done)).contains(Payload.text("EUR 42"));
    assertThat(activities().heartbeatDetails(done)).contains(Payload.text("half"));
    assertThat(activities().result(done)).contains(Payload.text("receipt 7"));
    assertThat(activities().failure(done)).isEmpty();
    assertThat(activities().open(10, Optional.empty()).items()).isEmpty();
    assertThat(activities().list(id, 10, Optional.empty()).items()).containsExactly(done);
    assertThat(types(id))
        .endsWith("ChargeScheduled", "ChargeStarted", "ChargeProgressed", "ChargeCompleted");
  }

  @Test
  void anActivityBeginsWithOneChangeAndWaitsForTheNextAttemptWithOneMore() {
    Lease lease = started();
    UUID id = lease.executionId();
    ActivityExecution begun =
        stepped(
            lease,
            "Begun",
            activities()
                .begin(id, NewActivity.of("a", "t").withInput(Payload.text("in")), "worker-1"));
    assertThat(begun.status()).isEqualTo(ActivityStatus.STARTED);
    assertThat(begun.attempt()).isEqualTo(1);
    assertThat(begun.worker()).contains("worker-1");
    assertThat(activities().input(begun)).contains(Payload.text("in"));
    assertThat(begun.header().version()).isEqualTo(1);

    ActivityExecution waiting =
        stepped(lease, "Failed", activities().failAndReschedule(begun, Payload.text("busy")));
    assertThat(waiting.status()).isEqualTo(ActivityStatus.SCHEDULED);
    assertThat(waiting.attempt()).isEqualTo(1);
    assertThat(waiting.closedAt()).isEmpty();
    assertThat(activities().failure(waiting)).contains(Payload.text("busy"));
    assertThat(activities().open(10, Optional.empty()).items()).containsExactly(waiting);
    assertThatThrownBy(() -> activities().failAndReschedule(waiting, Payload.text("busy")))
        .isInstanceOf(IllegalTransition.class);
  }

  @Test
  void whoeverTakesOverGoesOnWithTheSameAttempt() {
    Lease lease = started();
    UUID id = lease.executionId();
    ActivityExecution begun =
        stepped(lease, "Begun", activities().begin(id, NewActivity.of("a", "t"), "worker-1"));
    ActivityExecution taken = stepped(lease, "TakenOver", activities().takeOver(begun, "worker-2"));
    assertThat(taken.attempt()).isEqualTo(1);
    assertThat(taken.worker()).contains("worker-2");
    assertThat(taken.status()).isEqualTo(ActivityStatus.STARTED);
    ActivityExecution done = stepped(lease, "Done", activities().complete(taken, Optional.empty()));
    assertThatThrownBy(() -> activities().takeOver(done, "worker-3"))
        .isInstanceOf(IllegalTransition.class);
  }

  @Test
  void aStepThatLosesItsRaceLeavesNeitherEventNorActivity() {
    Lease lease = started();
    UUID id = lease.executionId();
    ActivityExecution scheduled =
        stepped(lease, "Scheduled", activities().schedule(id, NewActivity.of("a", "t")));
    Change first = activities().start(scheduled, "one");
    Change second = activities().start(scheduled, "two");
    step(lease, "Started", first);

    conflict(
        repositories()
            .unitOfWork()
            .append(id, Append.next(lease), event("StartedTwice"))
            .with(second)
            .commit(),
        Reason.STALE_VERSION);
    assertThat(types(id)).doesNotContain("StartedTwice");
    assertThat(activities().find(id, "a").orElseThrow().worker()).contains("one");
    conflict(
        repositories()
            .unitOfWork()
            .append(id, Append.next(lease), event("Again"))
            .with(activities().schedule(id, NewActivity.of("a", "t")))
            .commit(),
        Reason.ALREADY_EXISTS);
  }

  @Test
  void aRepeatedStepIsRecognisedWithItsActivity() {
    Lease lease = started();
    UUID id = lease.executionId();
    long last = head(id).lastSequence();
    UUID eventId = UUID.randomUUID();
    for (int i = 0; i < 2; i++) {
      Committed done =
          committed(
              repositories()
                  .unitOfWork()
                  .append(id, Append.after(lease, last), event("Scheduled").withId(eventId))
                  .with(activities().schedule(id, NewActivity.of("a", "t")))
                  .commit());
      assertThat(only(done, ActivityExecution.class).activityId()).isEqualTo("a");
    }
    assertThat(types(id)).containsOnlyOnce("Scheduled");
  }

  @Test
  void whatItsStatusDoesNotAllowIsRefused() {
    Lease lease = started();
    ActivityExecution scheduled =
        stepped(lease, "S", activities().schedule(lease.executionId(), NewActivity.of("a", "t")));
    assertThatThrownBy(() -> activities().complete(scheduled, Optional.empty()))
        .isInstanceOf(IllegalTransition.class)
        .hasMessageContaining("SCHEDULED");
    assertThatThrownBy(() -> activities().heartbeat(scheduled, Optional.empty()))
        .isInstanceOf(IllegalTransition.class);
    ActivityExecution cancelled = stepped(lease, "C", activities().cancel(scheduled));
    assertThatThrownBy(() -> activities().start(cancelled, "w"))
        .isInstanceOf(IllegalTransition.class);
  }

  @Test
  void timeoutsAreThoseOfTheRecord() {
    Lease lease = started();
    ActivityTimeouts timeouts =
        ActivityTimeouts.NONE
            .withStartToClose(Duration.ofMinutes(5))
            .withHeartbeat(Duration.ofSeconds(30));
    ActivityExecution scheduled =
        stepped(
            lease,
            "S",
            activities()
                .schedule(lease.executionId(), NewActivity.of("a", "t").withTimeouts(timeouts)));
    assertThat(scheduled.timesOutAt()).isEmpty();
    ActivityExecution begun = stepped(lease, "B", activities().start(scheduled, "w"));
    assertThat(begun.timesOutAt())
        .contains(begun.startedAt().orElseThrow().plus(Duration.ofSeconds(30)));
    assertThatThrownBy(() -> timeouts.withHeartbeat(Duration.ZERO))
        .isInstanceOf(InvalidInput.class);
  }

  @Test
  void aChangeIsForItsOwnTenantOnly() {
    Lease lease = started();
    Change change = activities().schedule(lease.executionId(), NewActivity.of("a", "t"));
    var foreign = node().as(tenant() + "-other").unitOfWork();
    assertThatThrownBy(() -> foreign.with(change)).isInstanceOf(InvalidInput.class);
  }

  @ParameterizedTest
  @EnumSource(Unreadable.class)
  @DisplayName("C032: when a retry is due is never guessed past one that cannot be read")
  void whatIsDueNextIsNotToldPastARetryThatCannotBeRead(Unreadable how) {
    Lease lease = started();
    UUID id = lease.executionId();
    for (String activity : List.of("charge", "ship")) {
      step(
          lease,
          "Failed",
          retries().failed(id, activity, POLICY, "Timeout", Payload.text("no answer")).change());
    }
    Key key = Key.of(RecordTypes.RETRY, id, "charge");
    rawSpoil(key, how);

    how.refuses(() -> retries().nextDue(id), key);
    assertThat(retries().list(id, 10, Optional.empty()).items())
        .extracting(RetryRecord::activityId)
        .containsExactly("ship");
  }

  @Test
  @DisplayName("C089: attempt, delay, first failure and policy survive whoever dies")
  void aRetryIsFoundByAnotherProcessWithTheSameAttemptAndDelay() {
    Lease lease = started();
    UUID id = lease.executionId();
    ActivityExecution begun = begun(lease);
    Retries.Decision decision =
        retries().failed(id, "charge", POLICY, "Timeout", Payload.text("card 4711 refused"));
    Committed failed =
        step(
            lease,
            "ChargeFailed",
            activities().fail(begun, Payload.text("card 4711 refused")),
            decision.change());
    RetryRecord retry = only(failed, RetryRecord.class);
    Instant due = retry.nextAttemptAt().orElseThrow();
    assertThat(retries().nextDue(id)).contains(due);
    assertThat(repositories().leases().release(lease, Wake.at(due))).isTrue();
    boolean early = isDue(id);
    if (due.isAfter(time().now())) {
      assertThat(early).isFalse();
    }

    pass(Duration.between(time().now(), due).plusSeconds(1));
    assertThat(isDue(id)).isTrue();
    var other = newNode().as(tenant());
    Lease taken = acquire(other, id, "worker-2");
    RetryRecord found = other.retries().find(id, "charge").orElseThrow();
    assertThat(found).isEqualTo(retry);
    assertThat(found.policy()).isEqualTo(POLICY);
    assertThat(found.attempts()).isEqualTo(1);
    assertThat(found.lastDelay().orElseThrow()).isLessThanOrEqualTo(Duration.ofSeconds(8));
    assertThat(other.retries().reason(found)).contains(Payload.text("card 4711 refused"));
    ActivityExecution waiting = other.activities().find(id, "charge").orElseThrow();
    ActivityExecution again =
        only(
            committed(
                other
                    .unitOfWork()
                    .append(id, Append.next(taken), event("ChargeRescheduled"))
                    .with(other.activities().reschedule(waiting))
                    .commit()),
            ActivityExecution.class);
    ActivityExecution second =
        only(
            committed(
                other
                    .unitOfWork()
                    .append(id, Append.next(taken), event("ChargeStarted"))
                    .with(other.activities().start(again, "worker-2"))
                    .commit()),
            ActivityExecution.class);
    assertThat(second.attempt()).isEqualTo(2);
  }

  @ParameterizedTest(name = "the lease was freed: {0}")
  @ValueSource(booleans = {true, false})
  @DisplayName("C089: due while every worker is dead, it fires once, with its attempt and delay")
  void aRetryThatIsDueWhileEveryWorkerIsDeadFiresOnce(boolean freed) {
    RetryRecord retry = failedByAWorkerThatDied(freed);
    pass(Duration.ofSeconds(30).plus(TTL).plus(TTL));
    List<Node> processes = List.of(newNode(), newNode());
    List<ActivityExecution> begun = new ArrayList<>();
    // Without a store clock the first look at a lease that was not freed only begins to watch it.
    for (int round = 0; round < 3; round++) {
      Together.run(6, i -> tried(processes.get(i % 2), "worker-" + i, retry))
          .forEach(found -> found.ifPresent(begun::add));
      pass(TTL.plusSeconds(1));
    }

    UUID id = retry.executionId();
    assertThat(begun).hasSize(1);
    assertThat(begun.get(0).attempt()).isEqualTo(2);
    ActivityExecution done = activities().find(id, "charge").orElseThrow();
    assertThat(done.status()).isEqualTo(ActivityStatus.COMPLETED);
    assertThat(done.attempt()).isEqualTo(2);
    assertThat(types(id)).containsOnlyOnce("Retried", "Succeeded");
    RetryRecord over = retries().find(id, "charge").orElseThrow();
    assertThat(over.status()).isEqualTo(RetryStatus.SUCCEEDED);
    assertThat(over.attempts()).isEqualTo(1);
    assertThat(over.lastDelay()).isEqualTo(retry.lastDelay());
  }

  private RetryRecord failedByAWorkerThatDied(boolean freed) {
    Node dying = newNode();
    Repositories its = dying.as(tenant());
    UUID id = newExecution(its).id();
    Lease lease = acquire(its, id, "worker-0");
    ActivityExecution begun =
        only(
            committed(
                its.unitOfWork()
                    .append(id, Append.next(lease), event("Begun"))
                    .with(its.activities().begin(id, NewActivity.of("charge", "t"), "worker-0"))
                    .commit()),
            ActivityExecution.class);
    Retries.Decision decision =
        its.retries().failed(id, "charge", POLICY, "Timeout", Payload.text("no answer"));
    UnitOfWork failing =
        its.unitOfWork()
            .append(id, Append.next(lease), event("Failed"))
            .with(its.activities().failAndReschedule(begun, Payload.text("no answer")))
            .with(decision.change());
    if (freed) {
      failing.release(lease, Wake.at(decision.nextAttemptAt().orElseThrow()));
    }
    RetryRecord stored = only(committed(failing.commit()), RetryRecord.class);
    dying.close();
    return stored;
  }

  /** What a worker does that finds the execution due; empty when there was nothing to do for it. */
  private Optional<ActivityExecution> tried(Node process, String worker, RetryRecord expected) {
    Repositories its = process.as(tenant());
    UUID id = expected.executionId();
    if (!(its.leases().acquire(id, worker, TTL) instanceof AcquireResult.Acquired acquired)) {
      return Optional.empty();
    }
    Lease lease = acquired.lease();
    RetryRecord retry = its.retries().find(id, "charge").orElseThrow();
    if (retry.status() != RetryStatus.PENDING) {
      its.leases().release(lease, Wake.onSignal());
      return Optional.empty();
    }
    assertThat(retry).isEqualTo(expected);
    assertThat(retry.nextAttemptAt().orElseThrow()).isBefore(time().now());
    ActivityExecution waiting = its.activities().find(id, "charge").orElseThrow();
    ActivityExecution begun =
        only(
            committed(
                its.unitOfWork()
                    .append(id, Append.next(lease), event("Retried"))
                    .with(its.activities().start(waiting, worker))
                    .commit()),
            ActivityExecution.class);
    committed(
        its.unitOfWork()
            .append(id, Append.next(lease), event("Succeeded"))
            .with(its.activities().complete(begun, Optional.empty()))
            .with(its.retries().succeeded(retry))
            .release(lease, Wake.onSignal())
            .commit());
    return Optional.of(begun);
  }

  @Test
  @DisplayName("C089: three attempts, their workers killed between them, leave three reasons")
  void everyAttemptKeepsItsReasonAndItsDelay() {
    UUID id = newExecution().id();
    List<Retries.Decision> decisions = new ArrayList<>();
    for (int attempt = 1; attempt <= 3; attempt++) {
      Node worker = newNode();
      Repositories its = worker.as(tenant());
      Lease lease = takeOver(its, id, "worker-" + attempt);
      Payload reason = Payload.text("reason " + attempt);
      Retries.Decision decision =
          its.retries().failed(id, "charge", POLICY, "Error" + attempt, reason);
      committed(
          its.unitOfWork()
              .append(id, Append.next(lease), event("Failed"))
              .with(decision.change())
              .commit());
      decisions.add(decision);
      worker.close();
    }

    RetryRecord over = retries().find(id, "charge").orElseThrow();
    List<FailedAttempt> history = retries().history(over);
    assertThat(over.status()).isEqualTo(RetryStatus.EXHAUSTED);
    assertThat(history).extracting(FailedAttempt::attempt).containsExactly(1, 2, 3);
    assertThat(history)
        .extracting(FailedAttempt::error)
        .containsExactly("Error1", "Error2", "Error3");
    assertThat(history)
        .extracting(attempt -> attempt.reason().orElseThrow())
        .containsExactly(
            Payload.text("reason 1"), Payload.text("reason 2"), Payload.text("reason 3"));
    assertThat(history)
        .extracting(FailedAttempt::delay)
        .containsExactlyElementsOf(
            decisions.stream().map(decision -> decision.retry().lastDelay()).toList())
        .last()
        .isEqualTo(Optional.empty());
    assertThat(history)
        .extracting(FailedAttempt::failedAt)
        .containsExactlyElementsOf(
            decisions.stream().map(decision -> decision.retry().lastFailureAt()).toList());
    assertThat(retries().reason(over)).contains(Payload.text("reason 3"));
  }

  @Test
  void aHistoryIsBoundedInAttemptsAndInBytes() {
    Lease lease = started();
    UUID id = lease.executionId();
    RetryPolicy often = RetryPolicy.ofAttempts(1_000).withDelays(Duration.ZERO, Duration.ZERO);
    Payload large = Payload.text("x".repeat(2_000));
    for (int attempt = 1; attempt <= 60; attempt++) {
      step(lease, "F", retries().failed(id, "a", often, "E", large).change());
    }
    RetryRecord retry = retries().find(id, "a").orElseThrow();
    assertThat(retry.attempts()).isEqualTo(60);
    assertThat(retry.reason().orElseThrow().length())
        .isBetween(FailedAttempt.MOST_BYTES * 3L / 4, (long) FailedAttempt.MOST_BYTES);
    List<FailedAttempt> history = retries().history(retry);
    assertThat(history)
        .extracting(FailedAttempt::attempt)
        .containsExactlyElementsOf(
            IntStream.rangeClosed(61 - FailedAttempt.MOST_KEPT, 60).boxed().toList());
    assertThat(history.get(0).reason()).isEmpty();
    assertThat(history.subList(25, FailedAttempt.MOST_KEPT))
        .allMatch(attempt -> attempt.reason().equals(Optional.of(large)));
    Payload larger = Payload.text("y".repeat(FailedAttempt.MOST_BYTES + 1));
    RetryRecord last =
        only(
            step(lease, "F", retries().failed(id, "a", often, "E", larger).change()),
            RetryRecord.class);
    assertThat(retries().reason(last)).as("the newest is kept whole").contains(larger);
  }

  @Test
  void noReasonIsTakenForAHistory() {
    Lease lease = started();
    Payload reserved = new Payload("application/vnd.wovyr.attempts", Bytes.utf8("any"));
    assertThatThrownBy(() -> retries().failed(lease.executionId(), "a", POLICY, "E", reserved))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("reserved");
  }

  @Test
  void aDamagedReasonKeepsNobodyFromFailing() {
    Lease lease = started();
    UUID id = lease.executionId();
    step(lease, "F1", retries().failed(id, "a", POLICY, "E1", Payload.text("one")).change());
    rawReplace(
        Key.of(RecordTypes.RETRY, id, "a"),
        "reason",
        whole -> {
          byte[] damaged = whole.encode().toByteArray();
          damaged[damaged.length - 1] ^= 1;
          return StoredPayload.decode(Bytes.wrap(damaged));
        });
    RetryRecord unreadable = retries().find(id, "a").orElseThrow();
    assertThatThrownBy(() -> retries().history(unreadable)).isInstanceOf(Corrupt.class);
    assertThatThrownBy(() -> retries().reason(unreadable)).isInstanceOf(Corrupt.class);

    step(lease, "F2", retries().failed(id, "a", POLICY, "E2", Payload.text("two")).change());

    RetryRecord retry = retries().find(id, "a").orElseThrow();
    assertThat(retry.attempts()).isEqualTo(2);
    assertThat(retries().history(retry))
        .as("its number says that one before it is missing")
        .extracting(FailedAttempt::attempt)
        .containsExactly(2);
  }

  @Test
  void aReasonWhoseKeyIsGoneKeepsNobodyFromFailing() {
    Lease lease = started();
    UUID id = lease.executionId();
    step(lease, "F1", retries().failed(id, "a", POLICY, "E1", Payload.text("one")).change());
    rawReplace(Key.of(RecordTypes.RETRY, id, "a"), "reason", RepositoryContract::underALostKey);
    RetryRecord unreadable = retries().find(id, "a").orElseThrow();
    assertThatThrownBy(() -> retries().history(unreadable))
        .isInstanceOf(UnknownKey.class)
        .hasMessageContaining(unreadable.header().id().toString());

    step(lease, "F2", retries().failed(id, "a", POLICY, "E2", Payload.text("two")).change());

    RetryRecord retry = retries().find(id, "a").orElseThrow();
    assertThat(retry.attempts()).isEqualTo(2);
    assertThat(retries().history(retry)).extracting(FailedAttempt::attempt).containsExactly(2);
  }

  @Test
  void aDamagedLengthOfAReasonKeepsNobodyFromFailing() {
    Lease lease = started();
    UUID id = lease.executionId();
    step(lease, "F1", retries().failed(id, "a", POLICY, "E1", Payload.text("one")).change());
    rawReplace(
        Key.of(RecordTypes.RETRY, id, "a"),
        "reason",
        whole ->
            new StoredPayload(
                whole.contentType(),
                whole.sealing(),
                whole.compression(),
                whole.keyId(),
                whole.commitment(),
                whole.length() | 1L << 40,
                whole.body()));
    RetryRecord unreadable = retries().find(id, "a").orElseThrow();
    assertThatThrownBy(() -> retries().history(unreadable)).isInstanceOf(Corrupt.class);
    assertThatThrownBy(() -> retries().reason(unreadable)).isInstanceOf(Corrupt.class);

    step(lease, "F2", retries().failed(id, "a", POLICY, "E2", Payload.text("two")).change());

    assertThat(retries().history(retries().find(id, "a").orElseThrow()))
        .extracting(FailedAttempt::attempt)
        .containsExactly(2);
  }

  private ActivityExecution begun(Lease lease) {
    ActivityExecution scheduled =
        stepped(
            lease, "S", activities().schedule(lease.executionId(), NewActivity.of("charge", "t")));
    return stepped(lease, "B", activities().start(scheduled, "worker-1"));
  }

  @Test
  void attemptsAreCountedUntilTheyAreExhausted() {
    Lease lease = started();
    UUID id = lease.executionId();
    for (int attempt = 1; attempt <= 3; attempt++) {
      Retries.Decision decision =
          retries().failed(id, "a", POLICY, "Broken", Payload.text("no " + attempt));
      RetryRecord stored = only(step(lease, "F" + attempt, decision.change()), RetryRecord.class);
      assertThat(stored.attempts()).isEqualTo(attempt);
      assertThat(stored.status())
          .isEqualTo(attempt < 3 ? RetryStatus.PENDING : RetryStatus.EXHAUSTED);
    }
    RetryRecord exhausted = retries().find(id, "a").orElseThrow();
    assertThat(exhausted.nextAttemptAt()).isEmpty();
    assertThat(retries().nextDue(id)).isEmpty();
    assertThat(retries().exhausted(10, Optional.empty()).items()).containsExactly(exhausted);
    assertThat(retries().pending(10, Optional.empty()).items()).isEmpty();
  }

  @Test
  void whatIsNotRetriedIsExhaustedAtOnce() {
    Lease lease = started();
    RetryPolicy policy = POLICY.withNonRetryable("CardStolen");
    Retries.Decision decision =
        retries().failed(lease.executionId(), "a", policy, "CardStolen", Payload.text("stolen"));
    assertThat(decision.nextAttemptAt()).isEmpty();
    assertThat(only(step(lease, "F", decision.change()), RetryRecord.class).status())
        .isEqualTo(RetryStatus.EXHAUSTED);
  }

  @Test
  void twoThatFailTheSameAttemptAreOneFailure() {
    Lease lease = started();
    UUID id = lease.executionId();
    step(lease, "F1", retries().failed(id, "a", POLICY, "E", Payload.text("1")).change());
    Change one = retries().failed(id, "a", POLICY, "E", Payload.text("2")).change();
    Change other = retries().failed(id, "a", POLICY, "E", Payload.text("2")).change();
    step(lease, "F2", one);
    conflict(
        repositories()
            .unitOfWork()
            .append(id, Append.next(lease), event("F2again"))
            .with(other)
            .commit(),
        Reason.STALE_VERSION);
    assertThat(retries().find(id, "a").orElseThrow().attempts()).isEqualTo(2);
  }

  @Test
  void anOperatorMakesARetryDueNow() {
    Lease lease = started();
    UUID id = lease.executionId();
    RetryPolicy slow = POLICY.withDelays(Duration.ofHours(5), Duration.ofHours(9));
    step(lease, "F", retries().failed(id, "a", slow, "E", Payload.text("1")).change());
    RetryRecord pending = retries().find(id, "a").orElseThrow();
    assertThat(
            repositories().leases().release(lease, Wake.at(pending.nextAttemptAt().orElseThrow())))
        .isTrue();

    RetryRecord now = only(committed(retries().retryNow(pending)), RetryRecord.class);

    assertThat(now.nextAttemptAt().orElseThrow()).isBeforeOrEqualTo(time().now());
    assertThat(now.attempts()).isEqualTo(1);
    assertThat(isDue(id)).isTrue();
    committed(retries().retryNow(pending));
    assertThat(types(id)).as("asked twice, it is asked once").containsOnlyOnce("wovyr.RetryNow");
  }

  @Test
  void makingARetryDueChangesNothingElseOfIt() {
    Lease lease = started();
    UUID id = lease.executionId();
    RetryPolicy once = RetryPolicy.ofAttempts(1);
    step(lease, "F", retries().failed(id, "a", once, "E", Payload.text("why")).change());
    RetryRecord exhausted = retries().find(id, "a").orElseThrow();

    RetryRecord future = forged(exhausted, exhausted.header().next(time().now(), "forger"));
    conflict(retries().retryNow(future), Reason.STALE_VERSION);
    assertThat(retries().find(id, "a")).contains(exhausted);
    committed(retries().retryNow(forged(exhausted, exhausted.header())));

    RetryRecord now = retries().find(id, "a").orElseThrow();
    assertThat(now.status()).isEqualTo(RetryStatus.PENDING);
    assertThat(now.attempts()).isEqualTo(1);
    assertThat(now.maxAttempts()).isEqualTo(2);
    assertThat(now.lastError()).isEqualTo("E");
    assertThat(retries().reason(now)).contains(Payload.text("why"));
  }

  private static RetryRecord forged(RetryRecord retry, RecordHeader header) {
    return new RetryRecord(
        header,
        retry.executionId(),
        retry.activityId(),
        RetryStatus.PENDING,
        0,
        1_000,
        retry.initialDelay(),
        retry.multiplierPercent(),
        retry.maxDelay(),
        List.of(),
        retry.lastDelay(),
        Optional.of(retry.lastFailureAt()),
        retry.firstFailureAt(),
        retry.lastFailureAt(),
        "nothing to see",
        Optional.empty());
  }

  /** Earlier versions stored what is refused when it is given today. */
  @Test
  void aRetryGoesOnThoughItsStoredDelaysAreLongerThanIsAllowed() {
    Lease lease = started();
    UUID id = lease.executionId();
    step(lease, "F", retries().failed(id, "a", POLICY, "E", Payload.text("1")).change());
    Row stored = rawRow(Key.of(RecordTypes.RETRY, id, "a"));
    Row longer =
        stored
            .with("initialDelay", Long.MAX_VALUE / 2)
            .with("maxDelay", Long.MAX_VALUE)
            .with(stored.header().next(time().now(), "past the library"));
    rawCommit(new Mutation.Update(stored, longer));
    RetryRecord read = retries().find(id, "a").orElseThrow();
    assertThat(read.maxDelay()).isGreaterThan(Duration.ofDays(36_500));
    assertThat(read.policy().maxDelay()).isEqualTo(Duration.ofDays(36_500));

    RetryRecord again =
        only(
            step(lease, "F2", retries().failed(id, "a", POLICY, "E", Payload.text("2")).change()),
            RetryRecord.class);

    assertThat(again.attempts()).isEqualTo(2);
    assertThat(again.lastDelay().orElseThrow()).isBetween(Duration.ZERO, Duration.ofDays(36_500));
    committed(retries().retryNow(again));
  }

  @Test
  void delaysAreSpreadEvenlyBelowTheirCeiling() {
    Lease lease = started();
    Set<Duration> drawn = new HashSet<>();
    RetryPolicy policy =
        RetryPolicy.ofAttempts(9).withDelays(Duration.ofSeconds(10), Duration.ofSeconds(25));
    for (int i = 0; i < 200; i++) {
      Retries.Decision decision =
          retries().failed(lease.executionId(), "a", policy, "E", Payload.text("x"));
      Duration delay = decision.retry().lastDelay().orElseThrow();
      assertThat(delay).isBetween(Duration.ZERO, Duration.ofSeconds(10));
      drawn.add(delay);
    }
    assertThat(drawn).hasSizeGreaterThan(190);
    assertThat(drawn).anyMatch(delay -> delay.compareTo(Duration.ofSeconds(2)) < 0);
    assertThat(drawn).anyMatch(delay -> delay.compareTo(Duration.ofSeconds(8)) > 0);
    assertThat(policy.ceiling(2)).isEqualTo(Duration.ofSeconds(20));
    assertThat(policy.ceiling(3)).isEqualTo(Duration.ofSeconds(25));
    assertThat(policy.ceiling(500)).isEqualTo(Duration.ofSeconds(25));
  }
}
