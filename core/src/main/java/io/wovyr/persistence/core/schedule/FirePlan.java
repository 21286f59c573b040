/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.schedule;

import io.wovyr.persistence.schedule.Misfire;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What to do now about a schedule that is due.
 *
 * @param fires the times to fire, the oldest first; may be empty when all were missed
 * @param next when it is due again; empty when it is over
 */
public record FirePlan(List<Instant> fires, Optional<Instant> next) {
  public FirePlan {
    fires = List.copyOf(fires);
  }

  /**
   * Plans the fires from the one that is due until now.
   *
   * @param due the time of the first, not after {@code now}; taken as it is, also when time zone
   *     rules have changed since it was computed
   * @param misfireAfter fires late by more than this are missed
   * @param limit of fires at a time; what is more stays due
   */
  public static FirePlan of(
      FireTimes times,
      Instant due,
      Instant now,
      Misfire misfire,
      Duration misfireAfter,
      int limit) {
    Instant onTime = now.minus(misfireAfter);
    List<Instant> fires = new ArrayList<>();
    Optional<Instant> next = Optional.of(due);
    if (misfire != Misfire.FIRE_ALL && due.isBefore(onTime)) {
      next = times.after(FireTimes.justBefore(onTime));
      if (misfire == Misfire.FIRE_ONCE) {
        fires.add(times.last(due, FireTimes.justBefore(onTime)).orElse(due));
      }
    }
    while (next.isPresent() && !next.get().isAfter(now) && fires.size() < limit) {
      fires.add(next.get());
      next = times.after(next.get());
    }
    return new FirePlan(fires, next);
  }
}
