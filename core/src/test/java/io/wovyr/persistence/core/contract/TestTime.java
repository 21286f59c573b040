/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Time that goes by itself and can be made to jump ahead: the wall clock of the store and the
 * monotonic clock of all processes of a test. Thread-safe.
 */
public final class TestTime {
  private final AtomicLong aheadNanos = new AtomicLong();

  /** The true wall clock. */
  public Instant now() {
    return Instant.now().plusNanos(aheadNanos.get());
  }

  /** A wall clock that is wrong by so much. */
  public InstantSource wrongBy(Duration skew) {
    return () -> now().plus(skew);
  }

  /** The monotonic clock. */
  public long nanoTime() {
    return System.nanoTime() + aheadNanos.get();
  }

  void jump(Duration by) {
    aheadNanos.addAndGet(by.toNanos());
  }
}
