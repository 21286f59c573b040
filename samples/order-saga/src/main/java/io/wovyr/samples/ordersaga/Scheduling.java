/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Persistence.DueSchedule;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.schedule.Schedules;
import java.util.concurrent.TimeUnit;

/**
 * Fires schedules that are due, between two orders. All workers do, and nobody tells them who: of
 * those that see the same fire one wins. Used on one thread.
 */
final class Scheduling {
  private static final long LOOK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
  private static final int PAGE = 100;

  private final Persistence.SystemAccess system;
  private final Schedules schedules;
  private final String tenant;
  private long lookedAtNanos = System.nanoTime() - LOOK_EVERY_NANOS;

  Scheduling(Persistence.SystemAccess system, Repositories repositories, String tenant) {
    this.system = system;
    this.schedules = repositories.schedules();
    this.tenant = tenant;
  }

  /** Looks now and then. */
  void look() {
    long now = System.nanoTime();
    if (now - lookedAtNanos < LOOK_EVERY_NANOS) {
      return;
    }
    lookedAtNanos = now;
    for (DueSchedule due : system.dueSchedules(PAGE)) {
      if (due.tenantId().equals(tenant)) {
        schedules.find(due.name()).ifPresent(schedules::fire);
      }
    }
  }
}
