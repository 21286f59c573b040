/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/** Sizes, times and texts as a person reads them. Stateless. */
final class Human {
  /** Stands where there is nothing to show. */
  static final String NOTHING = "-";

  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private Human() {}

  /** {@code 17 B}, {@code 1.5 KiB}. */
  static String size(long bytes) {
    if (bytes < 1024) {
      return bytes + " B";
    }
    double value = bytes;
    int unit = -1;
    while (value >= 1024 && unit < UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %s", value, UNITS[unit]);
  }

  /** {@code 12,345}. */
  static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** {@code 1 event}, {@code 2 events}. */
  static String count(long number, String noun) {
    return count(number) + " " + noun + (number == 1 ? "" : "s");
  }

  /** UTC, whole seconds. */
  static String time(Instant instant) {
    return SECONDS.format(instant);
  }

  /** UTC, or a dash. */
  static String time(Optional<Instant> instant) {
    return instant.map(Human::time).orElse(NOTHING);
  }

  /** {@code in 4.2 s} or {@code 3 min ago}. */
  static String fromNow(Instant instant, Instant now) {
    Duration distance = Duration.between(now, instant);
    return distance.isNegative()
        ? duration(distance.negated()) + " ago"
        : "in " + duration(distance);
  }

  /** The two largest units that matter: {@code 0.3 s}, {@code 4 min 10 s}, {@code 2 d 3 h}. */
  static String duration(Duration duration) {
    if (duration.compareTo(Duration.ofSeconds(10)) < 0) {
      return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
    }
    if (duration.compareTo(Duration.ofMinutes(1)) < 0) {
      return duration.toSeconds() + " s";
    }
    if (duration.compareTo(Duration.ofHours(1)) < 0) {
      return two(duration.toMinutes(), "min", duration.toSecondsPart(), "s");
    }
    if (duration.compareTo(Duration.ofDays(1)) < 0) {
      return two(duration.toHours(), "h", duration.toMinutesPart(), "min");
    }
    return two(duration.toDays(), "d", duration.toHoursPart(), "h");
  }

  private static String two(long large, String unit, long small, String smallUnit) {
    return large + " " + unit + (small == 0 ? "" : " " + small + " " + smallUnit);
  }

  /**
   * Text on one line of a terminal: control characters are spelled out, so that stored text cannot
   * steer the terminal.
   */
  static String oneLine(String text) {
    StringBuilder line = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c) || isInvisible(c)) {
        if (line == null) {
          line = new StringBuilder(text.length() + 16).append(text, 0, i);
        }
        line.append(escaped(c));
      } else if (line != null) {
        line.append(c);
      }
    }
    return line == null ? text : line.toString();
  }

  /** Line separators and marks that turn the direction of writing. */
  private static boolean isInvisible(char c) {
    return (c >= '\u2028' && c <= '\u202e')
        || (c >= '\u2066' && c <= '\u2069')
        || c == '\u200e'
        || c == '\u200f';
  }

  private static String escaped(char c) {
    return switch (c) {
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      default -> String.format(Locale.ROOT, "\\u%04x", (int) c);
    };
  }

  /** The beginning of a text, and how much is left out. */
  static String shortened(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
    return text.substring(0, end) + "... (" + count(text.length() - end) + " more)";
  }
}
