/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.schedule.Misfire;
import io.wovyr.persistence.schedule.Timing;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FirePlanTest {
  private static final String DAY = "2026-06-01T";

  private static Instant at(String time) {
    return Instant.parse(DAY + LocalTime.parse(time) + (time.length() == 5 ? ":00Z" : "Z"));
  }

  private static String text(Instant instant) {
    return instant.atZone(ZoneOffset.UTC).toLocalTime().toString();
  }

  /** Every ten minutes, due at 10:00, five minutes' patience, at most four at a time. */
  @ParameterizedTest(name = "{0} at {1}: fires {2}, next {3}")
  @CsvSource({
    // Nothing missed: all the same.
    "FIRE_ONCE, 10:00,    10:00, 10:10",
    "FIRE_ALL,  10:00,    10:00, 10:10",
    "SKIP,      10:00,    10:00, 10:10",
    "FIRE_ONCE, 10:05,    10:00, 10:10",
    "SKIP,      10:05,    10:00, 10:10",
    // One missed.
    "FIRE_ONCE, 10:05:01, 10:00, 10:10",
    "FIRE_ALL,  10:05:01, 10:00, 10:10",
    "SKIP,      10:05:01, '',    10:10",
    // Some missed, the last one on time.
    "FIRE_ONCE, 10:33,    10:20 10:30, 10:40",
    "FIRE_ALL,  10:33,    10:00 10:10 10:20 10:30, 10:40",
    "SKIP,      10:33,    10:30, 10:40",
    // All missed, more than are fired at a time.
    "FIRE_ONCE, 11:08,    11:00, 11:10",
    "FIRE_ALL,  11:08,    10:00 10:10 10:20 10:30, 10:40",
    "SKIP,      11:08,    '',    11:10",
  })
  void doesWithMissedFiresWhatTheRuleSays(
      Misfire misfire, String now, String expected, String next) {
    FireTimes times =
        FireTimes.of(new Timing.Every(Duration.ofMinutes(10), Instant.parse(DAY + "00:00:00Z")));

    FirePlan plan = FirePlan.of(times, at("10:00"), at(now), misfire, Duration.ofMinutes(5), 4);

    assertThat(plan.fires().stream().map(FirePlanTest::text).collect(Collectors.joining(" ")))
        .isEqualTo(expected);
    assertThat(plan.next().map(FirePlanTest::text)).contains(next);
  }

  @Test
  void noMoreThanTheLimitIsFiredWhenNothingIsMissed() {
    FireTimes times = FireTimes.of(new Timing.Every(Duration.ofSeconds(1), at("09:00")));
    FirePlan plan =
        FirePlan.of(times, at("10:00"), at("10:01"), Misfire.FIRE_ONCE, Duration.ofHours(1), 25);
    assertThat(plan.fires()).hasSize(25);
    assertThat(plan.next()).contains(at("10:00:25"));
  }

  @Test
  void aDueTimeThatRulesHaveMovedSinceStillFires() {
    FireTimes times = FireTimes.of(Timing.Cron.of("0 12 * * *", "UTC"));
    for (Misfire misfire : List.of(Misfire.FIRE_ONCE, Misfire.FIRE_ALL)) {
      FirePlan plan =
          FirePlan.of(times, at("10:00"), at("11:00"), misfire, Duration.ofMinutes(1), 100);
      assertThat(plan).isEqualTo(new FirePlan(List.of(at("10:00")), Optional.of(at("12:00"))));
    }
  }

  @Test
  void afterItsLastTimeAScheduleIsOver() {
    FireTimes times = FireTimes.of(new Timing.Once(at("10:00")));
    assertThat(
            FirePlan.of(times, at("10:00"), at("23:00"), Misfire.SKIP, Duration.ofMinutes(1), 100))
        .isEqualTo(new FirePlan(List.of(), Optional.empty()));
  }
}
