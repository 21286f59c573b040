/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cbor;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Types that are written as the ISO 8601 text of their {@code toString}, under a name. Immutable.
 */
record TextForm(String name, Class<?> type, Function<String, ?> parser) {
  private static final List<TextForm> ALL =
      List.of(
          new TextForm(":instant", Instant.class, Instant::parse),
          new TextForm(":duration", Duration.class, Duration::parse),
          new TextForm(":period", Period.class, Period::parse),
          new TextForm(":local-date", LocalDate.class, LocalDate::parse),
          new TextForm(":local-time", LocalTime.class, LocalTime::parse),
          new TextForm(":local-date-time", LocalDateTime.class, LocalDateTime::parse),
          new TextForm(":offset-time", OffsetTime.class, OffsetTime::parse),
          new TextForm(":offset-date-time", OffsetDateTime.class, OffsetDateTime::parse),
          new TextForm(":zoned-date-time", ZonedDateTime.class, ZonedDateTime::parse),
          new TextForm(":year", Year.class, TextForm::year),
          new TextForm(":year-month", YearMonth.class, YearMonth::parse));

  private static final Pattern RFC_3339 = Pattern.compile("\\d{4}-.*Z");
  private static final Pattern RFC_8943 = Pattern.compile("\\d{4}-\\d\\d-\\d\\d");
  private static final Map<Class<?>, TextForm> BY_TYPE =
      ALL.stream().collect(Collectors.toUnmodifiableMap(TextForm::type, Function.identity()));
  private static final Map<String, TextForm> BY_NAME =
      ALL.stream().collect(Collectors.toUnmodifiableMap(TextForm::name, Function.identity()));

  static @Nullable TextForm of(Class<?> type) {
    return BY_TYPE.get(type);
  }

  static @Nullable TextForm named(String name) {
    return BY_NAME.get(name);
  }

  /** The tag of a text; none where its name tells what it is. Years of other lengths have none. */
  int tagOf(String text) {
    if (type == Instant.class && RFC_3339.matcher(text).matches()) {
      return Tags.INSTANT;
    }
    return type == LocalDate.class && RFC_8943.matcher(text).matches()
        ? Tags.LOCAL_DATE
        : Tags.NONE;
  }

  /** The value of a text; empty when it is not the text that the value is written as. */
  Optional<Object> parse(String text) {
    try {
      Object value = parser.apply(text);
      return value.toString().equals(text) ? Optional.of(value) : Optional.empty();
    } catch (DateTimeException | NumberFormatException | ArithmeticException e) {
      // The last is a period's: of weeks that are more days than an int holds.
      return Optional.empty();
    }
  }

  private static Year year(String text) {
    return Year.of(Integer.parseInt(text));
  }
}
