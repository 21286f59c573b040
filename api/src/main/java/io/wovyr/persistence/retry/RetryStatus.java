/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.retry;

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
  /** No attempt is left, or the failure was one that is not retried. */
  EXHAUSTED,
  /** Not wanted any more. */
  CANCELLED
}
