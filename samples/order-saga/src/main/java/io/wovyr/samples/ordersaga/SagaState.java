/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.state.WorkflowState;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the saga decides by: how far each activity has come. Read from the execution's state, so
 * that whoever takes over decides the same. Immutable.
 *
 * @param progress of every activity that was ever started
 */
record SagaState(Map<Activity, Progress> progress) {
  SagaState {
    progress = Map.copyOf(progress);
  }

  /** How far an activity has come. */
  enum Mark {
    /** An attempt is under way: nobody knows yet what became of it. */
    STARTED,
    /** The last attempt failed and another one follows. */
    WAITING,
    DONE,
    /** It failed for good. */
    FAILED
  }

  /**
   * Value of an activity in the state.
   *
   * @param attempt the newest one, from 1; a repetition after a crash is the same attempt
   */
  record Progress(Mark mark, int attempt) {}

  /** Nothing was started. */
  static SagaState fresh() {
    return new SagaState(Map.of());
  }

  /** What a stored state tells. */
  static SagaState of(WorkflowState state, WorkflowState.Opener opener) {
    Map<Activity, Progress> progress = new EnumMap<>(Activity.class);
    for (Activity activity : Activity.values()) {
      state
          .get(Section.ACTIVITIES, activity.text())
          .ifPresent(leaf -> progress.put(activity, Json.read(opener.open(leaf), Progress.class)));
    }
    return new SagaState(progress);
  }

  Optional<Progress> of(Activity activity) {
    return Optional.ofNullable(progress.get(activity));
  }

  boolean is(Activity activity, Mark mark) {
    return of(activity).map(Progress::mark).filter(mark::equals).isPresent();
  }

  /** The state after one more change. */
  SagaState with(Activity activity, Mark mark, int attempt) {
    Map<Activity, Progress> changed = new EnumMap<>(Activity.class);
    changed.putAll(progress);
    changed.put(activity, new Progress(mark, attempt));
    return new SagaState(changed);
  }
}
