/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.schedule;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.internal.Inputs;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/**
 * When a schedule fires.
 *
 * @since 0.1
 */
public sealed interface Timing {
  /**
   * By a cron expression of five fields (minute, hour, day of month, month, day of week) as crontab
   * has them, in a time zone. A local time that does not exist on a day (clocks put forward) fires
   * once, at the first instant after the gap; one that occurs twice (clocks put back) fires once,
   * at the first of the two. An expression whose minute or hour is a wildcard or a step goes by
   * elapsed time instead, so that "every 30 minutes" neither stops nor doubles.
   */
  record Cron(String expression, ZoneId zone) implements Timing {
    public Cron {
      Inputs.name("cron expression", expression);
    }
  }

  /** Again and again after this time, counted from {@code anchor}. */
  record Every(Duration interval, Instant anchor) implements Timing {
    public Every {
      if (interval.compareTo(Duration.ofSeconds(1)) < 0) {
        throw new InvalidInput("an interval is at least 1 second");
      }
      anchor = Inputs.micros(anchor);
    }
  }

  /** Once. */
  record Once(Instant at) implements Timing {
    public Once {
      at = Inputs.micros(at);
    }
  }
}
