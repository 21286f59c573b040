/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.execution;

import io.wovyr.persistence.RecordHeader;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * The small row every commit of an execution and every lease change updates conditionally: one
 * check covers version, sequence and fence. Immutable.
 *
 * @param lastSequence sequence of the newest event, 0 before the first; survives purging
 * @param lowWaterMark first sequence the execution still keeps, 1 when nothing was purged
 * @param closed finished: appends are refused
 * @param fencingToken epoch·2^40 + counter of the newest acquisition; never falls
 * @param owner worker that holds the lease
 * @param leaseId id of this very acquisition, so that a reused worker name proves nothing
 * @param leaseExpiresAt by the store's clock where there is one, else by the owner's (a hint)
 * @param renewals raised by every renewal: a contender without a store clock watches it stand still
 * @param acquisitionsWithoutProgress acquisitions since the last event under a lease
 * @param paused held by a person
 * @param parked taken out of dispatch after too many acquisitions without progress
 * @param dueAt when someone should look at this execution next; empty when closed, paused or parked
 * @since 0.1
 */
public record ExecutionHead(
    RecordHeader header,
    long lastSequence,
    long lowWaterMark,
    boolean closed,
    long fencingToken,
    Optional<String> owner,
    Optional<UUID> leaseId,
    Optional<Instant> leaseExpiresAt,
    Optional<Duration> leaseTtl,
    long renewals,
    int acquisitionsWithoutProgress,
    boolean paused,
    boolean parked,
    Optional<Instant> dueAt,
    Optional<UUID> lastCheckpointId) {
  /** The execution's id. */
  public UUID executionId() {
    return header.id();
  }

  /** The version every commit is guarded by. */
  public long version() {
    return header.version();
  }
}
