/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import java.time.Duration;
import java.time.Instant;

/**
 * A symbolic instant: the store's own now plus a duration, optionally rounded up. Stands for an
 * INSTANT in after-images and scan ranges of stores with {@link Capability#STORE_CLOCK}; core
 * resolves it itself for all others, which answer {@code Rejected} to it.
 *
 * @param plus added to the store's now
 * @param bucket the result is rounded up to a whole multiple of it since the epoch; zero: not
 *     rounded
 * @since 0.1
 */
public record StoreTime(Duration plus, Duration bucket) {
  /** The store's now. */
  public static final StoreTime NOW = new StoreTime(Duration.ZERO, Duration.ZERO);

  /** The instant it stands for when the clock says {@code now}, in whole microseconds. */
  public Instant at(Instant now) {
    long micros = micros(now) + plus.toNanos() / 1_000;
    long step = bucket.toNanos() / 1_000;
    if (step > 0) {
      micros = Math.floorDiv(micros + step - 1, step) * step;
    }
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1_000L);
  }

  /** Microseconds since the epoch, cut; of all that {@link #ofMicros} makes, the same again. */
  public static long micros(Instant instant) {
    long seconds = instant.getEpochSecond();
    long micros = instant.getNano() / 1_000;
    return seconds < 0
        ? Math.addExact(Math.multiplyExact(seconds + 1, 1_000_000L), micros - 1_000_000L)
        : Math.addExact(Math.multiplyExact(seconds, 1_000_000L), micros);
  }

  /** The instant of so many microseconds since the epoch. */
  public static Instant ofMicros(long micros) {
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1_000L);
  }
}
