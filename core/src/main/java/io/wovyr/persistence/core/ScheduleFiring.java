/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import com.fasterxml.uuid.Generators;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Committed;
import io.wovyr.persistence.CommitResult.Conflict;
import io.wovyr.persistence.CommitResult.Failure;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.core.CoreSchedules.Progress;
import io.wovyr.persistence.core.schedule.FirePlan;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.schedule.Schedule;
import io.wovyr.persistence.schedule.Schedules.Fired;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordTypes;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call to fire a schedule. The version of the schedule decides who wins; the ids of the
 * executions, made from the times, see to it that what was created before is not created again.
 */
final class ScheduleFiring {
  private static final Logger LOG = LoggerFactory.getLogger(ScheduleFiring.class);
  private static final int LIMIT = 100;

  private final TenantAccess access;
  private final Schedule seen;

  ScheduleFiring(TenantAccess access, Schedule seen) {
    this.access = access;
    this.seen = seen;
  }

  Fired fire() {
    // What is fired is what is stored: one that may fire may not change what it fires.
    Optional<Schedule> stored = stored();
    if (stored.isEmpty()) {
      return lost();
    }
    Schedule schedule = stored.get();
    Instant now = access.now();
    if (schedule.nextFireAt().isEmpty() || schedule.nextFireAt().get().isAfter(now)) {
      return new Fired(Optional.empty(), List.of());
    }
    int limit = LIMIT;
    while (true) {
      FirePlan plan =
          FirePlan.of(
              CoreSchedules.times(schedule),
              schedule.nextFireAt().get(),
              now,
              schedule.misfire(),
              schedule.misfireAfter(),
              limit);
      try {
        return fire(schedule, plan);
      } catch (Rejected e) {
        // Nothing was written: more than one commit of this store can hold. Fewer then.
        if (plan.fires().size() < 2) {
          throw e;
        }
        limit = plan.fires().size() / 2;
      }
    }
  }

  /** The schedule as it was seen; empty when it was changed or removed since. */
  private Optional<Schedule> stored() {
    return access
        .find(Schedule.class, seen.name())
        .filter(found -> found.header().id().equals(seen.header().id()))
        .filter(found -> found.header().version() == seen.header().version());
  }

  private Fired fire(Schedule schedule, FirePlan plan) {
    List<Instant> times = plan.fires();
    while (true) {
      Set<UUID> own = new HashSet<>();
      CommitResult result = commit(schedule, times, plan.next(), own);
      if (result instanceof Committed committed && own.contains(committed.commitId())) {
        return new Fired(
            Optional.of(result), times.stream().map(time -> id(schedule, time)).toList());
      }
      // Refused, or recognised as what another call has written.
      if (stored().isEmpty()) {
        return lost();
      }
      List<Instant> free = times.stream().filter(time -> isFree(schedule, time)).toList();
      if (free.size() == times.size()) {
        return result.isCommitted() ? lost() : new Fired(Optional.of(result), List.of());
      }
      LOG.warn(
          "schedule {}: of {} times {} have their execution already and are left out",
          schedule.name(),
          times.size(),
          times.size() - free.size());
      times = free;
    }
  }

  private CommitResult commit(
      Schedule schedule, List<Instant> times, Optional<Instant> next, Set<UUID> commitIds) {
    // A fire is a commit of its own, whoever asks for it.
    StagedUnitOfWork unit = access.unit().apart();
    try {
      Optional<Payload> input = input(schedule);
      times.forEach(time -> unit.create(execution(schedule, time, input)));
    } catch (InvalidInput e) {
      throw refused(schedule, e);
    }
    Optional<Instant> last =
        times.isEmpty() ? schedule.lastFireAt() : Optional.of(times.get(times.size() - 1));
    unit.updateRecord(
        schedule, new Progress(false, next, last, schedule.fires() + times.size()).of(schedule));
    unit.beforeSend(reference -> commitIds.add(Reference.decode(reference).commitId()));
    return unit.commit();
  }

  private Optional<Payload> input(Schedule schedule) {
    return schedule
        .input()
        .map(
            stored ->
                access
                    .engine()
                    .sealer()
                    .open(
                        stored,
                        access.binding(
                            CoreSchedules.key(schedule.name()), schedule.header(), "input")));
  }

  private NewExecution execution(Schedule schedule, Instant time, Optional<Payload> input) {
    NewExecution execution =
        NewExecution.of(schedule.definition())
            .withId(id(schedule, time))
            .withWorkflowId(workflowId(schedule, time));
    return input.map(execution::withInput).orElse(execution);
  }

  private static String workflowId(Schedule schedule, Instant time) {
    return schedule.name() + "@" + time;
  }

  /** The id of the execution of a fire: a name-based UUID (version 5, RFC 9562). */
  private static UUID id(Schedule schedule, Instant time) {
    return Generators.nameBasedGenerator(schedule.header().id())
        .generate(schedule.header().tenantId() + "@" + time);
  }

  private boolean isFree(Schedule schedule, Instant time) {
    Engine engine = access.engine();
    List<Object> entry = List.of(workflowId(schedule, time));
    return !engine.exists(access.scope(), Key.of(RecordTypes.EXECUTION, id(schedule, time)))
        && engine
            .reading(
                options ->
                    engine
                        .storage()
                        .readUnique(
                            access.scope(), RecordTypes.EXECUTION, "live_workflow", entry, options))
            .isEmpty();
  }

  /** Pauses a schedule that cannot fire, or it would be the first in the way of all others. */
  private InvalidInput refused(Schedule schedule, InvalidInput reason) {
    boolean paused =
        access
            .unit()
            .apart()
            .updateRecord(schedule, CoreSchedules.paused(schedule))
            .commit()
            .isCommitted();
    String message =
        "schedule %s cannot fire%s: %s"
            .formatted(schedule.name(), paused ? " and was paused" : "", reason.getMessage());
    LOG.warn("{}", message);
    return new InvalidInput(message);
  }

  private Fired lost() {
    boolean there =
        access
            .find(Schedule.class, seen.name())
            .filter(found -> found.header().id().equals(seen.header().id()))
            .isPresent();
    Failure failure =
        new Failure(
            there ? Reason.STALE_VERSION : Reason.NOT_FOUND,
            Key.of(RecordTypes.SCHEDULE, seen.name()).toString(),
            there ? "it was fired or changed since: read it again" : "it is not there");
    return new Fired(Optional.of(new Conflict(List.of(failure))), List.of());
  }
}
