/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Bytes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ValueOrderTest {
  /** Each list is in the order that all stores keep. */
  static List<List<? extends Object>> ordered() {
    return List.of(
        List.of(Integer.MIN_VALUE, -1, 0, 1, Integer.MAX_VALUE),
        List.of(Long.MIN_VALUE, -1L, 0L, 1L, Long.MAX_VALUE),
        List.of(false, true),
        List.of("", "A", "Z", "a", "aa", "ab", "b", "\u007f", "\u00e4", "\uFF61", "\uD83D\uDE00"),
        List.of(
            new UUID(0, 0),
            new UUID(0, 1),
            new UUID(0, -1),
            new UUID(1, 0),
            new UUID(Long.MAX_VALUE, 0),
            new UUID(Long.MIN_VALUE, 0),
            new UUID(-1, -1)),
        List.of(Instant.ofEpochSecond(-1), Instant.EPOCH, Instant.ofEpochSecond(0, 1_000)),
        List.of(Bytes.EMPTY, Bytes.wrap(new byte[] {1}), Bytes.wrap(new byte[] {-1})),
        List.of(List.of(), List.of(1L), List.of(1L, "a"), List.of(1L, "b"), List.of(2L)));
  }

  @ParameterizedTest
  @MethodSource("ordered")
  void valuesOfOneKindAreOrdered(List<Object> values) {
    List<Object> shuffled = new ArrayList<>(values);
    Collections.shuffle(shuffled, new Random(1));
    shuffled.sort(ValueOrder.INSTANCE);
    assertThat(shuffled).isEqualTo(values);
    for (Object value : values) {
      assertThat(ValueOrder.INSTANCE.compare(value, value)).isZero();
    }
  }

  @Test
  void uuidsAreOrderedAsTheirTextIs() {
    Random random = new Random(2);
    for (int i = 0; i < 1_000; i++) {
      UUID left = new UUID(random.nextLong(), random.nextLong());
      UUID right = new UUID(random.nextLong(), random.nextLong());
      assertThat(Integer.signum(ValueOrder.INSTANCE.compare(left, right)))
          .isEqualTo(Integer.signum(left.toString().compareTo(right.toString())));
    }
  }

  @Test
  void valuesOfDifferentKindsHaveNoOrder() {
    assertThatThrownBy(() -> ValueOrder.INSTANCE.compare(1, 1L))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void keysAreOrderedByTypeNumberThenValues() {
    List<Key> keys =
        Arrays.asList(
            Key.of(Samples.PARCEL, "a"),
            Key.of(Samples.PARCEL, "b"),
            Key.of(Samples.SCAN, new UUID(0, 1), 9L),
            Key.of(Samples.SCAN, new UUID(0, 1), 10L),
            Key.of(Samples.SCAN, new UUID(-1, 0), 1L));
    List<Key> shuffled = new ArrayList<>(keys);
    Collections.shuffle(shuffled, new Random(3));
    Collections.sort(shuffled);
    assertThat(shuffled).isEqualTo(keys);
  }

  @Test
  void aKeyHasTheValuesOfItsType() {
    assertThatThrownBy(() -> Key.of(Samples.SCAN, new UUID(0, 1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Key.of(Samples.SCAN, new UUID(0, 1), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("scan.sequence");
  }
}
