/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.schedule;

import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.schedule.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The times of an interval, computed and not walked. Immutable. */
record EveryTimes(Timing.Every every) implements FireTimes {
  @Override
  public Optional<Instant> after(Instant instant) {
    if (instant.isBefore(every.anchor())) {
      return Optional.of(every.anchor());
    }
    return Optional.of(fire(passed(instant) + 1))
        .filter(time -> time.isBefore(Inputs.END_OF_CALENDAR));
  }

  @Override
  public Optional<Instant> last(Instant from, Instant to) {
    if (to.isBefore(every.anchor())) {
      return Optional.empty();
    }
    return Optional.of(fire(passed(to))).filter(time -> !time.isBefore(from));
  }

  /** How many intervals are over at an instant that is not before the anchor. */
  private long passed(Instant instant) {
    return Duration.between(every.anchor(), instant).dividedBy(every.interval());
  }

  private Instant fire(long number) {
    return every.anchor().plus(every.interval().multipliedBy(number));
  }
}
