/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.Permission;
import io.wovyr.persistence.PersistenceException.IllegalTransition;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.core.schedule.FireTimes;
import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.schedule.Misfire;
import io.wovyr.persistence.schedule.NewSchedule;
import io.wovyr.persistence.schedule.Schedule;
import io.wovyr.persistence.schedule.Schedules;
import io.wovyr.persistence.schedule.Timing;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Scan;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Schedules of one tenant. Thread-safe. */
final class CoreSchedules implements Schedules {
  private static final int MAX_PREVIEW = 1_000;

  private final TenantAccess access;

  CoreSchedules(TenantAccess access) {
    this.access = access;
  }

  @Override
  public CommitResult add(NewSchedule schedule) {
    access.require(Permission.MANAGE_SCHEDULES);
    Instant first = first(schedule, Optional.empty());
    Progress progress = new Progress(false, Optional.of(first), Optional.empty(), 0);
    return access
        .unit()
        .insertRecord(draft(TenantAccess.unsavedHeader(), schedule, progress))
        .commit();
  }

  @Override
  public CommitResult replace(Schedule seen, NewSchedule after) {
    access.require(Permission.MANAGE_SCHEDULES);
    if (!seen.name().equals(after.name())) {
      throw new InvalidInput(
          "schedule %s cannot be renamed %s: add another and remove this one"
              .formatted(seen.name(), after.name()));
    }
    return access.changeStored(seen, before -> update(before, replaced(before, after)));
  }

  private Schedule replaced(Schedule before, NewSchedule after) {
    Optional<Instant> first = Optional.of(first(after, before.lastFireAt()));
    Progress progress =
        new Progress(
            before.paused(),
            before.paused() ? Optional.empty() : first,
            before.lastFireAt(),
            before.fires());
    return draft(before.header(), after, progress);
  }

  /** How far a schedule has come. */
  record Progress(
      boolean paused, Optional<Instant> nextFireAt, Optional<Instant> lastFireAt, long fires) {
    /** The schedule, come so far. */
    Schedule of(Schedule before) {
      return new Schedule(
          before.header(),
          before.name(),
          before.kind(),
          before.expression(),
          before.zone(),
          before.anchor(),
          before.definitionName(),
          before.definitionVersion(),
          before.definitionDigest(),
          before.misfire(),
          before.misfireAfter(),
          before.notBefore(),
          before.notAfter(),
          paused,
          nextFireAt,
          lastFireAt,
          fires,
          before.input());
    }
  }

  private Schedule draft(RecordHeader header, NewSchedule schedule, Progress progress) {
    Timing timing = schedule.timing();
    return new Schedule(
        header,
        schedule.name(),
        kind(timing),
        expression(timing),
        timing instanceof Timing.Cron cron ? Optional.of(cron.zone().getId()) : Optional.empty(),
        timing instanceof Timing.Every every ? Optional.of(every.anchor()) : Optional.empty(),
        schedule.definition().name(),
        schedule.definition().version(),
        schedule.definition().digest(),
        schedule.misfire(),
        schedule.misfireAfter(),
        schedule.notBefore(),
        schedule.notAfter(),
        progress.paused(),
        progress.nextFireAt(),
        progress.lastFireAt(),
        progress.fires(),
        access.seal(key(schedule.name()), header, "input", schedule.input()));
  }

  private static String kind(Timing timing) {
    if (timing instanceof Timing.Cron) {
      return "cron";
    }
    return timing instanceof Timing.Every ? "every" : "once";
  }

  private static String expression(Timing timing) {
    if (timing instanceof Timing.Cron cron) {
      return cron.expression();
    }
    return timing instanceof Timing.Every every
        ? every.interval().toString()
        : ((Timing.Once) timing).at().toString();
  }

  /** The first fire of a schedule that begins now. */
  private Instant first(NewSchedule schedule, Optional<Instant> lastFire) {
    Creation.checkAllowed(access, schedule.definition());
    FireTimes times = FireTimes.of(schedule.timing());
    if (times.after(Instant.EPOCH.minusSeconds(1)).isEmpty()) {
      throw new InvalidInput(
          "cron expression '%s' of schedule %s never fires: no date has such a day and month"
              .formatted(expression(schedule.timing()), schedule.name()));
    }
    Instant from = access.now();
    if (schedule.timing() instanceof Timing.Once once) {
      checkNotSkipped(schedule, once.at(), from);
      Instant before = FireTimes.justBefore(once.at());
      from = lastFire.filter(before::isBefore).orElse(before);
    }
    return times
        .within(schedule.notBefore(), schedule.notAfter())
        .after(from)
        .orElseThrow(
            () ->
                new InvalidInput(
                    "schedule %s would not fire any more: its times are over, or not within notBefore and notAfter"
                        .formatted(schedule.name())));
  }

  private static void checkNotSkipped(NewSchedule schedule, Instant at, Instant now) {
    if (schedule.misfire() == Misfire.SKIP && at.isBefore(now.minus(schedule.misfireAfter()))) {
      throw new InvalidInput(
          "schedule %s would never fire: %s is over, and it skips what is late by more than %s"
              .formatted(schedule.name(), at, schedule.misfireAfter()));
    }
  }

  @Override
  public CommitResult pause(Schedule seen) {
    access.require(Permission.MANAGE_SCHEDULES);
    return access.changeStored(
        seen,
        before -> {
          if (before.paused()) {
            throw new IllegalTransition("schedule " + before.name() + " is paused already");
          }
          return update(before, paused(before));
        });
  }

  /** The schedule, paused. */
  static Schedule paused(Schedule before) {
    return new Progress(true, Optional.empty(), before.lastFireAt(), before.fires()).of(before);
  }

  @Override
  public CommitResult resume(Schedule seen) {
    access.require(Permission.MANAGE_SCHEDULES);
    return access.changeStored(seen, before -> update(before, resumed(before)));
  }

  private Schedule resumed(Schedule before) {
    if (!before.paused()) {
      throw new IllegalTransition("schedule " + before.name() + " is not paused");
    }
    Optional<Instant> next = times(before).after(access.now());
    return new Progress(false, next, before.lastFireAt(), before.fires()).of(before);
  }

  private CommitResult update(Schedule before, Schedule after) {
    return access.unit().updateRecord(before, after).commit();
  }

  @Override
  public CommitResult remove(Schedule seen) {
    access.require(Permission.MANAGE_SCHEDULES);
    return access.changeStored(seen, before -> access.unit().deleteRecord(before).commit());
  }

  @Override
  public Optional<Schedule> find(String name) {
    access.require(Permission.READ);
    return access.find(Schedule.class, Inputs.name("schedule name", name));
  }

  @Override
  public Page<Schedule> list(int limit, Optional<String> after) {
    access.require(Permission.READ);
    Pages.checkLimit(limit);
    return access.page(
        Schedule.class, Scan.byKey(RecordTypes.SCHEDULE, List.of(), limit).after(after));
  }

  @Override
  public List<Instant> next(Schedule schedule, Instant after, int count) {
    return preview(times(schedule), after, count);
  }

  @Override
  public List<Instant> next(Timing timing, Instant after, int count) {
    return preview(FireTimes.of(timing), after, count);
  }

  private List<Instant> preview(FireTimes times, Instant after, int count) {
    access.require(Permission.READ);
    if (count < 1 || count > MAX_PREVIEW) {
      throw new InvalidInput("a preview has 1 to 1,000 times, not " + count);
    }
    return times.after(Inputs.calendar("the start of a preview", after), count);
  }

  /**
   * The times of a stored schedule.
   *
   * @throws UnsupportedVersion for a timing that this version cannot read: what stored it could
   */
  static FireTimes times(Schedule schedule) {
    Timing timing = schedule.timing();
    try {
      return FireTimes.of(timing).within(schedule.notBefore(), schedule.notAfter());
    } catch (InvalidInput e) {
      throw new UnsupportedVersion(
          "the timing of schedule %s is not known here: %s"
              .formatted(schedule.name(), e.getMessage()));
    }
  }

  @Override
  public Fired fire(Schedule before) {
    access.require(Permission.WORK);
    return new ScheduleFiring(access, before).fire();
  }

  @Override
  public Optional<Payload> input(Schedule schedule) {
    return access.open(key(schedule.name()), schedule.header(), "input", schedule.input());
  }

  /** Of the schedule of this name. */
  static Key key(String name) {
    return Key.of(RecordTypes.SCHEDULE, name);
  }
}
