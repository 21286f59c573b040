/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.Persistence.SystemAccess;
import io.wovyr.persistence.PersistenceException.StorageFailure;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes expired commit markers beside other work: some each minute, and the next ones at once
 * while there are more. Not thread-safe.
 */
final class MarkerSweep {
  private static final Logger LOG = LoggerFactory.getLogger(MarkerSweep.class);
  private static final long PAUSE_NANOS = Duration.ofMinutes(1).toNanos();
  private static final int SOME = 100;

  private final SystemAccess system;
  private final LongSupplier nanoTime;
  private long nextNanos;

  MarkerSweep(SystemAccess system, LongSupplier nanoTime) {
    this.system = system;
    this.nanoTime = nanoTime;
    this.nextNanos = nanoTime.getAsLong() + PAUSE_NANOS;
  }

  /** Removes some if it is time to; what fails is done next time. */
  void sweep() {
    if (nextNanos - nanoTime.getAsLong() > 0) {
      return;
    }
    boolean more = false;
    try {
      more = system.sweepMarkers(SOME) == SOME;
    } catch (StorageFailure e) {
      LOG.debug("expired commit markers stay for now: {}", e.getMessage());
    }
    if (!more) {
      nextNanos = nanoTime.getAsLong() + PAUSE_NANOS;
    }
  }
}
