/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.schedule;

import com.cronutils.model.Cron;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.field.CronFieldName;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.schedule.Timing;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The times of a cron expression in a time zone, by the rule of {@link Timing.Cron}. The library is
 * asked for local times only, which it computes as if in UTC, where clocks are never changed; what
 * becomes of them where clocks are is decided here, one stretch of constant offset after the other.
 */
final class CronTimes implements FireTimes {
  private static final List<String> FIELDS =
      List.of("minute", "hour", "day of month", "month", "day of week");
  private static final Set<String> EVERY_HOUR = Set.of("*", "*/1", "0-23");

  private final ExecutionTime localTimes;
  private final boolean everyHour;
  private final ZoneRules rules;

  private CronTimes(Cron cron, ZoneRules rules) {
    this.localTimes = ExecutionTime.forCron(cron);
    this.everyHour =
        EVERY_HOUR.contains(cron.retrieve(CronFieldName.HOUR).getExpression().asString());
    this.rules = rules;
  }

  /**
   * Reads the expression.
   *
   * @throws InvalidInput when it cannot be read, naming the field
   */
  static CronTimes of(Timing.Cron cron) {
    return new CronTimes(read(cron.expression()), cron.zone().getRules());
  }

  private static Cron read(String expression) {
    // The library makes capitals by the rules of the node's language, Turkish "fri" none it knows.
    String[] fields = expression.strip().toUpperCase(Locale.ROOT).split("\\s+");
    if (fields.length != FIELDS.size()) {
      throw new InvalidInput(
          "a cron expression has the 5 fields minute, hour, day of month, month and day of week; '%s' has %d"
              .formatted(expression, fields.length));
    }
    for (int i = 0; i < fields.length; i++) {
      String[] alone = {"*", "*", "*", "*", "*"};
      alone[i] = fields[i];
      try {
        parse(alone);
      } catch (RuntimeException e) {
        throw new InvalidInput(
            "the field '%s' of cron expression '%s' cannot be read: %s"
                .formatted(FIELDS.get(i), expression, said(e)));
      }
    }
    try {
      return parse(fields);
    } catch (RuntimeException e) {
      throw new InvalidInput(
          "the cron expression '%s' cannot be read: %s".formatted(expression, said(e)));
    }
  }

  /** The library stumbles over some texts that it does not refuse. */
  private static String said(RuntimeException e) {
    return e instanceof IllegalArgumentException ? String.valueOf(e.getMessage()) : "malformed";
  }

  private static Cron parse(String[] fields) {
    CronParser parser = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));
    return parser.parse(String.join(" ", fields)).validate();
  }

  @Override
  public Optional<Instant> after(Instant instant) {
    Instant from = Inputs.micros(instant).plus(1, ChronoUnit.MICROS);
    while (from.isBefore(Inputs.END_OF_CALENDAR)) {
      Optional<Instant> found = from(from);
      ZoneOffsetTransition end = rules.nextTransition(from);
      if (found.isEmpty() || end == null || found.get().isBefore(end.getInstant())) {
        return found.filter(time -> time.isBefore(Inputs.END_OF_CALENDAR));
      }
      from = end.getInstant();
    }
    return Optional.empty();
  }

  /** The first time from an instant on, if clocks were not changed after it any more. */
  private Optional<Instant> from(Instant from) {
    ZoneOffset offset = rules.getOffset(from);
    LocalDateTime local = LocalDateTime.ofInstant(from, offset);
    // The last change at or before it: that method looks strictly before.
    ZoneOffsetTransition change = rules.previousTransition(from.plusNanos(1));
    if (everyHour || change == null) {
      return localFrom(local).map(time -> time.toInstant(offset));
    }
    if (change.isOverlap()) {
      // What the clock showed before it was put back has fired.
      return localFrom(later(local, change.getDateTimeBefore()))
          .map(time -> time.toInstant(offset));
    }
    return Stream.concat(
            localFrom(local).map(time -> time.toInstant(offset)).stream(),
            movedOn(change, from).stream())
        .min(Comparator.naturalOrder());
  }

  /** The first of the times a gap left out, moved on by its length. */
  private Optional<Instant> movedOn(ZoneOffsetTransition gap, Instant from) {
    LocalDateTime local = LocalDateTime.ofInstant(from, gap.getOffsetBefore());
    return localFrom(later(local, gap.getDateTimeBefore()))
        .filter(time -> time.isBefore(gap.getDateTimeAfter()))
        .map(time -> time.toInstant(gap.getOffsetBefore()));
  }

  private Optional<LocalDateTime> localFrom(LocalDateTime local) {
    // Times are whole minutes, and the library looks strictly after.
    LocalDateTime before = local.minusNanos(1).truncatedTo(ChronoUnit.MINUTES);
    return localTimes
        .nextExecution(before.atZone(ZoneOffset.UTC))
        .map(ZonedDateTime::toLocalDateTime);
  }

  private static LocalDateTime later(LocalDateTime one, LocalDateTime other) {
    return one.isAfter(other) ? one : other;
  }
}
