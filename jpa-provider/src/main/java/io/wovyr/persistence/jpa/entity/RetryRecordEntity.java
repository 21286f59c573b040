/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.retry.RetryRecord;
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
import org.jspecify.annotations.Nullable;

/** A row of {@link RetryRecord}. */
@Entity(name = "RetryRecord")
@Table(name = "retry")
@IdClass(RetryRecordEntity.Key.class)
@SuppressWarnings("NullAway.Init") // Hibernate and Entities fill the fields.
public class RetryRecordEntity extends RecordEntity {
  /** The key of the row. */
  public record Key(String tenantId, UUID executionId, String activityId) implements Serializable {}

  @Id
  @Column(name = "execution_id", nullable = false, updatable = false)
  UUID executionId;

  @Id
  @Column(name = "activity_id", nullable = false, updatable = false, length = 255)
  String activityId;

  @Column(name = "status", nullable = false, length = 32)
  String status;

  @Column(name = "attempts", nullable = false)
  int attempts;

  @Column(name = "max_attempts", nullable = false)
  int maxAttempts;

  @Column(name = "initial_delay", nullable = false)
  long initialDelay;

  @Column(name = "multiplier_percent", nullable = false)
  int multiplierPercent;

  @Column(name = "max_delay", nullable = false)
  long maxDelay;

  @Convert(converter = TextListConverter.class)
  @Column(name = "non_retryable", nullable = false)
  List<String> nonRetryable;

  @Column(name = "last_delay")
  @Nullable Long lastDelay;

  @Convert(converter = InstantMicrosConverter.class)
  @Column(name = "next_attempt_at")
  @Nullable Instant nextAttemptAt;

  @Convert(converter = InstantMicrosConverter.class)
  @Column(name = "first_failure_at", nullable = false)
  Instant firstFailureAt;

  @Convert(converter = InstantMicrosConverter.class)
  @Column(name = "last_failure_at", nullable = false)
  Instant lastFailureAt;

  @Column(name = "last_error", nullable = false, length = 255)
  String lastError;

  @Convert(converter = StoredPayloadConverter.class)
  @Column(name = "reason")
  @Nullable StoredPayload reason;
}
