/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.activity;

import java.util.EnumSet;
import java.util.Set;

/**
 * Life of an activity.
 *
 * @since 0.1
 */
public enum ActivityStatus {
  /** To be started by a worker. */
  SCHEDULED,
  /** A worker is on it. */
  STARTED,
  COMPLETED,
  /** Its last attempt failed; {@link #SCHEDULED} again when it is retried. */
  FAILED,
  TIMED_OUT,
  CANCELLED;

  /** The statuses this one may become. */
  public Set<ActivityStatus> next() {
    return switch (this) {
      case SCHEDULED -> EnumSet.of(STARTED, TIMED_OUT, CANCELLED);
      case STARTED -> EnumSet.of(COMPLETED, FAILED, TIMED_OUT, CANCELLED);
      case FAILED, TIMED_OUT -> EnumSet.of(SCHEDULED);
      case COMPLETED, CANCELLED -> EnumSet.noneOf(ActivityStatus.class);
    };
  }

  /** True while somebody has to do something about it. */
  public boolean isOpen() {
    return this == SCHEDULED || this == STARTED;
  }
}
