/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.audit;

import io.wovyr.persistence.Change;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.payload.Payload;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * The audit log of one tenant, append-only. Thread-safe. Writing needs {@code WRITE_AUDIT}, reading
 * {@code READ_AUDIT}.
 *
 * @since 0.1
 */
public interface AuditLog {
  /** Writes it in the same commit as what it tells of. */
  Change record(NewAuditRecord audited);

  /** Writes it in a commit of its own, which a rollback elsewhere does not take along. */
  CommitResult append(NewAuditRecord audited);

  /** This entry. */
  Optional<AuditRecord> find(UUID id);

  /** Entries of a time, oldest first. {@link Instant#MIN} and {@link Instant#MAX} bound nothing. */
  Page<AuditRecord> list(
      Instant fromInclusive, Instant toExclusive, int limit, Optional<String> after);

  /** Entries about one thing, oldest first. */
  Page<AuditRecord> about(String subjectType, String subjectId, int limit, Optional<String> after);

  /** The details; empty when there were none, or retention deleted them. */
  Optional<Payload> details(AuditRecord entry);
}
