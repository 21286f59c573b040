/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.compensation;

import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.payload.StoredPayload;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * One entry of an execution's compensation stack.
 *
 * @param position place on the stack, from 1; the highest is undone first
 * @param attempts tries to undo it so far, the present one included
 * @param nextAttemptAt after a failed try, when to try again
 * @param failure why tries failed or it was left as it is, a sensitive value: {@link
 *     Compensations#failure} opens the newest reason, {@link Compensations#history} all that are
 *     kept
 * @since 0.1
 */
public record CompensationRecord(
    RecordHeader header,
    UUID executionId,
    int position,
    String activityId,
    String action,
    CompensationStatus status,
    int attempts,
    List<String> metadata,
    Instant registeredAt,
    Optional<Instant> startedAt,
    Optional<Instant> finishedAt,
    Optional<Instant> nextAttemptAt,
    Optional<String> lastError,
    Optional<StoredPayload> input,
    Optional<StoredPayload> result,
    Optional<StoredPayload> failure) {
  public CompensationRecord {
    metadata = List.copyOf(metadata);
  }
}
