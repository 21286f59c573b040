/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoreTimeTest {
  @ParameterizedTest
  @CsvSource({
    // now,                          plus,   bucket, stands for
    "2026-03-01T10:15:30.123456Z,    PT0S,   PT0S,   2026-03-01T10:15:30.123456Z",
    "2026-03-01T10:15:30.123456789Z, PT0S,   PT0S,   2026-03-01T10:15:30.123456Z",
    "2026-03-01T10:15:30Z,           PT30S,  PT0S,   2026-03-01T10:16:00Z",
    "2026-03-01T10:15:30Z,           -PT30S, PT0S,   2026-03-01T10:15:00Z",
    "2026-03-01T10:15:30Z,           PT0S,   PT30S,  2026-03-01T10:15:30Z",
    "2026-03-01T10:15:30.000001Z,    PT0S,   PT30S,  2026-03-01T10:16:00Z",
    "2026-03-01T10:15:29.999999Z,    PT0S,   PT30S,  2026-03-01T10:15:30Z",
    "2026-03-01T10:15:10Z,           PT15S,  PT30S,  2026-03-01T10:15:30Z",
    "2026-03-01T10:15:10Z,           PT20S,  PT30S,  2026-03-01T10:15:30Z",
    "2026-03-01T10:15:10Z,           PT21S,  PT30S,  2026-03-01T10:16:00Z",
    "1969-12-31T23:59:31Z,           PT0S,   PT30S,  1970-01-01T00:00:00Z",
    "1969-12-31T23:59:30Z,           PT0S,   PT30S,  1969-12-31T23:59:30Z",
    "1969-12-31T23:59:29.5Z,         PT0S,   PT30S,  1969-12-31T23:59:30Z",
  })
  void itIsNowPlusADurationRoundedUpToABucket(
      Instant now, Duration plus, Duration bucket, Instant expected) {
    assertThat(new StoreTime(plus, bucket).at(now)).isEqualTo(expected);
  }

  @Test
  void roundingNeverMakesItEarlierAndMovesLessThanOneBucket() {
    java.util.Random random = new java.util.Random(4);
    Duration bucket = Duration.ofMillis(12_345);
    for (int i = 0; i < 1_000; i++) {
      Instant now = StoreTime.ofMicros(random.nextLong(-1L << 50, 1L << 50));
      Instant exact = new StoreTime(Duration.ofSeconds(7), Duration.ZERO).at(now);
      Instant rounded = new StoreTime(Duration.ofSeconds(7), bucket).at(now);
      assertThat(rounded).isBetween(exact, exact.plus(bucket).minusNanos(1_000));
      assertThat(Math.floorMod(StoreTime.micros(rounded), 12_345_000L)).isZero();
    }
  }

  @Test
  @DisplayName("C051: microseconds lead back to the instant they were cut from")
  void microsecondsLeadBack() {
    for (String text :
        new String[] {
          "2026-03-01T10:15:30.123456789Z", "1969-12-31T23:59:59.999999999Z", "0001-01-01T00:00:00Z"
        }) {
      Instant instant = Instant.parse(text);
      Instant back = StoreTime.ofMicros(StoreTime.micros(instant));
      assertThat(back).isBetween(instant.minusNanos(999), instant);
      assertThat(StoreTime.micros(back)).isEqualTo(StoreTime.micros(instant));
    }
  }
}
