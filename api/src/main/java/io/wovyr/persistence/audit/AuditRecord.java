/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.audit;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.RecordHeader;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * One entry of the audit log, never changed. Its details lie in a row of their own that retention
 * may delete; what stays proves them.
 *
 * @param occurredAt by the writer's clock
 * @param detailsCommitment the commitment of the details' payload; empty: there were none
 * @since 0.1
 */
public record AuditRecord(
    RecordHeader header,
    Instant occurredAt,
    String action,
    AuditOutcome outcome,
    String subjectType,
    String subjectId,
    Optional<UUID> correlationId,
    Optional<Bytes> detailsCommitment) {
  /** Its id, time-ordered. */
  public UUID id() {
    return header.id();
  }

  /** Who did it. */
  public String actor() {
    return header.updatedBy();
  }
}
