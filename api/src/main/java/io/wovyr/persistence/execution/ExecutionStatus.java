/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.execution;

import java.util.EnumSet;
import java.util.Set;

/**
 * Lifecycle of an execution. What is not listed in {@link #next()} is refused.
 *
 * @since 0.1
 */
public enum ExecutionStatus {
  CREATED,
  RUNNING,
  WAITING,
  /** Held by a person; returns to where it was. */
  PAUSED,
  COMPENSATING,
  COMPLETED,
  CANCELLED,
  FAILED,
  ABORTED,
  COMPENSATED;

  /**
   * The statuses this one may become. From {@link #PAUSED} only one of the working statuses is
   * really open: the one the execution was paused from.
   */
  public Set<ExecutionStatus> next() {
    return switch (this) {
      case CREATED -> EnumSet.of(RUNNING, PAUSED, CANCELLED, FAILED, ABORTED);
      case RUNNING ->
          EnumSet.of(WAITING, PAUSED, COMPENSATING, COMPLETED, CANCELLED, FAILED, ABORTED);
      case WAITING -> EnumSet.of(RUNNING, PAUSED, COMPENSATING, CANCELLED, FAILED, ABORTED);
      case PAUSED ->
          EnumSet.of(CREATED, RUNNING, WAITING, COMPENSATING, CANCELLED, FAILED, ABORTED);
      case COMPENSATING -> EnumSet.of(PAUSED, COMPENSATED, FAILED, ABORTED);
      case COMPLETED, CANCELLED, FAILED, ABORTED, COMPENSATED ->
          EnumSet.noneOf(ExecutionStatus.class);
    };
  }

  /** True when nothing follows: the execution is closed and appends are refused. */
  public boolean isFinal() {
    return next().isEmpty();
  }
}
