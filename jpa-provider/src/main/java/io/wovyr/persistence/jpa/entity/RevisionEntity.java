/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.Optional;
import java.util.UUID;
import org.hibernate.annotations.TenantId;
import org.hibernate.envers.RevisionNumber;
import org.hibernate.envers.RevisionTimestamp;
import org.jspecify.annotations.Nullable;

/**
 * One commit that changed audited records: whose, when, by whom and from where, and to what it
 * belongs. Its number has 64 bits and is given by the store, under its locks. Actor and client are
 * sealed under a key of the tenant where the store's values are; what was written before stays in
 * clear, row by row. Not thread-safe; public only because JPA asks for it.
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

  /** In clear; empty where it is sealed. */
  @Column(name = "actor", nullable = false, updatable = false)
  String actor;

  /** In clear; null where it is sealed, or not known. */
  @Column(name = "client", updatable = false)
  @Nullable String client;

  @Convert(converter = RevisionActorConverter.class)
  @Column(name = "sealed_actor", updatable = false)
  @Nullable String sealedActor;

  @Convert(converter = RevisionClientConverter.class)
  @Column(name = "sealed_client", updatable = false)
  @Nullable String sealedClient;

  @Column(name = "commit_id", nullable = false, updatable = false)
  UUID commitId;

  @Column(name = "correlation_id", updatable = false)
  @Nullable UUID correlationId;

  RevisionEntity() {}

  /** Its number. */
  public long rev() {
    return rev;
  }

  /** Who changed the records. */
  public String actor() {
    return sealedActor == null ? actor : sealedActor;
  }

  /** Where the call came from. */
  public Optional<String> client() {
    return Optional.ofNullable(sealedClient == null ? client : sealedClient);
  }
}
