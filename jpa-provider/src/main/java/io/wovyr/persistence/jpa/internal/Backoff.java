/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.internal;

import io.wovyr.persistence.storage.spi.Deadline;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits between tries with full jitter: {@code uniform(0, min(cap, base · 2^attempt))}. Source: M.
 * Brooker, "Exponential Backoff and Jitter", AWS Architecture Blog, 2015. Not thread-safe.
 */
public final class Backoff {
  private static final long BASE_NANOS = 500_000;
  private static final long CAP_NANOS = 16_000_000;

  private int attempt;

  /** Begins with the shortest wait. */
  public Backoff() {}

  /** Waits, but never beyond the deadline. */
  public void pause(Deadline deadline) {
    long most = Math.min(CAP_NANOS, BASE_NANOS << Math.min(attempt++, 10));
    long nanos = ThreadLocalRandom.current().nextLong(most + 1);
    LockSupport.parkNanos(Math.min(nanos, deadline.remaining().toNanos()));
  }
}
