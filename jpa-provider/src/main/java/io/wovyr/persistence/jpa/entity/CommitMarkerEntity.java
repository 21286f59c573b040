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

/** {@link io.wovyr.persistence.storage.spi.RecordTypes#COMMIT_MARKER} as a row. */
@Entity(name = "CommitMarker")
@Table(name = "commit_marker")
@IdClass(CommitMarkerEntity.Key.class)
@SuppressWarnings("NullAway.Init") // Hibernate and Entities fill the fields.
public class CommitMarkerEntity extends RecordEntity {
  /** The key of the row. */
  public record Key(String tenantId, UUID commitId) implements Serializable {}

  @Id
  @Column(name = "commit_id", nullable = false, updatable = false)
  UUID commitId;

  @Column(name = "voided", nullable = false)
  boolean voided;

  @Convert(converter = InstantMicrosConverter.class)
  @Column(name = "expires_at", nullable = false)
  Instant expiresAt;
}
