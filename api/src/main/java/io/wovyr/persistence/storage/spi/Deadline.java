/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import java.time.Duration;

/**
 * When a call has to be over, on this process's monotonic clock. Statement and lock timeouts follow
 * from it. A commit whose deadline is over before it begins writes nothing: {@code Unavailable}.
 *
 * @param nanoTime on the scale of {@link System#nanoTime()}
 * @since 0.1
 */
public record Deadline(long nanoTime) {
  /** What is longer than this is as good as for ever, and would not fit the clock. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  /** So long from now; at most a hundred years. Over at once when it is negative. */
  public static Deadline after(Duration duration) {
    Duration bounded = duration.compareTo(LONGEST) < 0 ? duration : LONGEST;
    if (bounded.isNegative()) {
      bounded = Duration.ZERO;
    }
    return new Deadline(System.nanoTime() + bounded.toNanos());
  }

  /** Time left, zero when it is over. */
  public Duration remaining() {
    return Duration.ofNanos(Math.max(0, nanoTime - System.nanoTime()));
  }

  /** True when it is over. */
  public boolean isOver() {
    return nanoTime - System.nanoTime() <= 0;
  }

  /** The earlier of the two. */
  public Deadline atMost(Duration fromNow) {
    Deadline other = after(fromNow);
    return other.nanoTime - nanoTime < 0 ? other : this;
  }
}
