/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.compensation;

import java.util.EnumSet;
import java.util.Set;

/**
 * Life of one entry of a compensation stack.
 *
 * @since 0.1
 */
public enum CompensationStatus {
  /** To be undone if the execution is rolled back. */
  REGISTERED,
  /** Being undone. */
  RUNNING,
  /** An attempt to undo it failed; {@link #RUNNING} again when it is retried. */
  FAILED,
  /** Undone. */
  COMPENSATED,
  /** Left as it is, by decision. */
  SKIPPED;

  /** The statuses this one may become. */
  public Set<CompensationStatus> next() {
    return switch (this) {
      case REGISTERED -> EnumSet.of(RUNNING, SKIPPED);
      case RUNNING -> EnumSet.of(COMPENSATED, FAILED, SKIPPED);
      case FAILED -> EnumSet.of(RUNNING, SKIPPED);
      case COMPENSATED, SKIPPED -> EnumSet.noneOf(CompensationStatus.class);
    };
  }

  /** True when nothing is left to be done about it. */
  public boolean isDone() {
    return next().isEmpty();
  }
}
