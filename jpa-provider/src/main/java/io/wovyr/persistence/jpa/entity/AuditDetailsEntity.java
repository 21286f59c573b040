/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

import io.wovyr.persistence.audit.AuditDetails;
import io.wovyr.persistence.payload.StoredPayload;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.util.UUID;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.Nullable;

/** A row of {@link AuditDetails}. */
@Entity(name = "AuditDetails")
@Table(name = "audit_details")
@IdClass(AuditDetailsEntity.Key.class)
@Immutable
@SuppressWarnings("NullAway.Init") // Hibernate and Entities fill the fields.
public class AuditDetailsEntity extends RecordEntity {
  /** The key of the row. */
  public record Key(String tenantId, UUID id) implements Serializable {}

  @Id
  @Column(name = "id", nullable = false, updatable = false)
  UUID id;

  @Convert(converter = StoredPayloadConverter.class)
  @Column(name = "details")
  @Nullable StoredPayload details;
}
