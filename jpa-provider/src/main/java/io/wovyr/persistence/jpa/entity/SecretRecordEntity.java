/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.secret.SecretRecord;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A row of {@link SecretRecord}. */
@Entity(name = "SecretRecord")
@Table(name = "secret")
@IdClass(SecretRecordEntity.Key.class)
@SuppressWarnings("NullAway.Init") // Hibernate and Entities fill the fields.
public class SecretRecordEntity extends RecordEntity {
  /** The key of the row. */
  public record Key(String tenantId, String name, int secretVersion) implements Serializable {}

  @Id
  @Column(name = "name", nullable = false, updatable = false, length = 255)
  String name;

  @Id
  @Column(name = "secret_version", nullable = false, updatable = false)
  int secretVersion;

  @Convert(converter = StoredPayloadConverter.class)
  @Column(name = "value")
  @Nullable StoredPayload value;

  @Convert(converter = InstantMicrosConverter.class)
  @Column(name = "revoked_at")
  @Nullable Instant revokedAt;
}
