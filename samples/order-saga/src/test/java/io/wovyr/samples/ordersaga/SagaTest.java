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
    SagaState state = SagaState.fresh();
    Step step = Saga.next(state);
    while (step instanceof Step.Attempt attempt) {
      keys.add(attempt.key());
      Mark mark = Saga.markAfter(attempt, answers.getOrDefault(attempt.key(), DONE));
      state = state.with(attempt.activity(), mark, attempt.number());
      step = Saga.next(state);
    }
    keys.add(((Step.End) step).status().name());
    return keys;
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
    Step.Attempt last = new Step.Attempt(SHIP, Saga.MAX_ATTEMPTS, false);
    Step.Attempt before = new Step.Attempt(SHIP, Saga.MAX_ATTEMPTS - 1, false);
    assertThat(Saga.markAfter(before, TRY_AGAIN)).isEqualTo(Mark.WAITING);
    assertThat(Saga.markAfter(last, TRY_AGAIN)).isEqualTo(Mark.FAILED);
  }

  /** C089: the number of an attempt comes from the state, so it survives whoever made it. */
  @Test
  void repeatsTheSameAttemptWhenItsEndIsNotKnown() {
    SagaState state =
        SagaState.fresh().with(RESERVE_STOCK, Mark.DONE, 1).with(CHARGE, Mark.STARTED, 3);
    assertThat(Saga.next(state)).isEqualTo(new Step.Attempt(CHARGE, 3, true));
  }

  /** C091: a compensation that began goes on where it was, and never begins again. */
  @Test
  void repeatsACompensationWhoseEndIsNotKnown() {
    SagaState state =
        SagaState.fresh()
            .with(RESERVE_STOCK, Mark.DONE, 1)
            .with(CHARGE, Mark.DONE, 1)
            .with(SHIP, Mark.FAILED, 1)
            .with(REFUND, Mark.DONE, 1)
            .with(RELEASE_STOCK, Mark.STARTED, 2);
    assertThat(Saga.next(state)).isEqualTo(new Step.Attempt(RELEASE_STOCK, 2, true));
  }

  @Test
  void anOptionalFailureDoesNotCompensate() {
    assertThat(Saga.isCompensating(SagaState.fresh().with(NOTIFY, Mark.FAILED, 1))).isFalse();
    assertThat(Saga.isCompensating(SagaState.fresh().with(SHIP, Mark.FAILED, 1))).isTrue();
  }

  @Test
  void endsOnlyInFinalStatuses() {
    assertThat(List.of("COMPLETED", "COMPENSATED", "FAILED"))
        .allMatch(name -> ExecutionStatus.valueOf(name).isFinal());
  }
}
