/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.activity.ActivityStatus;
import io.wovyr.persistence.compensation.CompensationStatus;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.retry.RetryStatus;
import io.wovyr.samples.ordersaga.Evidence.ActivityFact;
import io.wovyr.samples.ordersaga.Evidence.Execution;
import io.wovyr.samples.ordersaga.Evidence.Facts;
import io.wovyr.samples.ordersaga.Evidence.Fires;
import io.wovyr.samples.ordersaga.Evidence.Head;
import io.wovyr.samples.ordersaga.Evidence.Logged;
import io.wovyr.samples.ordersaga.Evidence.RetryFact;
import io.wovyr.samples.ordersaga.Evidence.UndoFact;
import io.wovyr.samples.ordersaga.Evidence.What;
import io.wovyr.samples.ordersaga.LedgerRecord.Performed;
import io.wovyr.samples.ordersaga.SagaState.Mark;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RecordProofsTest {
  private static final UUID ID = new UUID(7, 7);
  private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private ExecutionStatus status = ExecutionStatus.COMPENSATED;
  private final List<Logged> events = new ArrayList<>();
  private final List<LedgerRecord> ledger = new ArrayList<>();
  private final List<ActivityFact> activities = new ArrayList<>();
  private final List<RetryFact> retries = new ArrayList<>();
  private final List<UndoFact> stack = new ArrayList<>();
  private final Map<UUID, Execution> settlements = new HashMap<>();
  private Fires fires = new Fires(2, List.of(NOON, NOON.plusSeconds(2)), MINUTE);

  /** An order that was charged at the second try, could not be shipped, and was taken back. */
  RecordProofsTest() {
    attempt("reserve-stock", 1, Mark.DONE);
    attempt("charge", 1, Mark.WAITING);
    attempt("charge", 2, Mark.DONE);
    attempt("ship", 1, Mark.FAILED);
    attempt("refund", 1, Mark.DONE);
    attempt("release-stock", 1, Mark.DONE);
    activities.add(new ActivityFact("charge", ActivityStatus.COMPLETED, 2));
    activities.add(new ActivityFact("refund", ActivityStatus.COMPLETED, 1));
    activities.add(new ActivityFact("release-stock", ActivityStatus.COMPLETED, 1));
    activities.add(new ActivityFact("reserve-stock", ActivityStatus.COMPLETED, 1));
    activities.add(new ActivityFact("ship", ActivityStatus.FAILED, 1));
    retries.add(retry("charge", RetryStatus.SUCCEEDED, 1, Duration.ofMillis(40)));
    retries.add(retry("ship", RetryStatus.EXHAUSTED, 1, Duration.ZERO));
    stack.add(undo(1, "reserve-stock", "release-stock", CompensationStatus.COMPENSATED));
    stack.add(undo(2, "charge", "refund", CompensationStatus.COMPENSATED));
    settlement(1, NOON, NOON);
    settlement(2, NOON.plusSeconds(2), NOON.plusSeconds(3));
  }

  private void attempt(String activity, int number, Mark mark) {
    String key = activity + "/" + number;
    log(new What.Started(key, false, false));
    log(new What.Ended(key, mark, 1));
    Answer.Kind kind = mark == Mark.DONE ? Answer.Kind.DONE : Answer.Kind.TRY_AGAIN;
    ledger.add(new Performed(ID, 1, key, new Answer(kind, "answer")));
  }

  private void log(What what) {
    events.add(new Logged(events.size() + 1L, 1, new UUID(9, events.size()), what));
  }

  private static RetryFact retry(String activity, RetryStatus status, int attempts, Duration last) {
    return new RetryFact(activity, status, attempts, 5, Optional.of(last), Duration.ofMillis(60));
  }

  private static UndoFact undo(
      int position, String activity, String action, CompensationStatus status) {
    return new UndoFact(position, activity, action, status);
  }

  private void settlement(int number, Instant time, Instant createdAt) {
    UUID id = new UUID(8, number);
    settlements.put(
        id,
        execution(
            id,
            Workflow.SETTLEMENT,
            "settlement@" + time,
            ExecutionStatus.COMPLETED,
            createdAt,
            List.of(),
            new Facts(List.of(), List.of(), List.of())));
  }

  private static Execution execution(
      UUID id,
      Workflow workflow,
      String order,
      ExecutionStatus status,
      Instant createdAt,
      List<Logged> events,
      Facts facts) {
    return new Execution(
        id,
        workflow,
        order,
        status,
        createdAt,
        new Head(events.size(), true, false),
        events,
        facts,
        Optional.of("1:abc"),
        Optional.empty());
  }

  private Proof proof(int number) {
    Map<UUID, Execution> all = new HashMap<>(settlements);
    Facts facts = new Facts(activities, retries, stack);
    all.put(ID, execution(ID, Workflow.ORDER_SAGA, "A-1", status, NOON, events, facts));
    return Proofs.of(new Evidence(all, ledger, Map.of(), Optional.of(fires))).get(number - 1);
  }

  private void fails(int number, String why) {
    assertThat(proof(number).examples()).anySatisfy(example -> assertThat(example).contains(why));
  }

  @Test
  void allHoldForARightRun() {
    for (int number = 4; number <= 6; number++) {
      assertThat(proof(number).examples()).isEmpty();
      assertThat(proof(number).checked()).isPositive();
    }
  }

  @Test
  void failsWhenAnActivityIsOpen() {
    activities.set(0, new ActivityFact("charge", ActivityStatus.SCHEDULED, 2));
    fails(4, "A-1: charge is still open");
  }

  @Test
  void failsWhenAnActivityCountsOtherAttemptsThanTheLog() {
    activities.set(0, new ActivityFact("charge", ActivityStatus.COMPLETED, 3));
    fails(4, "A-1: charge has 3 attempts, 2 are logged");
  }

  @Test
  void failsWhenAnActivityHasNoRecord() {
    activities.remove(0);
    fails(4, "A-1: it has 4 activities, 5 are logged");
  }

  @Test
  void failsWhenAnActivityEndedOtherwiseThanTheLog() {
    activities.set(4, new ActivityFact("ship", ActivityStatus.COMPLETED, 1));
    fails(4, "A-1: ship is COMPLETED, its last attempt is logged as FAILED");
  }

  /** C089: what the retry counts is what happened. */
  @Test
  void failsWhenARetryCountsOtherFailuresThanTheLog() {
    retries.set(0, retry("charge", RetryStatus.SUCCEEDED, 2, Duration.ZERO));
    fails(4, "A-1: 1 failures of charge are logged, its retry knows 2");
  }

  @Test
  void failsWhenAFailureHasNoRetry() {
    retries.remove(0);
    fails(4, "A-1: 1 failures of charge are logged, its retry knows 0");
  }

  @Test
  void failsWhenSomethingWasTriedMoreOftenThanItsPolicyAllows() {
    for (int number = 2; number <= 6; number++) {
      attempt("ship", number, Mark.FAILED);
    }
    fails(4, "A-1: ship was tried 6 times, its policy allows 5");
  }

  @Test
  void failsWhenARetryIsStillPending() {
    retries.set(0, retry("charge", RetryStatus.PENDING, 1, Duration.ZERO));
    fails(4, "A-1: the retry of charge is PENDING, should be SUCCEEDED");
  }

  @Test
  void failsWhenADelayIsLongerThanItsPolicyAllows() {
    retries.set(0, retry("charge", RetryStatus.SUCCEEDED, 1, Duration.ofMillis(61)));
    fails(4, "A-1: charge waited");
  }

  @Test
  void failsWhenTheStackIsNotWhatWasDone() {
    stack.remove(1);
    fails(5, "A-1: its stack is [reserve-stock], done was [reserve-stock, charge]");
  }

  /** C091: each step once. */
  @Test
  void failsWhenSomethingWasTakenBackTwice() {
    attempt("refund", 2, Mark.DONE);
    fails(5, "A-1: the ledger has {");
  }

  @Test
  void failsWhenTheOldestWasTakenBackFirst() {
    Logged refunded = events.get(9);
    Logged released = events.get(11);
    events.set(9, new Logged(10, 1, refunded.eventId(), released.what()));
    events.set(11, new Logged(12, 1, released.eventId(), refunded.what()));
    fails(5, "A-1: logged as taken back is [release-stock, refund]");
  }

  @Test
  void failsWhenACompensatedOrderKeepsSomething() {
    stack.set(0, undo(1, "reserve-stock", "release-stock", CompensationStatus.REGISTERED));
    fails(5, "A-1: it is COMPENSATED, and its stack is");
  }

  @Test
  void failsWhenACompletedOrderTookSomethingBack() {
    status = ExecutionStatus.COMPLETED;
    fails(5, "A-1: it is COMPLETED, and its stack is");
  }

  @Test
  void failsWhenAnEntryIsStillRunning() {
    stack.set(0, undo(1, "reserve-stock", "release-stock", CompensationStatus.RUNNING));
    fails(5, "A-1: it is COMPENSATED, and its stack is");
  }

  @Test
  void failsWhenATimeFiredTwice() {
    settlement(3, NOON, NOON);
    fails(6, "settlement@2026-06-01T12:00:00Z: it was begun twice");
    fails(6, "the schedule fired 2 times, there are 3 settlements");
  }

  @Test
  void failsWhenATimeWasLost() {
    fires = new Fires(2, List.of(NOON.minusSeconds(2), NOON, NOON.plusSeconds(2)), MINUTE);
    fails(6, "nothing was begun for 2026-06-01T11:59:58Z");
  }

  @Test
  void aTimeThatWasMissedIsStoodInForByALaterOne() {
    fires = new Fires(2, List.of(NOON.minusSeconds(61), NOON, NOON.plusSeconds(2)), MINUTE);
    assertThat(proof(6).holds()).isTrue();
  }

  @Test
  void failsWhenSomethingWasBegunAtNoTimeOfTheSchedule() {
    settlement(3, NOON.plusSeconds(1), NOON.plusSeconds(1));
    fails(6, "2026-06-01T12:00:01Z is no time of the schedule");
  }

  @Test
  void failsWithoutASchedule() {
    Proof proof =
        RecordProofs.firedOnce(new Evidence(Map.of(), List.of(), Map.of(), Optional.empty()));
    assertThat(proof.holds()).isFalse();
  }
}
