/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

import io.wovyr.persistence.Bytes;
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

/**
 * {@link io.wovyr.persistence.event.WorkflowEvent} as a row. Written once, by the lean path only;
 * the database refuses every change.
 */
@Entity(name = "WorkflowEvent")
@Table(name = "workflow_event")
@IdClass(WorkflowEventEntity.Key.class)
@Immutable
@SuppressWarnings("NullAway.Init") // Hibernate and Entities fill the fields.
public class WorkflowEventEntity extends RecordEntity {
  /** The key of the row. */
  public record Key(String tenantId, UUID executionId, long sequence) implements Serializable {}

  @Id
  @Column(name = "execution_id", nullable = false, updatable = false)
  UUID executionId;

  @Id
  @Column(name = "sequence", nullable = false, updatable = false)
  long sequence;

  /** The provider's own: where the row stands in the feed. */
  @Column(name = "feed_key", nullable = false, insertable = false, updatable = false)
  long feedKey;

  @Column(name = "type", nullable = false, length = 255)
  String type;

  @Column(name = "correlation_id")
  @Nullable UUID correlationId;

  @Column(name = "causation_id")
  @Nullable UUID causationId;

  @Column(name = "dedupe_key", length = 255)
  @Nullable String dedupeKey;

  @Column(name = "fencing_token", nullable = false)
  long fencingToken;

  @Column(name = "commit_id", nullable = false)
  UUID commitId;

  @Convert(converter = StoredPayloadConverter.class)
  @Column(name = "payload")
  @Nullable StoredPayload payload;

  @Convert(converter = BytesConverter.class)
  @Column(name = "changes", nullable = false)
  Bytes changes;
}
