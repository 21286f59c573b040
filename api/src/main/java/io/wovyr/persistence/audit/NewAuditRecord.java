/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.audit;

import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.payload.Payload;
import java.util.Optional;
import java.util.UUID;

/**
 * Something that was done, or refused.
 *
 * @param action such as {@code execution.cancelled}
 * @param subjectType kind of what it was done to
 * @param subjectId which one; a name or id, never a value
 * @since 0.1
 */
public record NewAuditRecord(
    String action,
    AuditOutcome outcome,
    String subjectType,
    String subjectId,
    Optional<UUID> correlationId,
    Optional<Payload> details) {
  public NewAuditRecord {
    Inputs.name("audit action", action);
    Inputs.name("audit subject type", subjectType);
    Inputs.name("audit subject id", subjectId);
  }

  /** Something that was done. */
  public static NewAuditRecord done(String action, String subjectType, String subjectId) {
    return new NewAuditRecord(
        action, AuditOutcome.DONE, subjectType, subjectId, Optional.empty(), Optional.empty());
  }

  /** Something that was refused. */
  public static NewAuditRecord denied(String action, String subjectType, String subjectId) {
    return new NewAuditRecord(
        action, AuditOutcome.DENIED, subjectType, subjectId, Optional.empty(), Optional.empty());
  }

  /** With details, a sensitive value. */
  public NewAuditRecord withDetails(Payload value) {
    return new NewAuditRecord(
        action, outcome, subjectType, subjectId, correlationId, Optional.of(value));
  }

  /** With this correlation id. */
  public NewAuditRecord withCorrelationId(UUID value) {
    return new NewAuditRecord(action, outcome, subjectType, subjectId, Optional.of(value), details);
  }
}
