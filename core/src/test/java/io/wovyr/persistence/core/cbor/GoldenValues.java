/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cbor;

import java.math.BigDecimal;
import java.math.BigInteger;
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
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Values of every type there is, at their edges; those of the golden files. Never changed. */
final class GoldenValues {
  private GoldenValues() {}

  static Map<String, @Nullable Object> all() {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("null", null);
    all.put("integers", integers());
    all.put("floating", floating());
    all.put("decimals", decimals());
    all.put("texts", texts());
    all.put("times", times());
    all.put("arrays", arrays());
    all.put("holders", holders());
    all.put("lookalikes", lookalikes());
    all.put("registered", Shop.order(Optional.of(Shop.order(Optional.empty(), 6L)), "note"));
    return all;
  }

  private static List<Object> integers() {
    return List.of(
        0,
        -1,
        23,
        24,
        -25,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        6L,
        -1L,
        Integer.MAX_VALUE + 1L,
        9_007_199_254_740_993L,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        (short) 1,
        Short.MIN_VALUE,
        (byte) 2,
        Byte.MIN_VALUE,
        BigInteger.ZERO,
        BigInteger.valueOf(-1),
        BigInteger.valueOf(255),
        BigInteger.ONE.shiftLeft(64),
        BigInteger.ONE.shiftLeft(64).negate(),
        true,
        false);
  }

  private static List<Object> floating() {
    return List.of(
        1.0f,
        1.0d,
        0.1f,
        0.1d,
        -0.0f,
        -0.0d,
        Float.NaN,
        Double.NaN,
        Float.POSITIVE_INFINITY,
        Float.NEGATIVE_INFINITY,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        Float.MIN_VALUE,
        Double.MIN_VALUE,
        Double.MAX_VALUE);
  }

  private static List<Object> decimals() {
    return List.of(
        new BigDecimal("2.500"),
        new BigDecimal("2.5"),
        new BigDecimal("0.00007"),
        new BigDecimal("1E+400"),
        new BigDecimal("123456789012345678901234567890.12"),
        new BigDecimal("-0.000"),
        new BigDecimal(BigInteger.valueOf(-7), Integer.MAX_VALUE),
        new BigDecimal(BigInteger.valueOf(Long.MIN_VALUE), Integer.MIN_VALUE));
  }

  private static List<Object> texts() {
    return List.of(
        "",
        "ab\u0000cd",
        "Z\u00fcrich \uD83D\uDE80 \uFFFE \uFFFD \u007f \"quoted\"\\\n",
        "x".repeat(5_000),
        'c',
        '\u0000',
        UUID.fromString("01890000-0000-7000-8000-000000000001"));
  }

  private static List<Object> times() {
    return List.of(
        Instant.parse("2026-02-03T04:05:06.987654321Z"),
        Instant.EPOCH,
        Instant.MIN,
        Instant.MAX,
        Instant.parse("0000-01-01T00:00:00Z"),
        Instant.parse("-0001-12-31T23:59:59Z"),
        Duration.ofNanos(1),
        Duration.ofNanos(-1),
        Duration.ofSeconds(Long.MIN_VALUE, 1),
        Period.of(1, -2, 3),
        LocalDate.of(2026, 2, 3),
        LocalDate.MIN,
        LocalDate.MAX,
        LocalTime.of(23, 59, 59, 1),
        LocalDateTime.of(2026, 2, 3, 4, 5),
        OffsetTime.parse("04:05:06-18:00"),
        OffsetDateTime.parse("2026-02-03T04:05:06+05:45"),
        ZonedDateTime.parse("2026-10-25T02:30:00+02:00[Europe/Paris]"),
        ZonedDateTime.parse("2026-10-25T02:30:00+01:00[Europe/Paris]"),
        Year.of(-5),
        YearMonth.of(2026, 2));
  }

  private static List<Object> arrays() {
    return List.of(
        new byte[0],
        new byte[] {0, -1, 127},
        new short[] {1, Short.MIN_VALUE},
        new int[] {1, Integer.MIN_VALUE},
        new int[0],
        new long[] {1, Long.MIN_VALUE},
        new float[] {1, Float.NaN, -0.0f},
        new double[] {1, Double.NaN, -0.0});
  }

  private static List<@Nullable Object> holders() {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    map.put("z", 1);
    map.put("a", null);
    map.put("mm", List.of());
    map.put("", Map.of());
    map.put("ab\u0000cd", Optional.of(1L));
    return Arrays.asList(
        map,
        new LinkedHashSet<>(List.of(List.of(3, 4), List.of(1, 2))),
        Optional.empty(),
        Optional.of(Optional.of(List.of(1L, 2L))),
        null,
        List.of(List.of(List.of())));
  }

  private static List<Object> lookalikes() {
    Map<String, Object> envelope = new LinkedHashMap<>();
    envelope.put("@class", "java.net.URL");
    envelope.put("v", "http://127.0.0.1");
    return List.of(
        envelope,
        List.of("javax.swing.JPanel", Map.of()),
        List.of("shop.Positive", Map.of()),
        ":long");
  }
}
