/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.schedule;

/**
 * What to do about fires that were missed while nobody looked: those that are late by more than the
 * schedule's {@code misfireAfter}. Fires that are due and not yet missed all fire.
 *
 * @since 0.1
 */
public enum Misfire {
  /** Fires once for all of them, with the time of the last one, then goes on by the timing. */
  FIRE_ONCE,
  /** Fires each of them, the oldest first, at most 100 in one commit. */
  FIRE_ALL,
  /**
   * Leaves them out, then goes on by the timing: a {@link Timing.Once} that was missed never fires.
   * Schedulers come some moments late, so {@code misfireAfter} is some seconds, and 1 at least.
   */
  SKIP
}
