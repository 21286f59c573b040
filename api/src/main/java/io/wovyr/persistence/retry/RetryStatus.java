/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.retry;

import java.util.EnumSet;
import java.util.Set;

/**
 * Life of a retry.
 *
 * @since 0.1
 */
public enum RetryStatus {
  /** Waits for its next attempt. */
  PENDING,
  /** An attempt succeeded. */
  SUCCEEDED,
  /**
   * No attempt is left, or the failure was one that is not retried; {@link #PENDING} again when an
   * operator gives it one more.
   */
  EXHAUSTED,
  /** Not wanted any more. */
  CANCELLED;

  /** The statuses this one may become. A pending one stays so when the next attempt fails, too. */
  public Set<RetryStatus> next() {
    return switch (this) {
      case PENDING -> EnumSet.allOf(RetryStatus.class);
      case EXHAUSTED -> EnumSet.of(PENDING);
      case SUCCEEDED, CANCELLED -> EnumSet.noneOf(RetryStatus.class);
    };
  }
}
