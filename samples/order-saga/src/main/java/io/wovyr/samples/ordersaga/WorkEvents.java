/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What the work tells to whoever started it, and what it is told. The defaults are those of a run
 * that nobody disturbs.
 */
interface WorkEvents {
  /** What is to be done to this worker at this phase: at most once, null for nothing. */
  default @Nullable Strike strikeAt(Phase phase) {
    return null;
  }

  /** It could not be done at that phase: the next time, then. */
  default void putBack(Strike strike) {}

  /** The worker is at the phase where it is to be struck. */
  default void announce(Phase phase, UUID executionId, long token, long lastSequence) {}

  /** Waits where the worker is to be struck: for ever when it is killed. */
  default void hold() {}

  /**
   * A stalled worker woke up and tried what it was about to do.
   *
   * @param by who refused it, in one word
   */
  default void lateWrite(UUID executionId, boolean refused, String by) {}

  /** This execution cannot go on: its history cannot be read. */
  default void setAside(UUID executionId, String reason) {}

  /** Whether to take no more orders and hand back the one at hand. */
  default boolean isStopping() {
    return false;
  }

  /** Nothing is due: waits so long, or until it is told to stop. */
  default void pause(long millis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
  }
}
