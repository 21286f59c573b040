/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.dynamodb;

import io.wovyr.persistence.Bytes;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/**
 * Makes stamps: epoch (2 bytes), microseconds since 1970 (8), who made it (6). Each is above all
 * that it made or was shown before, whatever the clock does, and nobody else makes the same.
 * Thread-safe.
 */
final class StampClock {
  static final int SIZE = Short.BYTES + Long.BYTES + 6;

  /** Above every stamp. */
  static final Bytes HIGHEST = filled((byte) 0xff);

  /** Below every stamp. */
  static final Bytes LOWEST = filled((byte) 0);

  private static final SecureRandom RANDOM = new SecureRandom();

  private final InstantSource time;
  private final byte[] maker = new byte[6];
  private long last;

  StampClock() {
    this(Clock.systemUTC());
  }

  StampClock(InstantSource time) {
    this.time = time;
    RANDOM.nextBytes(maker);
  }

  private static Bytes filled(byte value) {
    byte[] bytes = new byte[SIZE];
    java.util.Arrays.fill(bytes, value);
    return Bytes.wrap(bytes);
  }

  /** The next one. */
  Bytes next(long epoch) {
    return Bytes.wrap(
        ByteBuffer.allocate(SIZE).putShort((short) epoch).putLong(tick()).put(maker).array());
  }

  private synchronized long tick() {
    last = Math.max(last + 1, ChronoUnit.MICROS.between(java.time.Instant.EPOCH, time.instant()));
    return last;
  }

  /** Makes all that follow higher than this one, within an epoch. */
  synchronized void observe(Bytes stamp) {
    if (stamp.size() == SIZE && !stamp.equals(HIGHEST)) {
      last = Math.max(last, micros(stamp));
    }
  }

  /** When it was made, by the clock of whoever made it. */
  static long micros(Bytes stamp) {
    return stamp.asReadOnlyBuffer().getLong(Short.BYTES);
  }
}
