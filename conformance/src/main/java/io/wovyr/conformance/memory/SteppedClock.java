/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.memory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * A clock that moves only when told to. Thread-safe.
 *
 * @since 0.1
 */
public final class SteppedClock implements InstantSource {
  private volatile Instant now;

  /** A clock that says {@code start} until it is moved. */
  public SteppedClock(Instant start) {
    now = start;
  }

  @Override
  public Instant instant() {
    return now;
  }

  /** Moves by so much, forward or (negative) back, and answers the new time. */
  public synchronized Instant advance(Duration by) {
    now = now.plus(by);
    return now;
  }
}
