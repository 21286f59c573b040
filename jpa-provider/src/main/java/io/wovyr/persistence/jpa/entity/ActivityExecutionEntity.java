/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

import io.wovyr.persistence.activity.ActivityExecution;
import io.wovyr.persistence.payload.StoredPayload;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A row of {@link ActivityExecution}. */
@Entity(name = "ActivityExecution")
@Table(name = "activity")
@IdClass(ActivityExecutionEntity.Key.class)
@SuppressWarnings("NullAway.Init") // Hibernate and Entities fill the fields.
public class ActivityExecutionEntity extends RecordEntity {
  /** The key of the row. */
  public record Key(String tenantId, UUID executionId, String activityId) implements Serializable {}

  @Id
  @Column(name = "execution_id", nullable = false, updatable = false)
  UUID executionId;

  @Id
  @Column(name = "activity_id", nullable = false, updatable = false, length = 255)
  String activityId;

  @Column(name = "activity_type", nullable = false, length = 255)
  String activityType;

  @Column(name = "status", nullable = false, length = 32)
  String status;

  @Column(name = "attempt", nullable = false)
  int attempt;

  @Convert(converter = InstantMicrosConverter.class)
  @Column(name = "scheduled_at", nullable = false)
  Instant scheduledAt;

  @Convert(converter = InstantMicrosConverter.class)
  @Column(name = "open_since")
  @Nullable Instant openSince;

  @Column(name = "worker", length = 255)
  @Nullable String worker;

  @Convert(converter = InstantMicrosConverter.class)
  @Column(name = "started_at")
  @Nullable Instant startedAt;

  @Convert(converter = InstantMicrosConverter.class)
  @Column(name = "heartbeat_at")
  @Nullable Instant heartbeatAt;

  @Convert(converter = InstantMicrosConverter.class)
  @Column(name = "closed_at")
  @Nullable Instant closedAt;

  @Column(name = "schedule_to_start")
  @Nullable Long scheduleToStart;

  @Column(name = "start_to_close")
  @Nullable Long startToClose;

  @Column(name = "schedule_to_close")
  @Nullable Long scheduleToClose;

  @Column(name = "heartbeat_timeout")
  @Nullable Long heartbeatTimeout;

  @Convert(converter = StoredPayloadConverter.class)
  @Column(name = "input")
  @Nullable StoredPayload input;

  @Convert(converter = StoredPayloadConverter.class)
  @Column(name = "heartbeat_details")
  @Nullable StoredPayload heartbeatDetails;

  @Convert(converter = StoredPayloadConverter.class)
  @Column(name = "result")
  @Nullable StoredPayload result;

  @Convert(converter = StoredPayloadConverter.class)
  @Column(name = "failure")
  @Nullable StoredPayload failure;
}
