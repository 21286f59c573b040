/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Committed;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Persistence.DueSchedule;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.StorageFailure;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.schedule.Schedule;
import io.wovyr.persistence.schedule.Scheduler.Begun;
import io.wovyr.persistence.schedule.Scheduler.Outcome;
import io.wovyr.persistence.schedule.Scheduler.Result;
import io.wovyr.persistence.schedule.SchedulerOptions;
import io.wovyr.persistence.schedule.Schedules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is due, fired one after the other. One that fails is left alone for a while, longer each
 * time, so that it does not hold up the others. Not thread-safe.
 */
final class DueSchedules {
  private static final Logger LOG = LoggerFactory.getLogger(DueSchedules.class);
  private static final int PAGE = 1_000;
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

  private final Persistence persistence;
  private final Persistence.SystemAccess system;
  private final SchedulerOptions options;
  private final LongSupplier nanoTime;
  private final Map<DueSchedule, LeftAlone> failing = new HashMap<>();

  /** Of those, the ones that were still due since the walk under way began. */
  private final Set<DueSchedule> stillDue = new HashSet<>();

  DueSchedules(
      Persistence persistence,
      Persistence.SystemAccess system,
      SchedulerOptions options,
      LongSupplier nanoTime) {
    this.persistence = persistence;
    this.system = system;
    this.options = options;
    this.nanoTime = nanoTime;
  }

  private record LeftAlone(int times, long untilNanos) {}

  /**
   * What is to be fired now, a page of it, in no order: schedulers side by side meet less often.
   * May be empty and have a next one: those that are left alone hide nobody.
   *
   * @param after where the walk goes on; empty where one begins
   */
  Page<DueSchedule> find(Optional<String> after) {
    Page<DueSchedule> due = system.dueSchedules(PAGE, after);
    if (after.isEmpty()) {
      stillDue.clear();
    }
    long now = nanoTime.getAsLong();
    List<DueSchedule> wanted = new ArrayList<>();
    for (DueSchedule one : due.items()) {
      LeftAlone left = failing.get(one);
      if (left != null) {
        stillDue.add(one);
      }
      boolean ours = options.tenantId().map(one.tenantId()::equals).orElse(true);
      if (ours && (left == null || left.untilNanos() - now <= 0)) {
        wanted.add(one);
      }
    }
    if (due.next().isEmpty()) {
      failing.keySet().retainAll(stillDue);
    }
    Collections.shuffle(wanted, ThreadLocalRandom.current());
    return new Page<>(wanted, due.next());
  }

  /**
   * Fires one; empty when it is not due yet by the clock of this node.
   *
   * @throws StorageFailure when the store is out of reach, for this schedule and for all others
   */
  Optional<Outcome> fire(DueSchedule due) {
    try {
      Optional<Outcome> outcome = outcome(due);
      failing.remove(due);
      return outcome;
    } catch (Unavailable e) {
      // Of the store, or of this schedule: its row is locked, the keys of its tenant are not there.
      checkReach(e);
      return Optional.of(failed(due, e));
    } catch (InvalidInput e) {
      return Optional.of(isPaused(due) ? problem(due, Result.REFUSED, e) : failed(due, e));
    } catch (RuntimeException e) {
      // Whatever is wrong with one schedule, the others go on.
      return Optional.of(failed(due, e));
    }
  }

  private void checkReach(Unavailable failure) {
    if (failure.isLasting()) {
      throw failure;
    }
    Page<DueSchedule> unused = system.dueSchedules(1, Optional.empty());
  }

  /** Whether the one that was refused is out of the way of the others. */
  private boolean isPaused(DueSchedule due) {
    try {
      return schedules(due).find(due.name()).filter(Schedule::paused).isPresent();
    } catch (PersistenceException e) {
      return false;
    }
  }

  private Outcome failed(DueSchedule due, RuntimeException why) {
    leaveAlone(due);
    LOG.warn(
        "WOVYR-0110 schedule {} of tenant {} cannot be fired now and stays due: {}",
        due.name(),
        due.tenantId(),
        why instanceof PersistenceException ? why.getMessage() : why.toString());
    return problem(due, Result.FAILED, why);
  }

  private Schedules schedules(DueSchedule due) {
    return persistence
        .as(Caller.of(due.tenantId(), options.name(), Role.READER, Role.WRITER))
        .schedules();
  }

  private Optional<Outcome> outcome(DueSchedule due) {
    Schedules schedules = schedules(due);
    Optional<Schedule> schedule = schedules.find(due.name());
    if (schedule.isEmpty()) {
      return Optional.of(outcome(due, Result.LOST, List.of()));
    }
    return schedules.fire(schedule.get()).result().map(answer -> outcome(due, answer));
  }

  private static Outcome outcome(DueSchedule due, CommitResult answer) {
    if (answer instanceof Committed committed) {
      List<Begun> begun =
          committed.records(WorkflowExecution.class).stream()
              .map(one -> new Begun(one.id(), one.workflowId()))
              .toList();
      return outcome(due, begun.isEmpty() ? Result.PASSED_OVER : Result.FIRED, begun);
    }
    return outcome(due, Result.LOST, List.of());
  }

  private static Outcome outcome(DueSchedule due, Result result, List<Begun> begun) {
    return new Outcome(due.tenantId(), due.name(), result, begun, Optional.empty());
  }

  private static Outcome problem(DueSchedule due, Result result, RuntimeException why) {
    return new Outcome(
        due.tenantId(),
        due.name(),
        result,
        List.of(),
        Optional.of(String.valueOf(why.getMessage())));
  }

  private void leaveAlone(DueSchedule due) {
    int times = Math.min(20, failing.getOrDefault(due, new LeftAlone(0, 0)).times() + 1);
    long longest = Math.min(LONGEST_PAUSE.toNanos(), options.lookEvery().toNanos() * (1L << times));
    long pause = longest / 2 + ThreadLocalRandom.current().nextLong(longest / 2 + 1);
    failing.put(due, new LeftAlone(times, nanoTime.getAsLong() + pause));
    stillDue.add(due);
  }
}
