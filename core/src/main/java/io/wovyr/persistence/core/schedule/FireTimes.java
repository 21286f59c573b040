/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.schedule;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.schedule.Timing;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The times a timing fires at, whole microseconds until the year 9999. Immutable. */
public interface FireTimes {
  /** How far back to look for a last fire, shortest first; then everywhere. */
  List<Duration> LOOK_BACK =
      List.of(
          Duration.ofHours(1),
          Duration.ofDays(1),
          Duration.ofDays(31),
          Duration.ofDays(366),
          Duration.ofDays(3_660));

  /** The first fire strictly after an instant; empty when there is none. */
  Optional<Instant> after(Instant instant);

  /**
   * The times of a timing.
   *
   * @throws InvalidInput for a cron expression that cannot be read, naming the field
   */
  static FireTimes of(Timing timing) {
    if (timing instanceof Timing.Cron cron) {
      return CronTimes.of(cron);
    }
    if (timing instanceof Timing.Every every) {
      return instant -> every(every, instant);
    }
    Instant at = ((Timing.Once) timing).at();
    return instant -> Optional.of(at).filter(time -> time.isAfter(instant));
  }

  private static Optional<Instant> every(Timing.Every every, Instant instant) {
    if (instant.isBefore(every.anchor())) {
      return Optional.of(every.anchor());
    }
    long passed = Duration.between(every.anchor(), instant).dividedBy(every.interval());
    return Optional.of(every.anchor().plus(every.interval().multipliedBy(passed + 1)))
        .filter(time -> time.isBefore(Inputs.END_OF_CALENDAR));
  }

  /** Those of them within this time, both ends included. */
  default FireTimes within(Optional<Instant> notBefore, Optional<Instant> notAfter) {
    return instant ->
        after(
                notBefore
                    .map(FireTimes::justBefore)
                    .filter(from -> from.isAfter(instant))
                    .orElse(instant))
            .filter(time -> notAfter.isEmpty() || !time.isAfter(notAfter.get()));
  }

  /** The next fires after an instant, at most so many. */
  default List<Instant> after(Instant instant, int count) {
    List<Instant> times = new ArrayList<>();
    Optional<Instant> next = after(instant);
    while (next.isPresent() && times.size() < count) {
      times.add(next.get());
      next = after(next.get());
    }
    return times;
  }

  /**
   * The last fire between two instants, both included. Looks at a short time before the end first,
   * so that a year of missed minutes costs no more than the fires of an hour.
   */
  default Optional<Instant> last(Instant from, Instant to) {
    for (Duration back : LOOK_BACK) {
      Instant start = to.minus(back);
      if (!start.isAfter(from)) {
        break;
      }
      Optional<Instant> found = lastFrom(start, to);
      if (found.isPresent()) {
        return found;
      }
    }
    return lastFrom(from, to);
  }

  private Optional<Instant> lastFrom(Instant from, Instant to) {
    Optional<Instant> last = Optional.empty();
    Optional<Instant> next = after(justBefore(from));
    while (next.isPresent() && !next.get().isAfter(to)) {
      last = next;
      next = after(next.get());
    }
    return last;
  }

  /** No fire lies between this and the instant, which is one of whole microseconds. */
  static Instant justBefore(Instant instant) {
    return instant.minus(1, ChronoUnit.MICROS);
  }
}
