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
  /** So long from now. */
  public static Deadline after(Duration duration) {
    return new Deadline(System.nanoTime() + duration.toNanos());
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
