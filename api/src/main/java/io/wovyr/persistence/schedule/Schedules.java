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
 * executions are created, so that of two schedulers that see the same fire only one wins, and none
 * is lost between the two. Reading needs {@code READ}, changes {@code MANAGE_SCHEDULES}, firing
 * {@code WORK}.
 *
 * <p>A change is made to what is stored, and what is stored fires: of the record that is handed in
 * only its name, its id and its version count. It is a conflict when another version is stored by
 * then ({@code STALE_VERSION}), or none of this id ({@code NOT_FOUND}).
 *
 * <p>Nothing fires by itself: run a {@link Scheduler}, or ask {@link
 * io.wovyr.persistence.Persistence.SystemAccess#dueSchedules} and fire what it finds. What is due
 * goes by the wall clock of the node that fires; keep the clocks of schedulers synchronised. A
 * wrong one makes a fire early or late, never double.
 *
 * @since 0.1
 */
public interface Schedules {
  /**
   * Stores a schedule; a conflict when there is one of this name. It fires from now on: the next
   * fire is the first after this moment.
   *
   * @throws PersistenceException.InvalidInput for a cron expression that cannot be read, naming the
   *     field; for a timing that never fires; and for a definition that is stored and cannot be
   *     executed
   */
  CommitResult add(NewSchedule schedule);

  /**
   * Replaces timing, definition, input and misfire rule; the next fire is computed anew. A paused
   * one stays paused.
   *
   * @throws PersistenceException.InvalidInput as {@link #add}, and for another name
   */
  CommitResult replace(Schedule before, NewSchedule after);

  /** Fires no more until it is resumed. */
  CommitResult pause(Schedule before);

  /** Fires again; what was missed while it was paused is left out. */
  CommitResult resume(Schedule before);

  /** Removes it; its history and its executions stay. */
  CommitResult remove(Schedule before);

  /** The schedule of this name. */
  Optional<Schedule> find(String name);

  /** All by name. */
  Page<Schedule> list(int limit, Optional<String> after);

  /**
   * The fires of a schedule after an instant, within its {@code notBefore} and {@code notAfter},
   * paused or not; fewer when it is over.
   *
   * @param count 1 to 1,000
   */
  List<Instant> next(Schedule schedule, Instant after, int count);

  /**
   * As {@link #next(Schedule, Instant, int)}, for a timing that is not stored; none for one that
   * never fires.
   *
   * @throws PersistenceException.InvalidInput for a cron expression that cannot be read
   */
  List<Instant> next(Timing timing, Instant after, int count);

  /**
   * Fires what is due of a schedule at this time: creates the executions its misfire rule says and
   * moves it on, at most 100 executions in one commit; what is left stays due. A conflict when
   * another scheduler was first or the schedule was changed: read it again.
   *
   * <p>Each execution has the workflowId {@code <schedule>@<time of the fire>} and an id made from
   * tenant, schedule and that time, so that a time never fires twice. A time whose execution is
   * there already, or whose workflowId another live execution holds, is left out.
   *
   * <p>After {@link PersistenceException.OutcomeUnknown} read the schedule again and fire it again:
   * it says whether it moved on, and the same time still fires once.
   *
   * @return the ids of the executions that were created; none when nothing was due
   * @throws PersistenceException.InvalidInput when the definition cannot be executed any more; the
   *     schedule is paused then, so that it does not hold up others
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
