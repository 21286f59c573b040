/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.UUID;
import org.hibernate.annotations.TenantId;
import org.hibernate.envers.RevisionNumber;
import org.hibernate.envers.RevisionTimestamp;
import org.jspecify.annotations.Nullable;

/**
 * One commit that changed audited records: whose, when, by whom, and to what it belongs. Its number
 * has 64 bits and is given by the store, under its locks. Not thread-safe; public only because JPA
 * asks for it.
 */
@Entity(name = "Revision")
@Table(name = "revision")
@org.hibernate.envers.RevisionEntity(RevisionContext.class)
@SuppressWarnings("NullAway.Init") // Hibernate and RevisionContext fill the fields.
public class RevisionEntity {
  @Id
  @RevisionNumber
  @Column(name = "rev", nullable = false, updatable = false)
  long rev;

  @TenantId
  @Column(name = "tenant_id", nullable = false, updatable = false)
  String tenantId;

  /** By this node's clock, milliseconds since the epoch: information only. */
  @RevisionTimestamp
  @Column(name = "at_millis", nullable = false, updatable = false)
  long atMillis;

  @Column(name = "actor", nullable = false, updatable = false)
  String actor;

  @Column(name = "commit_id", nullable = false, updatable = false)
  UUID commitId;

  @Column(name = "correlation_id", updatable = false)
  @Nullable UUID correlationId;

  RevisionEntity() {}
}
