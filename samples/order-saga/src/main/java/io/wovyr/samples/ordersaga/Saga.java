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
 * A workflow as pure functions: one step after the other; and when one of them fails for good, take
 * back what was done, newest first. No clock, no dice, no I/O, so every worker that knows the
 * records decides the same.
 */
final class Saga {
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

  /** Whether it cannot be completed any more. */
  static boolean isCompensating(SagaState state) {
    return state.workflow().steps().stream()
        .anyMatch(activity -> state.is(activity, Mark.FAILED) && !activity.isOptional());
  }

  private static Step forward(SagaState state) {
    for (Activity activity : state.workflow().steps()) {
      if (!state.is(activity, Mark.DONE) && !state.is(activity, Mark.FAILED)) {
        return attemptAt(activity, state);
      }
    }
    return new Step.End(ExecutionStatus.COMPLETED);
  }

  private static Step backward(SagaState state) {
    Optional<Activity> undo = state.nextUndo();
    if (undo.isEmpty()) {
      return new Step.End(state.tookBack() ? ExecutionStatus.COMPENSATED : ExecutionStatus.FAILED);
    }
    return state.is(undo.get(), Mark.FAILED)
        ? new Step.End(ExecutionStatus.FAILED)
        : attemptAt(undo.get(), state);
  }

  private static Step.Attempt attemptAt(Activity activity, SagaState state) {
    int made = state.of(activity).map(Progress::attempt).orElse(0);
    return new Step.Attempt(activity, made + 1, false);
  }
}
