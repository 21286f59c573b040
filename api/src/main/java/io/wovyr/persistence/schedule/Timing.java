/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.schedule;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.internal.Inputs;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

/**
 * When a schedule fires. Every time is cut to whole microseconds and lies in the years 1970 to
 * 9999.
 *
 * @since 0.1
 */
public sealed interface Timing {
  /**
   * By a cron expression of five fields (minute, hour, day of month, month, day of week) as crontab
   * has them, read on the wall clock of a time zone: lists, ranges, steps, and three-letter names
   * of months and days. Of day of month and day of week, when neither is {@code *}, either is
   * enough.
   *
   * <p>When clocks are changed, each time of day still fires once on each local day, as RFC 5545
   * (section 3.3.5) reads local times: one that does not exist (clocks put forward) is moved on by
   * the length of the gap, so that 02:30 becomes 03:30; one that occurs twice (clocks put back)
   * fires the first time only. Times that come to the same instant fire once.
   *
   * <p>An expression for every hour (hour {@code *}, <code>*&#47;1</code> or {@code 0-23}) is not
   * about times of day. It fires whenever the clock shows a matching time: in an hour that occurs
   * twice both times, in one that does not exist never, so that "every 30 minutes" neither stops
   * nor doubles where clocks change by whole hours. For an even pace in any zone, use {@link
   * Every}.
   *
   * <p>Whether the expression can be read and ever fires is checked when a schedule is stored.
   *
   * @param zone kept by its id: its rules are those of the runtime that computes the next fire
   */
  record Cron(String expression, ZoneId zone) implements Timing {
    public Cron {
      Inputs.name("cron expression", expression);
      Objects.requireNonNull(zone, "zone");
    }

    /**
     * With a zone as people write it, such as {@code Europe/Berlin}.
     *
     * @throws InvalidInput when there is no such zone
     */
    public static Cron of(String expression, String zone) {
      return new Cron(expression, zone(zone));
    }

    private static ZoneId zone(String text) {
      try {
        return ZoneId.of(Inputs.name("time zone", text));
      } catch (DateTimeException e) {
        throw new InvalidInput(
            "there is no time zone '" + text + "': give an id such as Europe/Berlin or UTC");
      }
    }
  }

  /**
   * At the anchor, and again and again after this time, counted from the anchor whatever clocks
   * show; never before the anchor.
   *
   * @param interval 1 second to 36,500 days
   */
  record Every(Duration interval, Instant anchor) implements Timing {
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(36_500);

    public Every {
      if (interval.compareTo(SHORTEST) < 0 || interval.compareTo(LONGEST) > 0) {
        throw new InvalidInput("an interval is 1 second to 36,500 days, not " + interval);
      }
      interval = interval.truncatedTo(ChronoUnit.MICROS);
      anchor = Inputs.calendar("the anchor of an interval", anchor);
    }
  }

  /** Once; soon after it was stored when the time is over by then. */
  record Once(Instant at) implements Timing {
    public Once {
      at = Inputs.calendar("the time of a schedule", at);
    }
  }
}
