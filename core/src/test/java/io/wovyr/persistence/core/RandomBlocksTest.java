/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class RandomBlocksTest {
  private static final int MANY = 1_000;

  private final RandomBlocks random = new RandomBlocks();

  @Test
  void noByteIsHandedOutTwiceOrAfterItWasWiped() {
    Set<ByteBuffer> seen = new HashSet<>();
    for (int i = 0; i < MANY; i++) {
      byte[] bytes = new byte[10];
      random.nextBytes(bytes);
      seen.add(ByteBuffer.wrap(bytes));
    }
    assertEquals(MANY, seen.size());
    assertTrue(!seen.contains(ByteBuffer.allocate(10)), "an entry of nothing but zeros");
  }

  @Test
  void moreThanABlockIsFilledToItsEnd() {
    byte[] bytes = new byte[MANY * Long.BYTES];
    random.nextBytes(bytes);
    ByteBuffer words = ByteBuffer.wrap(bytes);
    Set<Long> seen = new HashSet<>();
    while (words.hasRemaining()) {
      seen.add(words.getLong());
    }
    assertEquals(MANY, seen.size());
  }

  @Test
  void numbersTakeAllOfTheirBits() {
    int ones = 0;
    int zeros = 0;
    for (int i = 0; i < MANY; i++) {
      int number = random.nextInt();
      ones |= number;
      zeros |= ~number;
    }
    assertEquals(-1, ones);
    assertEquals(-1, zeros);
  }
}
