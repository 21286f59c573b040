/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

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
import java.util.UUID;
import org.hibernate.envers.AuditOverride;
import org.hibernate.envers.AuditTable;
import org.hibernate.envers.Audited;
import org.hibernate.envers.NotAudited;
import org.jspecify.annotations.Nullable;

/**
 * {@link io.wovyr.persistence.execution.WorkflowExecution} as a row. Where the database keeps its
 * history, every change leaves a revision with the whole row but its payloads.
 */
@Audited
@AuditTable("execution_aud")
@AuditOverride(forClass = RecordEntity.class)
@Entity(name = "WorkflowExecution")
@Table(name = "execution")
@IdClass(WorkflowExecutionEntity.Key.class)
@SuppressWarnings("NullAway.Init") // Hibernate and Entities fill the fields.
public class WorkflowExecutionEntity extends RecordEntity {
  /** The key of the row. */
  public record Key(String tenantId, UUID id) implements Serializable {}

  @Id
  @Column(name = "id", nullable = false, updatable = false)
  UUID id;

  @Column(name = "workflow_id", nullable = false, length = 255)
  String workflowId;

  @Column(name = "live_workflow_id", length = 255)
  @Nullable String liveWorkflowId;

  @Column(name = "status", nullable = false, length = 32)
  String status;

  @Column(name = "paused_from", length = 32)
  @Nullable String pausedFrom;

  @Column(name = "definition_name", nullable = false, length = 255)
  String definitionName;

  @Column(name = "definition_version", nullable = false)
  int definitionVersion;

  @Column(name = "definition_digest", nullable = false, length = 128)
  String definitionDigest;

  @Column(name = "parent_id")
  @Nullable UUID parentId;

  @Convert(converter = TextListConverter.class)
  @Column(name = "search_attributes", nullable = false)
  List<String> searchAttributes;

  @NotAudited
  @Convert(converter = StoredPayloadConverter.class)
  @Column(name = "input")
  @Nullable StoredPayload input;

  @NotAudited
  @Convert(converter = StoredPayloadConverter.class)
  @Column(name = "outcome")
  @Nullable StoredPayload outcome;

  @Convert(converter = InstantMicrosConverter.class)
  @Column(name = "closed_at")
  @Nullable Instant closedAt;

  @Convert(converter = InstantMicrosConverter.class)
  @Column(name = "started_at", nullable = false)
  Instant startedAt;
}
