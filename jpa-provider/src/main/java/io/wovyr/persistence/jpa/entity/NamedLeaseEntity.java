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

/** {@link io.wovyr.persistence.lease.NamedLease} as a row. */
@Entity(name = "NamedLease")
@Table(name = "named_lease")
@IdClass(NamedLeaseEntity.Key.class)
@SuppressWarnings("NullAway.Init") // Hibernate and Entities fill the fields.
public class NamedLeaseEntity extends RecordEntity {
  /** The key of the row. */
  public record Key(String tenantId, String name) implements Serializable {}

  @Id
  @Column(name = "name", nullable = false, updatable = false, length = 255)
  String name;

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
}
