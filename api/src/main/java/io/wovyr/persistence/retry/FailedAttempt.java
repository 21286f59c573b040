/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.retry;

import io.wovyr.persistence.payload.Payload;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One attempt that failed, as the history of a retry or of a compensation tells of it.
 *
 * @param attempt its number, from 1
 * @param failedAt by the writer's clock
 * @param error type of the error
 * @param delay what was waited, or is, before the next attempt; empty when none was to follow
 * @param reason a sensitive value; empty when there was no room for it any more
 * @since 0.1
 */
public record FailedAttempt(
    int attempt,
    Instant failedAt,
    String error,
    Optional<Duration> delay,
    Optional<Payload> reason) {
  /** So many of the newest attempts are kept at most. */
  public static final int MOST_KEPT = 50;

  /**
   * So many bytes a history has at most; the newest attempt is kept whole in any case. Where it is
   * too small, older attempts lose their reasons first, the oldest before the others.
   */
  public static final int MOST_BYTES = 64 * 1024;
}
