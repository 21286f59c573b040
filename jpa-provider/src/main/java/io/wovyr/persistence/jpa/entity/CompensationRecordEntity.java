/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

import io.wovyr.persistence.compensation.CompensationRecord;
import io.wovyr.persistence.payload.StoredPayload;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.hibernate.envers.AuditOverride;
import org.hibernate.envers.AuditTable;
import org.hibernate.envers.Audited;
import org.hibernate.envers.NotAudited;
import org.jspecify.annotations.Nullable;

/** A row of {@link CompensationRecord}. */
@Audited
@AuditTable("compensation_aud")
@AuditOverride(forClass = RecordEntity.class)
@Entity(name = "CompensationRecord")
@Table(name = "compensation")
@IdClass(CompensationRecordEntity.Key.class)
@SuppressWarnings("NullAway.Init") // Hibernate and Entities fill the fields.
public class CompensationRecordEntity extends RecordEntity {
  /** The key of the row. */
  public record Key(String tenantId, UUID executionId, int position) implements Serializable {}

  @Id
  @Column(name = "execution_id", nullable = false, updatable = false)
  UUID executionId;

  @Id
  @Column(name = "position", nullable = false, updatable = false)
  int position;

  @Column(name = "activity_id", nullable = false, length = 255)
  String activityId;

  @Column(name = "action", nullable = false, length = 255)
  String action;

  @Column(name = "status", nullable = false, length = 32)
  String status;

  @Column(name = "attempts", nullable = false)
  int attempts;

  @Convert(converter = TextListConverter.class)
  @Column(name = "metadata", nullable = false)
  List<String> metadata;

  @Convert(converter = InstantMicrosConverter.class)
  @Column(name = "registered_at", nullable = false)
  Instant registeredAt;

  @Convert(converter = InstantMicrosConverter.class)
  @Column(name = "started_at")
  @Nullable Instant startedAt;

  @Convert(converter = InstantMicrosConverter.class)
  @Column(name = "finished_at")
  @Nullable Instant finishedAt;

  @Convert(converter = InstantMicrosConverter.class)
  @Column(name = "next_attempt_at")
  @Nullable Instant nextAttemptAt;

  @Column(name = "last_error", length = 255)
  @Nullable String lastError;

  @NotAudited
  @Convert(converter = StoredPayloadConverter.class)
  @Column(name = "input")
  @Nullable StoredPayload input;

  @NotAudited
  @Convert(converter = StoredPayloadConverter.class)
  @Column(name = "result")
  @Nullable StoredPayload result;

  @NotAudited
  @Convert(converter = StoredPayloadConverter.class)
  @Column(name = "failure")
  @Nullable StoredPayload failure;
}
