/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

import io.wovyr.persistence.checkpoint.CheckpointMark;
import io.wovyr.persistence.payload.StoredPayload;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A row of {@link CheckpointMark}. */
@Entity(name = "CheckpointMark")
@Table(name = "checkpoint_mark")
@IdClass(CheckpointMarkEntity.Key.class)
@SuppressWarnings("NullAway.Init") // Hibernate and Entities fill the fields.
public class CheckpointMarkEntity extends RecordEntity {
  /** The key of the row. */
  public record Key(String tenantId, UUID executionId, UUID checkpointId) implements Serializable {}

  @Id
  @Column(name = "execution_id", nullable = false, updatable = false)
  UUID executionId;

  @Id
  @Column(name = "checkpoint_id", nullable = false, updatable = false)
  UUID checkpointId;

  @Column(name = "validity", nullable = false, length = 32)
  String validity;

  @Column(name = "reason", length = 511)
  @Nullable String reason;

  @Column(name = "pinned_by", length = 255)
  @Nullable String pinnedBy;

  @Column(name = "pin_reason", length = 511)
  @Nullable String pinReason;

  @Convert(converter = StoredPayloadConverter.class)
  @Column(name = "sealed_reason")
  @Nullable StoredPayload sealedReason;

  @Convert(converter = StoredPayloadConverter.class)
  @Column(name = "sealed_pin_reason")
  @Nullable StoredPayload sealedPinReason;
}
