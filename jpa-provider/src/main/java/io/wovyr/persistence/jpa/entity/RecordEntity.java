/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.UUID;
import org.hibernate.annotations.TenantId;
import org.hibernate.envers.NotAudited;
import org.jspecify.annotations.Nullable;

/**
 * What every record carries, as columns. The tenant is part of every key and filled, filtered and
 * checked by Hibernate. Not thread-safe; public only because JPA asks for it.
 */
@MappedSuperclass
@SuppressWarnings("NullAway.Init") // Hibernate and Entities fill the fields.
public abstract class RecordEntity {
  @Id
  @TenantId
  @Column(name = "tenant_id", nullable = false, updatable = false)
  String tenantId;

  @Column(name = "record_id", nullable = false)
  UUID recordId;

  @Version
  @Column(name = "version", nullable = false)
  long version;

  @Convert(converter = InstantMicrosConverter.class)
  @Column(name = "created_at", nullable = false)
  Instant createdAt;

  @Convert(converter = InstantMicrosConverter.class)
  @Column(name = "updated_at", nullable = false)
  Instant updatedAt;

  @Column(name = "updated_by", nullable = false)
  String updatedBy;

  @Column(name = "schema_version", nullable = false)
  int schemaVersion;

  @Column(name = "entity_version", nullable = false)
  int entityVersion;

  @Column(name = "serialization_version", nullable = false)
  int serializationVersion;

  @NotAudited
  @Column(name = "extra")
  byte @Nullable [] extra;

  RecordEntity() {}
}
