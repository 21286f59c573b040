/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

import io.wovyr.persistence.definition.WorkflowDefinition;
import io.wovyr.persistence.payload.StoredPayload;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;
import java.util.List;
import org.hibernate.envers.AuditOverride;
import org.hibernate.envers.AuditTable;
import org.hibernate.envers.Audited;
import org.hibernate.envers.NotAudited;
import org.jspecify.annotations.Nullable;

/** A row of {@link WorkflowDefinition}. */
@Audited
@AuditTable("definition_aud")
@AuditOverride(forClass = RecordEntity.class)
@Entity(name = "WorkflowDefinition")
@Table(name = "definition")
@IdClass(WorkflowDefinitionEntity.Key.class)
@SuppressWarnings("NullAway.Init") // Hibernate and Entities fill the fields.
public class WorkflowDefinitionEntity extends RecordEntity {
  /** The key of the row. */
  public record Key(String tenantId, String name, int definitionVersion) implements Serializable {}

  @Id
  @Column(name = "name", nullable = false, updatable = false, length = 255)
  String name;

  @Id
  @Column(name = "definition_version", nullable = false, updatable = false)
  int definitionVersion;

  @Column(name = "status", nullable = false, length = 32)
  String status;

  @Column(name = "checksum", nullable = false, length = 128)
  String checksum;

  @NotAudited
  @Convert(converter = StoredPayloadConverter.class)
  @Column(name = "body")
  @Nullable StoredPayload body;

  @Column(name = "policy_version", nullable = false)
  int policyVersion;

  @Convert(converter = TextListConverter.class)
  @Column(name = "policies", nullable = false)
  List<String> policies;

  @Convert(converter = InstantMicrosConverter.class)
  @Column(name = "archived_at")
  @Nullable Instant archivedAt;
}
