/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.internal;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Checks at the door: what is refused here never reaches a store. Thread-safe, no state. */
public final class Inputs {
  /** Longest identifier or name, in UTF-16 units. */
  public static final int MAX_NAME = 255;

  /** The first instant that no calendar here knows. */
  public static final Instant END_OF_CALENDAR = Instant.parse("+10000-01-01T00:00:00Z");

  /** The first instant that every store keeps. */
  public static final Instant FIRST_KEPT = Instant.parse("0001-01-01T00:00:00Z");

  /** The longest that may be planned ahead, a hundred years: its end is still in the calendar. */
  static final Duration LONGEST = Duration.ofDays(36_500);

  private Inputs() {}

  /**
   * An identifier or name that every store keeps and compares alike: not blank, at most {@code max}
   * UTF-16 units, no control characters (NUL among them), no unpaired surrogates.
   *
   * @return {@code value}
   * @throws InvalidInput naming {@code what} and the rule that was broken, never the value
   */
  public static String name(String what, @Nullable String value, int max) {
    if (value == null || value.isBlank()) {
      throw new InvalidInput(what + " is missing: give a text of 1 to " + max + " characters");
    }
    return searchable(what, value, max);
  }

  /** As {@link #name(String, String, int)} with {@link #MAX_NAME}. */
  public static String name(String what, @Nullable String value) {
    return name(what, value, MAX_NAME);
  }

  /** As {@link #name(String, String, int)}, but blank is allowed: for search values. */
  public static String searchable(String what, String value, int max) {
    if (value.length() > max) {
      throw new InvalidInput(
          what + " has " + value.length() + " characters, at most " + max + " are allowed");
    }
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c < 0x20 || c == 0x7f) {
        throw new InvalidInput(
            "%s has the control character U+%04X at position %d: remove it, or send free text as a payload"
                .formatted(what, (int) c, i));
      }
      if (Character.isSurrogate(c)) {
        boolean pair =
            Character.isHighSurrogate(c)
                && i + 1 < value.length()
                && Character.isLowSurrogate(value.charAt(i + 1));
        if (!pair) {
          throw new InvalidInput(what + " has an unpaired surrogate at position " + i);
        }
        i++;
      }
    }
    return value;
  }

  /** Cuts to whole microseconds, never rounds: a stored instant equals the one that was saved. */
  public static Instant micros(Instant instant) {
    return instant.truncatedTo(ChronoUnit.MICROS);
  }

  /**
   * A time people plan with, cut to whole microseconds.
   *
   * @throws InvalidInput when it does not lie in the years 1970 to 9999
   */
  public static Instant calendar(String what, Instant instant) {
    if (instant.isBefore(Instant.EPOCH) || !instant.isBefore(END_OF_CALENDAR)) {
      throw new InvalidInput(what + " lies in the years 1970 to 9999, not at " + instant);
    }
    return micros(instant);
  }

  /**
   * A bound of a query, cut to whole microseconds. One that no store keeps comes to the nearest
   * that bounds the same records: all times are asked for by {@link Instant#MIN} and {@link
   * Instant#MAX}.
   */
  public static Instant bound(Instant instant) {
    if (instant.isBefore(FIRST_KEPT)) {
      return FIRST_KEPT;
    }
    return instant.isBefore(END_OF_CALENDAR) ? micros(instant) : END_OF_CALENDAR;
  }

  /**
   * An instant of a record, cut to whole microseconds.
   *
   * @throws InvalidInput when it is none that every store keeps, of the years 1 to 9999
   */
  public static Instant kept(String what, Instant instant) {
    if (instant.isBefore(FIRST_KEPT) || !instant.isBefore(END_OF_CALENDAR)) {
      throw new InvalidInput(what + " lies in the years 1 to 9999, not at " + instant);
    }
    return micros(instant);
  }

  /**
   * How long something is to last or to wait.
   *
   * @return {@code value}
   * @throws InvalidInput when it is longer than 36,500 days
   */
  public static Duration atMostACentury(String what, Duration value) {
    if (value.compareTo(LONGEST) > 0) {
      throw new InvalidInput(what + " is at most 36,500 days, not " + value);
    }
    return value;
  }
}
