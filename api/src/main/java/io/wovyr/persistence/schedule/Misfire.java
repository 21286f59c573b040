/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.schedule;

/**
 * What to do about fires that were missed while nobody looked.
 *
 * @since 0.1
 */
public enum Misfire {
  /** Fires once for all of them, then goes on by the timing. */
  FIRE_ONCE,
  /** Fires each of them, the oldest first, up to the schedule's limit of 100 at a time. */
  FIRE_ALL,
  /** Leaves them out. */
  SKIP
}
