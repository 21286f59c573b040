/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.schedule.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;

/** How schedules are told, to people and to programs. Stateless. */
final class ScheduleText {
  /** Schedulers look every second, and one of them may just have been followed by another. */
  private static final Duration SOON = Duration.ofSeconds(30);

  private ScheduleText() {}

  /** {@code 30 2 * * * in Europe/Berlin}, {@code every 10 min}, {@code once}. */
  static String timing(Schedule schedule) {
    return switch (schedule.kind()) {
      case "cron" -> schedule.expression() + " in " + schedule.zone().orElse("UTC");
      case "every" -> "every " + every(schedule.expression());
      case "once" -> "once at " + schedule.expression();
      default -> schedule.kind() + " " + schedule.expression();
    };
  }

  private static String every(String expression) {
    Duration interval;
    try {
      interval = Duration.parse(expression);
    } catch (DateTimeParseException e) {
      return expression; // As it is stored: whoever asks for its times is told.
    }
    boolean round =
        interval.compareTo(Duration.ofDays(1)) < 0
            && interval.equals(interval.truncatedTo(ChronoUnit.MINUTES));
    return round ? Human.duration(interval) : expression;
  }

  /** {@code paused} or {@code over} where there is no next fire. */
  static String next(Schedule schedule) {
    return schedule.nextFireAt().map(Human::time).orElse(schedule.paused() ? "paused" : "over");
  }

  /** As {@link #next(Schedule)}, the zone with it: for a sentence. */
  static String nextInFull(Schedule schedule) {
    return next(schedule) + (schedule.nextFireAt().isPresent() ? " UTC" : "");
  }

  /** As {@link #next(Schedule)}, and how late that is. */
  static String next(Schedule schedule, Instant now) {
    return next(schedule)
        + late(schedule, now).map(by -> ", " + Human.duration(by) + " late").orElse("");
  }

  /**
   * By how much the fire that is due is late; empty while a scheduler may yet be about to fire it.
   */
  static Optional<Duration> late(Schedule schedule, Instant now) {
    return schedule
        .nextFireAt()
        .map(next -> Duration.between(next, now))
        .filter(by -> by.compareTo(SOON) > 0);
  }

  static String misfire(Schedule schedule) {
    return schedule.misfire().name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static String definition(Schedule schedule) {
    return schedule.definitionName() + " " + schedule.definitionVersion();
  }

  static JsonObject json(Schedule schedule) {
    return new JsonObject()
        .put("name", schedule.name())
        .put("kind", schedule.kind())
        .put("expression", schedule.expression())
        .put("zone", schedule.zone())
        .put("anchor", schedule.anchor())
        .put(
            "definition",
            new JsonObject()
                .put("name", schedule.definitionName())
                .put("version", schedule.definitionVersion())
                .put("digest", schedule.definitionDigest()))
        .put("misfire", misfire(schedule))
        .put("misfireAfter", schedule.misfireAfter())
        .put("notBefore", schedule.notBefore())
        .put("notAfter", schedule.notAfter())
        .put("paused", schedule.paused())
        .put("nextFireAt", schedule.nextFireAt())
        .put("lastFireAt", schedule.lastFireAt())
        .put("fires", schedule.fires());
  }
}
