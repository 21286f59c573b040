/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.schedule;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.payload.Payload;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * A schedule to store.
 *
 * @param name 1 to 200 characters
 * @param definition what each fire creates an execution of
 * @param input of each execution
 * @param misfireAfter how late a fire may be before it counts as missed; at most 36,500 days, and
 *     with {@link Misfire#SKIP} at least 1 second: no fire is found in the instant it is due
 * @param notBefore no fire has an earlier time
 * @param notAfter no fire has a later time
 * @since 0.1
 */
public record NewSchedule(
    String name,
    Timing timing,
    DefinitionRef definition,
    Optional<Payload> input,
    Misfire misfire,
    Duration misfireAfter,
    Optional<Instant> notBefore,
    Optional<Instant> notAfter) {
  private static final Duration LONGEST = Duration.ofDays(36_500);
  private static final Duration SHORTEST_TO_SKIP = Duration.ofSeconds(1);

  public NewSchedule {
    Inputs.name("schedule name", name, 200);
    if (misfireAfter.isNegative() || misfireAfter.compareTo(LONGEST) > 0) {
      throw new InvalidInput(
          "a fire counts as missed after 0 seconds to 36,500 days, not after " + misfireAfter);
    }
    if (misfire == Misfire.SKIP && misfireAfter.compareTo(SHORTEST_TO_SKIP) < 0) {
      throw new InvalidInput(
          "a fire that is skipped when it is missed counts as missed after 1 second or more, not"
              + " after %s: every fire would be skipped".formatted(misfireAfter));
    }
    misfireAfter = misfireAfter.truncatedTo(ChronoUnit.MICROS);
    notBefore = notBefore.map(from -> Inputs.calendar("notBefore", from));
    notAfter = notAfter.map(to -> Inputs.calendar("notAfter", to));
    if (notBefore.isPresent() && notAfter.isPresent() && notAfter.get().isBefore(notBefore.get())) {
      throw new InvalidInput("notAfter is before notBefore: the schedule would never fire");
    }
  }

  /** Missed fires, more than a minute late, fire once. */
  public static NewSchedule of(String name, Timing timing, DefinitionRef definition) {
    return new NewSchedule(
        name,
        timing,
        definition,
        Optional.empty(),
        Misfire.FIRE_ONCE,
        Duration.ofMinutes(1),
        Optional.empty(),
        Optional.empty());
  }

  /** With the input of each execution. */
  public NewSchedule withInput(Payload value) {
    return new NewSchedule(
        name, timing, definition, Optional.of(value), misfire, misfireAfter, notBefore, notAfter);
  }

  /** With what to do about missed fires. */
  public NewSchedule withMisfire(Misfire value, Duration after) {
    return new NewSchedule(name, timing, definition, input, value, after, notBefore, notAfter);
  }

  /** Only within this time, both ends included. */
  public NewSchedule within(Optional<Instant> from, Optional<Instant> to) {
    return new NewSchedule(name, timing, definition, input, misfire, misfireAfter, from, to);
  }
}
