/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.schedule.NewSchedule;
import io.wovyr.persistence.schedule.Schedule;
import io.wovyr.persistence.schedule.Schedules;
import io.wovyr.persistence.schedule.Timing;
import java.time.Duration;
import java.time.Instant;

/**
 * The schedule that begins a settlement every two seconds, which is how often a shop's night comes
 * in a run of a minute. Workers fire it. Thread-safe.
 */
final class SettlementSchedule {
  /** Its name. */
  static final String NAME = "settlement";

  private static final Duration INTERVAL = Duration.ofSeconds(2);
  private static final Duration FIRST_AFTER = Duration.ofMillis(500);

  private final Schedules schedules;

  SettlementSchedule(Repositories administrator) {
    schedules = administrator.schedules();
  }

  /** Begins it, unless a run that is resumed has. */
  void begin() {
    if (schedules.find(NAME).isEmpty()) {
      Timing timing = new Timing.Every(INTERVAL, Instant.now().plus(FIRST_AFTER));
      schedules.add(NewSchedule.of(NAME, timing, Workflow.SETTLEMENT.definition())).orThrow();
    }
  }

  /** Ends it: how often it has fired, and will have. */
  long end() {
    while (true) {
      Schedule schedule =
          schedules
              .find(NAME)
              .orElseThrow(() -> new IllegalStateException("there is no schedule " + NAME));
      // A worker may fire it in between.
      if (schedule.paused() || schedules.pause(schedule).isCommitted()) {
        return schedule.fires();
      }
    }
  }
}
