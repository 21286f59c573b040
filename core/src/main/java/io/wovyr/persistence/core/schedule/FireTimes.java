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
  /** A time short enough to be walked, fire by fire. */
  Duration WALK = Duration.ofHours(1);

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
      return new EveryTimes(every);
    }
    Instant at = ((Timing.Once) timing).at();
    return instant -> Optional.of(at).filter(time -> time.isAfter(instant));
  }

  /** Those of them within this time, both ends included. */
  default FireTimes within(Optional<Instant> notBefore, Optional<Instant> notAfter) {
    FireTimes all = this;
    return new FireTimes() {
      @Override
      public Optional<Instant> after(Instant instant) {
        return all.after(
                notBefore
                    .map(FireTimes::justBefore)
                    .filter(from -> from.isAfter(instant))
                    .orElse(instant))
            .filter(time -> notAfter.isEmpty() || !time.isAfter(notAfter.get()));
      }

      @Override
      public Optional<Instant> last(Instant from, Instant to) {
        return all.last(
            notBefore.filter(from::isBefore).orElse(from), notAfter.filter(to::isAfter).orElse(to));
      }
    };
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
   * The last fire between two instants, both included. Halves the time until an hour is left: years
   * of missed minutes cost no more than the fires of an hour, wherever in them the last one lies.
   */
  default Optional<Instant> last(Instant from, Instant to) {
    Instant start = from;
    Instant end = to;
    while (Duration.between(start, end).compareTo(WALK) > 0) {
      Instant middle = Inputs.micros(start.plus(Duration.between(start, end).dividedBy(2)));
      if (after(justBefore(middle)).filter(next -> !next.isAfter(to)).isPresent()) {
        start = middle;
      } else {
        end = justBefore(middle);
      }
    }
    return lastFrom(start, end);
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
