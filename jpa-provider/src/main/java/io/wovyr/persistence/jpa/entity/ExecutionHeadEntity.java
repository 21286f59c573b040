/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

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

/**
 * {@link io.wovyr.persistence.execution.ExecutionHead} as a row. Written by the lean path only:
 * never change it through a session.
 */
@Entity(name = "ExecutionHead")
@Table(name = "execution_head")
@IdClass(ExecutionHeadEntity.Key.class)
@SuppressWarnings("NullAway.Init") // Hibernate and Entities fill the fields.
public class ExecutionHeadEntity extends RecordEntity {
  /** The key of the row. */
  public record Key(String tenantId, UUID executionId) implements Serializable {}

  @Id
  @Column(name = "execution_id", nullable = false, updatable = false)
  UUID executionId;

  @Column(name = "last_sequence", nullable = false)
  long lastSequence;

  @Column(name = "low_water_mark", nullable = false)
  long lowWaterMark;

  @Column(name = "closed", nullable = false)
  boolean closed;

  @Column(name = "fencing_token", nullable = false)
  long fencingToken;

  @Column(name = "owner", length = 255)
  @Nullable String owner;

  @Column(name = "lease_id")
  @Nullable UUID leaseId;

  @Convert(converter = InstantMicrosConverter.class)
  @Column(name = "lease_expires_at")
  @Nullable Instant leaseExpiresAt;

  @Column(name = "lease_ttl")
  @Nullable Long leaseTtl;

  @Column(name = "renewals", nullable = false)
  long renewals;

  @Column(name = "acquisitions_without_progress", nullable = false)
  int acquisitionsWithoutProgress;

  @Column(name = "paused", nullable = false)
  boolean paused;

  @Column(name = "parked", nullable = false)
  boolean parked;

  @Convert(converter = InstantMicrosConverter.class)
  @Column(name = "due_at")
  @Nullable Instant dueAt;

  @Column(name = "last_checkpoint_id")
  @Nullable UUID lastCheckpointId;
}
