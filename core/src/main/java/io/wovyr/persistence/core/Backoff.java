/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.storage.spi.Deadline;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Waits between tries: full jitter, {@code uniform(0, min(cap, base * 2^try))}. Source: M. Brooker,
 * "Exponential Backoff and Jitter", AWS Architecture Blog, 2015. Not thread-safe: one per call.
 */
final class Backoff {
  private final long baseNanos;
  private final long capNanos;
  private int tries;

  Backoff(CoreSettings settings) {
    this.baseNanos = settings.retryBase().toNanos();
    this.capNanos = settings.retryCap().toNanos();
  }

  /**
   * Waits, never beyond the deadline.
   *
   * @return false when the deadline is over or the thread was interrupted (its flag is kept)
   */
  boolean pause(Deadline deadline) {
    int doubled = Math.min(tries++, 30);
    long bound = baseNanos < capNanos >> doubled ? baseNanos << doubled : capNanos;
    long wait = ThreadLocalRandom.current().nextLong(Math.max(1, bound) + 1);
    long left = deadline.remaining().toNanos();
    if (wait >= left || Thread.currentThread().isInterrupted()) {
      return false;
    }
    try {
      Thread.sleep(Duration.ofNanos(wait).toMillis(), (int) (wait % 1_000_000));
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
