/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.samples.ordersaga.SagaState.Mark;
import io.wovyr.samples.ordersaga.SagaState.Progress;
import java.util.Optional;

/**
 * The workflow of an order as pure functions: reserve stock, charge, ship, notify; and when one of
 * them fails for good, take back what was done, newest first. No clock, no dice, no I/O, so every
 * worker that knows the state decides the same.
 */
final class Saga {
  /** Attempts at one activity before it has failed for good. */
  static final int MAX_ATTEMPTS = 5;

  private Saga() {}

  /** What to do in this state. */
  static Step next(SagaState state) {
    for (Activity activity : Activity.values()) {
      Optional<Progress> progress = state.of(activity);
      if (progress.isPresent() && progress.get().mark() == Mark.STARTED) {
        return new Step.Attempt(activity, progress.get().attempt(), true);
      }
    }
    return isCompensating(state) ? backward(state) : forward(state);
  }

  /** Whether the order cannot be fulfilled any more. */
  static boolean isCompensating(SagaState state) {
    return Activity.FORWARD.stream()
        .anyMatch(activity -> state.is(activity, Mark.FAILED) && !activity.isOptional());
  }

  /** How an activity stands after this answer to its attempt. */
  static Mark markAfter(Step.Attempt attempt, Answer answer) {
    return switch (answer.kind()) {
      case DONE -> Mark.DONE;
      case TRY_AGAIN -> attempt.number() < MAX_ATTEMPTS ? Mark.WAITING : Mark.FAILED;
      case REFUSED -> Mark.FAILED;
    };
  }

  private static Step forward(SagaState state) {
    for (Activity activity : Activity.FORWARD) {
      if (!state.is(activity, Mark.DONE) && !state.is(activity, Mark.FAILED)) {
        return attemptAt(activity, state);
      }
    }
    return new Step.End(ExecutionStatus.COMPLETED);
  }

  private static Step backward(SagaState state) {
    boolean tookBack = false;
    for (int i = Activity.FORWARD.size() - 1; i >= 0; i--) {
      Activity done = Activity.FORWARD.get(i);
      if (!state.is(done, Mark.DONE) || done.undo().isEmpty()) {
        continue;
      }
      Activity undo = done.undo().get();
      if (state.is(undo, Mark.FAILED)) {
        return new Step.End(ExecutionStatus.FAILED);
      }
      if (!state.is(undo, Mark.DONE)) {
        return attemptAt(undo, state);
      }
      tookBack = true;
    }
    return new Step.End(tookBack ? ExecutionStatus.COMPENSATED : ExecutionStatus.FAILED);
  }

  private static Step.Attempt attemptAt(Activity activity, SagaState state) {
    int made = state.of(activity).map(Progress::attempt).orElse(0);
    return new Step.Attempt(activity, made + 1, false);
  }
}
