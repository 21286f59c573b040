/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.retry;

import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.internal.StoredValues;
import io.wovyr.persistence.payload.StoredPayload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Everything about the retries of one activity: enough to go on after any crash with the same
 * attempt and the same delay.
 *
 * @param attempts failed attempts so far
 * @param lastDelay the delay that was drawn last
 * @param nextAttemptAt when the next attempt is due; empty when there is none
 * @param lastError type of the last error
 * @param reason of the failures, a sensitive value: {@link Retries#reason} opens the last one's,
 *     {@link Retries#history} all that are kept
 * @since 0.1
 */
public record RetryRecord(
    RecordHeader header,
    UUID executionId,
    String activityId,
    RetryStatus status,
    int attempts,
    int maxAttempts,
    Duration initialDelay,
    int multiplierPercent,
    Duration maxDelay,
    List<String> nonRetryable,
    Optional<Duration> lastDelay,
    Optional<Instant> nextAttemptAt,
    Instant firstFailureAt,
    Instant lastFailureAt,
    String lastError,
    Optional<StoredPayload> reason) {
  public RetryRecord {
    nonRetryable = List.copyOf(nonRetryable);
  }

  /**
   * The policy it was begun with. Delays of more than 36,500 days, which earlier versions allowed,
   * come to that.
   *
   * @throws io.wovyr.persistence.PersistenceException.UnsupportedVersion when this version does not
   *     allow such a policy
   */
  public RetryPolicy policy() {
    return StoredValues.typed(
        "the policy of the retry of activity %s of execution %s".formatted(activityId, executionId),
        () ->
            new RetryPolicy(
                maxAttempts,
                StoredValues.atMostACentury(initialDelay),
                multiplierPercent,
                StoredValues.atMostACentury(maxDelay),
                nonRetryable));
  }
}
