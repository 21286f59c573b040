/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cbor;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.payload.Payload;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is written comes back the same, and is written the same again. */
final class CborRandomTest {
  private static final int VALUES = 3_000;
  private static final int KINDS = 24;
  private static final List<ZoneId> ZONES =
      List.of(
          ZoneId.of("Europe/Paris"),
          ZoneId.of("Asia/Kathmandu"),
          ZoneId.of("America/St_Johns"),
          ZoneOffset.ofHoursMinutesSeconds(1, 2, 3));

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 20_261_130, 9_007_199_254_740_993L, -7})
  void everyRandomValueComesBackAndIsWrittenTheSameAgain(long seed) {
    CborPayloadConverter converter = Shop.types().build();
    Random random = new Random(seed);
    for (int i = 0; i < VALUES; i++) {
      Object value = value(random, 4);
      Payload written = converter.toPayload(value);
      Object restored = converter.toValue(written);
      assertThat(Shown.of(restored)).as("value %d of seed %d", i, seed).isEqualTo(Shown.of(value));
      assertThat(converter.toPayload(restored)).isEqualTo(written);
    }
  }

  private static @Nullable Object value(Random random, int levels) {
    return switch (random.nextInt(levels > 0 ? KINDS : KINDS - 5)) {
      case 0 -> null;
      case 1 -> random.nextBoolean();
      case 2 -> (byte) random.nextInt();
      case 3 -> (short) random.nextInt();
      case 4 -> random.nextInt() >> random.nextInt(32);
      case 5 -> random.nextLong() >> random.nextInt(64);
      case 6 -> Float.intBitsToFloat(random.nextInt());
      case 7 -> Double.longBitsToDouble(random.nextLong());
      case 8 -> new BigInteger(random.nextInt(200), random).subtract(BigInteger.valueOf(99));
      case 9 -> new BigDecimal(new BigInteger(random.nextInt(200), random).not(), random.nextInt());
      case 10 -> text(random);
      case 11 -> new UUID(random.nextLong(), random.nextLong());
      case 12 -> bytes(random);
      case 13 -> random.ints(random.nextInt(5)).toArray();
      case 14 -> random.doubles(random.nextInt(5)).toArray();
      case 15 -> instant(random);
      case 16 -> Duration.ofSeconds(random.nextLong() >> random.nextInt(64), random.nextInt());
      case 17 -> time(random);
      case 18 -> random.nextBoolean() ? Shop.State.OPEN : Shop.State.PAID;
      case 19 -> list(random, levels);
      case 20 ->
          new LinkedHashSet<>(list(random, 1).stream().filter(CborRandomTest::hasEquals).toList());
      case 21 -> map(random, levels);
      case 22 -> Optional.ofNullable(value(random, levels - 1));
      default -> instance(random, levels);
    };
  }

  /** Arrays are never equal, so a set of them is no set of values. */
  private static boolean hasEquals(@Nullable Object value) {
    return value != null && !Shown.of(value).matches("(?s).*\"(bytes|int\\[]|double\\[])\":.*");
  }

  private static Instant instant(Random random) {
    return Instant.ofEpochSecond(random.nextLong() >> (10 + random.nextInt(50)), random.nextInt());
  }

  private static Object time(Random random) {
    Instant instant = Instant.ofEpochSecond(random.nextInt(), random.nextInt());
    ZoneId zone = ZONES.get(random.nextInt(ZONES.size()));
    return switch (random.nextInt(4)) {
      case 0 -> instant.atZone(zone);
      case 1 -> OffsetDateTime.ofInstant(instant, zone);
      case 2 -> LocalDate.ofEpochDay(random.nextInt());
      default -> LocalTime.ofNanoOfDay(random.nextLong(Duration.ofDays(1).toNanos()));
    };
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(20) == 0 ? random.nextInt(9_000) : random.nextInt(12);
    for (int i = 0; i < length; i++) {
      int point = random.nextInt(0x110000) >> random.nextInt(21);
      text.appendCodePoint(point >= 0xd800 && point < 0xe000 ? 0 : point);
    }
    return text.toString();
  }

  private static byte[] bytes(Random random) {
    byte[] bytes = new byte[random.nextInt(300)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static List<@Nullable Object> list(Random random, int levels) {
    List<@Nullable Object> list = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      list.add(value(random, levels - 1));
    }
    return list;
  }

  private static Map<String, @Nullable Object> map(Random random, int levels) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      map.put(text(random), value(random, levels - 1));
    }
    return map;
  }

  private static Object instance(Random random, int levels) {
    return random.nextBoolean()
        ? new Shop.Square(random.nextFloat(), new Shop.Circle(random.nextDouble()))
        : Shop.order(Optional.empty(), value(random, levels - 1));
  }
}
