/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.persistence.activity.ActivityExecution;
import io.wovyr.persistence.activity.ActivityStatus;
import io.wovyr.persistence.compensation.CompensationRecord;
import io.wovyr.persistence.compensation.CompensationStatus;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the saga decides by: how far each activity has come, and what is to be taken back if it must
 * be. Read from the records of the execution, so that whoever takes over decides the same.
 * Immutable.
 *
 * @param progress of every activity that was ever started
 * @param undos what takes back what was done, the newest last; those that are done are gone
 * @param tookBack something was taken back
 */
record SagaState(
    Workflow workflow, Map<Activity, Progress> progress, List<Activity> undos, boolean tookBack) {
  SagaState {
    progress = Map.copyOf(progress);
    undos = List.copyOf(undos);
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
   * How an activity stands.
   *
   * @param attempt the newest one, from 1; a repetition after a crash is the same attempt
   */
  record Progress(Mark mark, int attempt) {}

  /** Nothing was started. */
  static SagaState fresh(Workflow workflow) {
    return new SagaState(workflow, Map.of(), List.of(), false);
  }

  /** What stored records tell. */
  static SagaState of(
      Workflow workflow,
      Collection<ActivityExecution> activities,
      Collection<CompensationRecord> stack) {
    Map<Activity, Progress> progress = new EnumMap<>(Activity.class);
    for (ActivityExecution activity : activities) {
      progress.put(
          Activity.named(activity.activityId()),
          new Progress(mark(activity.status()), activity.attempt()));
    }
    List<Activity> undos =
        stack.stream()
            .filter(entry -> !entry.status().isDone())
            .sorted(Comparator.comparingInt(CompensationRecord::position))
            .map(entry -> Activity.named(entry.action()))
            .toList();
    boolean tookBack =
        stack.stream().anyMatch(entry -> entry.status() == CompensationStatus.COMPENSATED);
    return new SagaState(workflow, progress, undos, tookBack);
  }

  private static Mark mark(ActivityStatus status) {
    return switch (status) {
      case STARTED -> Mark.STARTED;
      case SCHEDULED -> Mark.WAITING;
      case COMPLETED -> Mark.DONE;
      case FAILED, TIMED_OUT, CANCELLED -> Mark.FAILED;
    };
  }

  Optional<Progress> of(Activity activity) {
    return Optional.ofNullable(progress.get(activity));
  }

  boolean is(Activity activity, Mark mark) {
    return of(activity).map(Progress::mark).filter(mark::equals).isPresent();
  }

  /** What is to be taken back first; empty when nothing is left. */
  Optional<Activity> nextUndo() {
    return undos.isEmpty() ? Optional.empty() : Optional.of(undos.get(undos.size() - 1));
  }

  /** The state after one more change. */
  SagaState with(Activity activity, Mark mark, int attempt) {
    Map<Activity, Progress> changed = new EnumMap<>(Activity.class);
    changed.putAll(progress);
    changed.put(activity, new Progress(mark, attempt));
    if (mark != Mark.DONE) {
      return new SagaState(workflow, changed, undos, tookBack);
    }
    List<Activity> left = new ArrayList<>(undos);
    boolean undone = left.remove(activity);
    activity.undo().ifPresent(left::add);
    return new SagaState(workflow, changed, left, tookBack || undone);
  }
}
