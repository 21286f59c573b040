/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordTypes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class KeyBytesTest {
  /** Keys of every kind that types of records have, some beside each other in the order. */
  private static List<Key> keys() {
    List<Key> keys = new ArrayList<>();
    for (String name : List.of("a", "a!", "ab", "b", "\u00e4", "\uffee", "\ud83d\ude80", " ")) {
      keys.add(Key.of(RecordTypes.NAMED_LEASE, name));
      keys.add(Key.of(RecordTypes.FEED_CURSOR, name));
    }
    for (long bits : new long[] {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      keys.add(Key.of(RecordTypes.EXECUTION, new UUID(bits, 1)));
      for (long sequence : new long[] {1, 2, 255, 256, Long.MAX_VALUE}) {
        keys.add(Key.of(RecordTypes.EVENT, new UUID(1, bits), sequence));
      }
    }
    return keys;
  }

  @Test
  void comeBackAsTheKeyTheyWereMadeOf() {
    for (Key key : keys()) {
      Bytes bytes = KeyBytes.of(key);
      assertThat(KeyBytes.key(key.type(), bytes)).contains(key);
      assertThat(KeyBytes.typeNumber(bytes)).isEqualTo(key.type().number());
    }
  }

  @Test
  void compareAsTheKeysDo() {
    List<Key> keys = keys();
    Collections.shuffle(keys, new Random(3));
    List<Key> byBytes = new ArrayList<>(keys);
    byBytes.sort((one, other) -> KeyBytes.of(one).compareTo(KeyBytes.of(other)));
    Collections.sort(keys);
    assertThat(byBytes).isEqualTo(keys);
  }

  @Test
  void whatIsNoneIsRecognised() {
    Bytes event = KeyBytes.of(Key.of(RecordTypes.EVENT, new UUID(1, 2), 3L));
    assertThat(KeyBytes.key(RecordTypes.HEAD, event)).isEmpty();
    byte[] bytes = event.toByteArray();
    assertThat(KeyBytes.key(RecordTypes.EVENT, Bytes.wrap(java.util.Arrays.copyOf(bytes, 20))))
        .isEmpty();
    assertThat(KeyBytes.key(RecordTypes.EVENT, Bytes.wrap(java.util.Arrays.copyOf(bytes, 40))))
        .isEmpty();
    assertThat(KeyBytes.typeNumber(Bytes.EMPTY)).isZero();
  }
}
