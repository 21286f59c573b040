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

/** {@link io.wovyr.persistence.storage.spi.RecordTypes#LARGE_VALUE} as a row. */
@Entity(name = "LargeValue")
@Table(name = "large_value")
@IdClass(LargeValueEntity.Key.class)
@SuppressWarnings("NullAway.Init") // Hibernate and Entities fill the fields.
public class LargeValueEntity extends RecordEntity {
  /** The key of the row. */
  public record Key(String tenantId, UUID valueId) implements Serializable {}

  @Id
  @Column(name = "value_id", nullable = false, updatable = false)
  UUID valueId;

  @Column(name = "status", nullable = false, length = 32)
  String status;

  @Column(name = "owner_type", nullable = false, length = 255)
  String ownerType;

  @Column(name = "execution_id")
  @Nullable UUID executionId;

  @Column(name = "sequence")
  @Nullable Long sequence;

  @Column(name = "chunks", nullable = false)
  int chunks;

  @Column(name = "stored_bytes", nullable = false)
  long storedBytes;

  @Convert(converter = InstantMicrosConverter.class)
  @Column(name = "expires_at")
  @Nullable Instant expiresAt;
}
