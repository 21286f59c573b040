/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.audit.AuditRecord;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;
import java.util.UUID;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.Nullable;

/** A row of {@link AuditRecord}. */
@Entity(name = "AuditRecord")
@Table(name = "audit_record")
@IdClass(AuditRecordEntity.Key.class)
@Immutable
@SuppressWarnings("NullAway.Init") // Hibernate and Entities fill the fields.
public class AuditRecordEntity extends RecordEntity {
  /** The key of the row. */
  public record Key(String tenantId, UUID id) implements Serializable {}

  @Id
  @Column(name = "id", nullable = false, updatable = false)
  UUID id;

  /** The provider's own: where the row stands in the feed. */
  @Column(name = "feed_key", nullable = false, insertable = false, updatable = false)
  long feedKey;

  @Convert(converter = InstantMicrosConverter.class)
  @Column(name = "occurred_at", nullable = false)
  Instant occurredAt;

  @Column(name = "action", nullable = false, length = 255)
  String action;

  @Column(name = "outcome", nullable = false, length = 32)
  String outcome;

  @Column(name = "subject_type", nullable = false, length = 255)
  String subjectType;

  @Column(name = "subject_id", nullable = false, length = 255)
  String subjectId;

  @Column(name = "correlation_id")
  @Nullable UUID correlationId;

  @Convert(converter = BytesConverter.class)
  @Column(name = "details_commitment")
  @Nullable Bytes detailsCommitment;
}
