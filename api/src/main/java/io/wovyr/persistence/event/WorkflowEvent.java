/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.event;

import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.payload.StoredPayload;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * One event of an execution, immutable once written. The order inside an execution is {@link
 * #sequence()} alone: 1, 2, 3 and so on without gaps; times are information.
 *
 * @param type a name of the application, such as {@code StockReserved}
 * @param correlationId groups what belongs to one request
 * @param causationId the event or command that caused this one
 * @param dedupeKey for signals from outside: at most one event of an execution has it
 * @param fencingToken token of the lease it was written under, 0 for a signal
 * @param commitId the commit that wrote it
 * @param payload the business payload
 * @param changes what it does to the state, in order
 * @since 0.1
 */
public record WorkflowEvent(
    RecordHeader header,
    UUID executionId,
    long sequence,
    String type,
    Optional<UUID> correlationId,
    Optional<UUID> causationId,
    Optional<String> dedupeKey,
    long fencingToken,
    UUID commitId,
    Optional<StoredPayload> payload,
    List<StateChange> changes) {
  public WorkflowEvent {
    changes = List.copyOf(changes);
  }

  /** The event's id. */
  public UUID id() {
    return header.id();
  }

  /** Who caused it. */
  public String actor() {
    return header.updatedBy();
  }

  /** When it was written, by the writer's clock; information only. */
  public java.time.Instant committedAt() {
    return header.createdAt();
  }
}
