/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import static io.wovyr.samples.ordersaga.Activity.CHARGE;
import static io.wovyr.samples.ordersaga.Activity.NOTIFY;
import static io.wovyr.samples.ordersaga.Activity.REFUND;
import static io.wovyr.samples.ordersaga.Activity.RELEASE_STOCK;
import static io.wovyr.samples.ordersaga.Activity.RESERVE_STOCK;
import static io.wovyr.samples.ordersaga.Activity.SHIP;
import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.samples.ordersaga.SagaState.Mark;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SagaTest {
  private static final Answer DONE = new Answer(Answer.Kind.DONE, "receipt");
  private static final Answer TRY_AGAIN = new Answer(Answer.Kind.TRY_AGAIN, "busy");
  private static final Answer REFUSED = new Answer(Answer.Kind.REFUSED, "never");

  /** Runs the saga against these answers (else: done) and returns the keys of all attempts. */
  private static List<String> attempts(Map<String, Answer> answers) {
    List<String> keys = new ArrayList<>();
    SagaState state = SagaState.fresh(Workflow.ORDER_SAGA);
    Step step = Saga.next(state);
    while (step instanceof Step.Attempt attempt) {
      keys.add(attempt.key());
      Mark mark = mark(attempt, answers.getOrDefault(attempt.key(), DONE));
      state = state.with(attempt.activity(), mark, attempt.number());
      step = Saga.next(state);
    }
    keys.add(((Step.End) step).status().name());
    return keys;
  }

  private static Mark mark(Step.Attempt attempt, Answer answer) {
    if (answer.kind() == Answer.Kind.DONE) {
      return Mark.DONE;
    }
    return Workflow.RETRIES.allowsAfter(attempt.number(), answer.kind().name())
        ? Mark.WAITING
        : Mark.FAILED;
  }

  private static SagaState fresh() {
    return SagaState.fresh(Workflow.ORDER_SAGA);
  }

  @Test
  void goesForwardInOrder() {
    assertThat(attempts(Map.of()))
        .containsExactly("reserve-stock/1", "charge/1", "ship/1", "notify/1", "COMPLETED");
  }

  @Test
  void triesAgainUnderTheNextNumber() {
    assertThat(attempts(Map.of("charge/1", TRY_AGAIN, "charge/2", TRY_AGAIN)))
        .containsExactly(
            "reserve-stock/1",
            "charge/1",
            "charge/2",
            "charge/3",
            "ship/1",
            "notify/1",
            "COMPLETED");
  }

  @Test
  void takesBackInReverseOrder() {
    assertThat(attempts(Map.of("ship/1", REFUSED)))
        .containsExactly(
            "reserve-stock/1", "charge/1", "ship/1", "refund/1", "release-stock/1", "COMPENSATED");
  }

  @Test
  void takesBackOnlyWhatWasDone() {
    assertThat(attempts(Map.of("charge/1", REFUSED)))
        .containsExactly("reserve-stock/1", "charge/1", "release-stock/1", "COMPENSATED");
  }

  @Test
  void failsWhenThereIsNothingToTakeBack() {
    assertThat(attempts(Map.of("reserve-stock/1", REFUSED)))
        .containsExactly("reserve-stock/1", "FAILED");
  }

  @Test
  void failsWhenSomethingCannotBeTakenBack() {
    assertThat(attempts(Map.of("ship/1", REFUSED, "refund/1", REFUSED)))
        .containsExactly("reserve-stock/1", "charge/1", "ship/1", "refund/1", "FAILED");
  }

  @Test
  void completesWithoutTheNotification() {
    assertThat(attempts(Map.of("notify/1", REFUSED))).endsWith("notify/1", "COMPLETED");
  }

  @Test
  void givesUpAfterTheLastAttempt() {
    assertThat(
            attempts(
                Map.of(
                    "ship/1", TRY_AGAIN,
                    "ship/2", TRY_AGAIN,
                    "ship/3", TRY_AGAIN,
                    "ship/4", TRY_AGAIN,
                    "ship/5", TRY_AGAIN)))
        .endsWith("ship/5", "refund/1", "release-stock/1", "COMPENSATED");
  }

  @Test
  void aSettlementHasOneStepAndNothingToTakeBack() {
    SagaState state = SagaState.fresh(Workflow.SETTLEMENT);
    assertThat(Saga.next(state)).isEqualTo(new Step.Attempt(Activity.SETTLE, 1, false));
    assertThat(Saga.next(state.with(Activity.SETTLE, Mark.DONE, 1)))
        .isEqualTo(new Step.End(ExecutionStatus.COMPLETED));
    assertThat(Saga.next(state.with(Activity.SETTLE, Mark.FAILED, 1)))
        .isEqualTo(new Step.End(ExecutionStatus.FAILED));
  }

  /** C089: the number of an attempt comes from its record, so it survives whoever made it. */
  @Test
  void repeatsTheSameAttemptWhenItsEndIsNotKnown() {
    SagaState state = fresh().with(RESERVE_STOCK, Mark.DONE, 1).with(CHARGE, Mark.STARTED, 3);
    assertThat(Saga.next(state)).isEqualTo(new Step.Attempt(CHARGE, 3, true));
  }

  /** C091: a compensation that began goes on where it was, and never begins again. */
  @Test
  void repeatsACompensationWhoseEndIsNotKnown() {
    SagaState state =
        fresh()
            .with(RESERVE_STOCK, Mark.DONE, 1)
            .with(CHARGE, Mark.DONE, 1)
            .with(SHIP, Mark.FAILED, 1)
            .with(REFUND, Mark.DONE, 1)
            .with(RELEASE_STOCK, Mark.STARTED, 2);
    assertThat(Saga.next(state)).isEqualTo(new Step.Attempt(RELEASE_STOCK, 2, true));
  }

  @Test
  void anOptionalFailureDoesNotCompensate() {
    assertThat(Saga.isCompensating(fresh().with(NOTIFY, Mark.FAILED, 1))).isFalse();
    assertThat(Saga.isCompensating(fresh().with(SHIP, Mark.FAILED, 1))).isTrue();
  }

  @Test
  void endsOnlyInFinalStatuses() {
    assertThat(List.of("COMPLETED", "COMPENSATED", "FAILED"))
        .allMatch(name -> ExecutionStatus.valueOf(name).isFinal());
  }
}
