/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.dynamodb;

import io.wovyr.persistence.storage.spi.Deadline;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Waits between tries of one call: full jitter, {@code uniform(0, min(cap, base * 2^try))}. Source:
 * M. Brooker, "Exponential Backoff and Jitter", AWS Architecture Blog, 2015. For one thread.
 */
final class Backoff {
  private static final long BASE_NANOS = Duration.ofMillis(10).toNanos();
  private static final long CAP_NANOS = Duration.ofSeconds(1).toNanos();
  private static final int MOST_DOUBLINGS = 10;

  private final Deadline deadline;
  private int tries;

  Backoff(Deadline deadline) {
    this.deadline = deadline;
  }

  /**
   * Waits, never beyond the deadline.
   *
   * @return false when there is no time for another try
   */
  boolean await() {
    long most = Math.min(CAP_NANOS, BASE_NANOS << Math.min(tries++, MOST_DOUBLINGS));
    long nanos =
        Math.min(ThreadLocalRandom.current().nextLong(most + 1), deadline.remaining().toNanos());
    try {
      TimeUnit.NANOSECONDS.sleep(nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    return !deadline.isOver();
  }
}
