/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.activity;

import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.payload.StoredPayload;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * One activity of an execution, all its attempts in one record. Times are by the writer's clock.
 *
 * @param attempt the present or last one, from 1; 0 before the first
 * @param openSince when it was scheduled (again); empty when it is not open
 * @param worker of the present or last attempt
 * @since 0.1
 */
public record ActivityExecution(
    RecordHeader header,
    UUID executionId,
    String activityId,
    String activityType,
    ActivityStatus status,
    int attempt,
    Instant scheduledAt,
    Optional<Instant> openSince,
    Optional<String> worker,
    Optional<Instant> startedAt,
    Optional<Instant> heartbeatAt,
    Optional<Instant> closedAt,
    Optional<Duration> scheduleToStart,
    Optional<Duration> startToClose,
    Optional<Duration> scheduleToClose,
    Optional<Duration> heartbeatTimeout,
    Optional<StoredPayload> input,
    Optional<StoredPayload> heartbeatDetails,
    Optional<StoredPayload> result,
    Optional<StoredPayload> failure) {
  /**
   * When somebody must look at it, if nothing happens before: the earliest of its timeouts. Empty
   * when it is closed or has none.
   */
  public Optional<Instant> timesOutAt() {
    if (!status.isOpen()) {
      return Optional.empty();
    }
    Optional<Instant> attemptEnd =
        status == ActivityStatus.SCHEDULED
            ? openSince.flatMap(since -> scheduleToStart.map(since::plus))
            : earlier(
                startedAt.flatMap(since -> startToClose.map(since::plus)),
                heartbeatAt
                    .or(() -> startedAt)
                    .flatMap(since -> heartbeatTimeout.map(since::plus)));
    return earlier(attemptEnd, scheduleToClose.map(scheduledAt::plus));
  }

  private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.or(() -> other);
    }
    return one.get().isBefore(other.get()) ? one : other;
  }
}
