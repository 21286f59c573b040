/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.checkpoint.WorkflowCheckpoint;
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
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.Nullable;

/** A row of {@link WorkflowCheckpoint}. */
@Entity(name = "WorkflowCheckpoint")
@Table(name = "checkpoint")
@IdClass(WorkflowCheckpointEntity.Key.class)
@Immutable
@SuppressWarnings("NullAway.Init") // Hibernate and Entities fill the fields.
public class WorkflowCheckpointEntity extends RecordEntity {
  /** The key of the row. */
  public record Key(
      String tenantId, UUID executionId, long eventCursor, int generation, String kind)
      implements Serializable {}

  @Id
  @Column(name = "execution_id", nullable = false, updatable = false)
  UUID executionId;

  @Id
  @Column(name = "event_cursor", nullable = false, updatable = false)
  long eventCursor;

  @Id
  @Column(name = "generation", nullable = false, updatable = false)
  int generation;

  @Id
  @Column(name = "kind", nullable = false, updatable = false, length = 32)
  String kind;

  @Column(name = "checkpoint_id", nullable = false)
  UUID checkpointId;

  @Column(name = "workflow_id", nullable = false, length = 255)
  String workflowId;

  @Column(name = "workflow_version", nullable = false)
  int workflowVersion;

  @Column(name = "checkpoint_version", nullable = false)
  int checkpointVersion;

  @Column(name = "origin", nullable = false, length = 32)
  String origin;

  @Column(name = "triggered_by", nullable = false, length = 255)
  String triggeredBy;

  @Column(name = "base_id")
  @Nullable UUID baseId;

  @Column(name = "chain_length", nullable = false)
  int chainLength;

  @Column(name = "worker_id", nullable = false, length = 255)
  String workerId;

  @Column(name = "fencing_token", nullable = false)
  long fencingToken;

  @Column(name = "state_version", nullable = false)
  int stateVersion;

  @Convert(converter = BytesConverter.class)
  @Column(name = "state_hash", nullable = false)
  Bytes stateHash;

  @Column(name = "current_state", nullable = false, length = 255)
  String currentState;

  @Convert(converter = TextListConverter.class)
  @Column(name = "active_nodes", nullable = false)
  List<String> activeNodes;

  @Column(name = "completed_nodes", nullable = false)
  int completedNodes;

  @Column(name = "variables", nullable = false)
  int variables;

  @Column(name = "activity_results", nullable = false)
  int activityResults;

  @Column(name = "pending_events", nullable = false)
  int pendingEvents;

  @Column(name = "lease_owner", length = 255)
  @Nullable String leaseOwner;

  @Convert(converter = TextListConverter.class)
  @Column(name = "metadata", nullable = false)
  List<String> metadata;

  @Column(name = "milestone", nullable = false)
  boolean milestone;

  @Convert(converter = InstantMicrosConverter.class)
  @Column(name = "expires_at")
  @Nullable Instant expiresAt;

  @Column(name = "codec", nullable = false, length = 32)
  String codec;

  @Column(name = "compression", nullable = false, length = 32)
  String compression;

  @Column(name = "encryption_version", nullable = false)
  int encryptionVersion;

  @Column(name = "key_id", length = 255)
  @Nullable String keyId;

  @Column(name = "store_name", nullable = false, length = 255)
  String storeName;

  @Column(name = "location", nullable = false, length = 1023)
  String location;

  @Column(name = "stored_bytes", nullable = false)
  long storedBytes;

  @Column(name = "state_bytes", nullable = false)
  long stateBytes;

  @Convert(converter = BytesConverter.class)
  @Column(name = "digest", nullable = false)
  Bytes digest;

  @Convert(converter = BytesConverter.class)
  @Column(name = "signature")
  @Nullable Bytes signature;

  @Column(name = "definition_digest", length = 128)
  @Nullable String definitionDigest;
}
