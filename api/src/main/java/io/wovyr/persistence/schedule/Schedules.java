/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.schedule;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.payload.Payload;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Schedules of one tenant. Thread-safe. A fire is one commit: the schedule moves on and its
 * execution is created, so that of two schedulers that see the same fire only one wins, and none is
 * lost between the two. Changes need {@code MANAGE_SCHEDULES}, firing {@code WORK}.
 *
 * @since 0.1
 */
public interface Schedules {
  /**
   * Stores a schedule; a conflict when there is one of this name.
   *
   * @throws PersistenceException.InvalidInput for a cron expression that cannot be read or never
   *     fires, naming the field
   */
  CommitResult add(NewSchedule schedule);

  /** Replaces timing, definition, input and misfire rule; the next fire is computed anew. */
  CommitResult replace(Schedule before, NewSchedule after);

  /** Fires no more until it is resumed. */
  CommitResult pause(Schedule before);

  /** Fires again; what was missed while it was paused is left out. */
  CommitResult resume(Schedule before);

  /** Removes it; its history stays. */
  CommitResult remove(Schedule before);

  /** The schedule of this name. */
  Optional<Schedule> find(String name);

  /** All by name. */
  Page<Schedule> list(int limit, Optional<String> after);

  /** The next fires by the timing alone, after an instant; at most 1,000. */
  List<Instant> next(Schedule schedule, Instant after, int count);

  /**
   * Fires what is due of a schedule at this time: creates the executions its misfire rule says and
   * moves it on, at most 100 executions in one commit. A conflict when another scheduler was first.
   *
   * @return the ids of the executions that were created; none when nothing was due
   */
  Fired fire(Schedule before);

  /** The input of its executions. */
  Optional<Payload> input(Schedule schedule);

  /**
   * What a fire did.
   *
   * @param result the commit's answer; empty: nothing was due
   * @param executions that were created, oldest fire first
   */
  record Fired(Optional<CommitResult> result, List<UUID> executions) {
    public Fired {
      executions = List.copyOf(executions);
    }
  }
}
