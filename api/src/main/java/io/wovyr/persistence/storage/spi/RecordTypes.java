/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import static io.wovyr.persistence.internal.Inputs.MAX_NAME;
import static io.wovyr.persistence.storage.spi.Attribute.Kind.BOOLEAN;
import static io.wovyr.persistence.storage.spi.Attribute.Kind.BYTES;
import static io.wovyr.persistence.storage.spi.Attribute.Kind.INSTANT;
import static io.wovyr.persistence.storage.spi.Attribute.Kind.INT;
import static io.wovyr.persistence.storage.spi.Attribute.Kind.LONG;
import static io.wovyr.persistence.storage.spi.Attribute.Kind.UUID;

import io.wovyr.persistence.storage.spi.RecordType.FeedRole;
import io.wovyr.persistence.storage.spi.RecordType.Removal;
import java.util.List;

/**
 * Every record there is, described once. Attribute names are those of the Java record's components.
 *
 * @since 0.1
 */
public final class RecordTypes {
  /** {@link io.wovyr.persistence.execution.WorkflowExecution}. */
  public static final RecordType EXECUTION =
      RecordType.named("execution", 1)
          .withHistory()
          .key("id", UUID)
          .requiredText("workflowId", MAX_NAME)
          .optionalText("liveWorkflowId", MAX_NAME)
          .requiredText("status", 32)
          .optionalText("pausedFrom", 32)
          .requiredText("definitionName", MAX_NAME)
          .required("definitionVersion", INT)
          .requiredText("definitionDigest", 128)
          .optional("parentId", UUID)
          .textList("searchAttributes", 511)
          .payload("input")
          .payload("outcome")
          .optional("closedAt", INSTANT)
          .required("startedAt", INSTANT)
          .unique("live_workflow", "liveWorkflowId")
          .path("by_status", List.of("status"), List.of("startedAt"))
          .path("by_time", List.of(), List.of("startedAt"))
          .path("by_definition", List.of("definitionName"), List.of("startedAt"))
          .path("by_workflow", List.of("workflowId"), List.of("startedAt"))
          .path("by_parent", List.of("parentId"), List.of("startedAt"))
          .path("by_attribute", List.of("searchAttributes"), List.of("startedAt"))
          .build();

  /** {@link io.wovyr.persistence.execution.ExecutionHead}. */
  public static final RecordType HEAD =
      RecordType.named("execution_head", 2)
          .key("executionId", UUID)
          .required("lastSequence", LONG)
          .required("lowWaterMark", LONG)
          .required("closed", BOOLEAN)
          .required("fencingToken", LONG)
          .optionalText("owner", MAX_NAME)
          .optional("leaseId", UUID)
          .optional("leaseExpiresAt", INSTANT)
          .optional("leaseTtl", LONG)
          .required("renewals", LONG)
          .required("acquisitionsWithoutProgress", INT)
          .required("paused", BOOLEAN)
          .required("parked", BOOLEAN)
          .optional("dueAt", INSTANT)
          .optional("lastCheckpointId", UUID)
          .path("held", List.of(), List.of("owner"))
          .systemPath("due", List.of(), List.of("dueAt"))
          .build();

  /** {@link io.wovyr.persistence.event.WorkflowEvent}. */
  public static final RecordType EVENT =
      RecordType.named("workflow_event", 3)
          .appendOnly()
          .removed(Removal.BY_PURGE)
          .feed(FeedRole.RECORDS)
          .key("executionId", UUID)
          .key("sequence", LONG)
          .requiredText("type", MAX_NAME)
          .optional("correlationId", UUID)
          .optional("causationId", UUID)
          .optionalText("dedupeKey", MAX_NAME)
          .required("fencingToken", LONG)
          .required("commitId", UUID)
          .payload("payload")
          .required("changes", BYTES)
          .unique("dedupe", "executionId", "dedupeKey")
          .path("by_correlation", List.of("correlationId"), List.of())
          .path("by_causation", List.of("causationId"), List.of())
          .build();

  /** {@link io.wovyr.persistence.lease.NamedLease}. */
  public static final RecordType NAMED_LEASE =
      RecordType.named("named_lease", 4)
          .keyText("name", MAX_NAME)
          .required("fencingToken", LONG)
          .optionalText("owner", MAX_NAME)
          .optional("leaseId", UUID)
          .optional("leaseExpiresAt", INSTANT)
          .optional("leaseTtl", LONG)
          .required("renewals", LONG)
          .build();

  /**
   * Tells that a commit applied when it inserts no append-only row, or that it never will when it
   * is {@code voided}. Expires.
   */
  public static final RecordType COMMIT_MARKER =
      RecordType.named("commit_marker", 5)
          .removed(Removal.BY_BATCH)
          .key("commitId", UUID)
          .required("voided", BOOLEAN)
          .required("expiresAt", INSTANT)
          .systemPath("expiry", List.of(), List.of("expiresAt"))
          .build();

  /** {@link io.wovyr.persistence.feed.RegisteredCursor}. */
  public static final RecordType FEED_CURSOR =
      RecordType.named("feed_cursor", 6)
          .removed(Removal.BY_BATCH)
          .keyText("name", MAX_NAME)
          .required("epoch", LONG)
          .requiredText("position", MAX_NAME)
          .build();

  /** {@link io.wovyr.persistence.definition.WorkflowDefinition}. */
  public static final RecordType DEFINITION =
      RecordType.named("definition", 7)
          .withHistory()
          .keyText("name", MAX_NAME)
          .key("definitionVersion", INT)
          .requiredText("status", 32)
          .requiredText("checksum", 128)
          .payload("body")
          .required("policyVersion", INT)
          .textList("policies", 511)
          .optional("archivedAt", INSTANT)
          .path("by_status", List.of("status"), List.of())
          .build();

  /** {@link io.wovyr.persistence.activity.ActivityExecution}. */
  public static final RecordType ACTIVITY =
      RecordType.named("activity", 8)
          .key("executionId", UUID)
          .keyText("activityId", MAX_NAME)
          .requiredText("activityType", MAX_NAME)
          .requiredText("status", 32)
          .required("attempt", INT)
          .required("scheduledAt", INSTANT)
          .optional("openSince", INSTANT)
          .optionalText("worker", MAX_NAME)
          .optional("startedAt", INSTANT)
          .optional("heartbeatAt", INSTANT)
          .optional("closedAt", INSTANT)
          .optional("scheduleToStart", LONG)
          .optional("startToClose", LONG)
          .optional("scheduleToClose", LONG)
          .optional("heartbeatTimeout", LONG)
          .payload("input")
          .payload("heartbeatDetails")
          .payload("result")
          .payload("failure")
          .path("open", List.of(), List.of("openSince"))
          .build();

  /**
   * {@link io.wovyr.persistence.retry.RetryRecord}. Since entity version 2 {@code reason} holds a
   * history of attempts.
   */
  public static final RecordType RETRY =
      RecordType.named("retry", 9)
          .entityVersion(2)
          .key("executionId", UUID)
          .keyText("activityId", MAX_NAME)
          .requiredText("status", 32)
          .required("attempts", INT)
          .required("maxAttempts", INT)
          .required("initialDelay", LONG)
          .required("multiplierPercent", INT)
          .required("maxDelay", LONG)
          .textList("nonRetryable", MAX_NAME)
          .optional("lastDelay", LONG)
          .optional("nextAttemptAt", INSTANT)
          .required("firstFailureAt", INSTANT)
          .required("lastFailureAt", INSTANT)
          .requiredText("lastError", MAX_NAME)
          .payload("reason")
          .path("pending", List.of(), List.of("nextAttemptAt"))
          .path("by_status", List.of("status"), List.of("lastFailureAt"))
          .build();

  /**
   * {@link io.wovyr.persistence.compensation.CompensationRecord}. Since entity version 2 {@code
   * failure} holds a history of attempts.
   */
  public static final RecordType COMPENSATION =
      RecordType.named("compensation", 10)
          .withHistory()
          .entityVersion(2)
          .key("executionId", UUID)
          .key("position", INT)
          .requiredText("activityId", MAX_NAME)
          .requiredText("action", MAX_NAME)
          .requiredText("status", 32)
          .required("attempts", INT)
          .textList("metadata", 511)
          .required("registeredAt", INSTANT)
          .optional("startedAt", INSTANT)
          .optional("finishedAt", INSTANT)
          .optional("nextAttemptAt", INSTANT)
          .optionalText("lastError", MAX_NAME)
          .payload("input")
          .payload("result")
          .payload("failure")
          .path("by_status", List.of("status"), List.of("registeredAt"))
          .build();

  /** {@link io.wovyr.persistence.schedule.Schedule}. */
  public static final RecordType SCHEDULE =
      RecordType.named("schedule", 11)
          .withHistory()
          .removed(Removal.BY_BATCH)
          .keyText("name", MAX_NAME)
          .requiredText("kind", 32)
          .requiredText("expression", MAX_NAME)
          .optionalText("zone", MAX_NAME)
          .optional("anchor", INSTANT)
          .requiredText("definitionName", MAX_NAME)
          .required("definitionVersion", INT)
          .requiredText("definitionDigest", 128)
          .requiredText("misfire", 32)
          .required("misfireAfter", LONG)
          .optional("notBefore", INSTANT)
          .optional("notAfter", INSTANT)
          .required("paused", BOOLEAN)
          .optional("nextFireAt", INSTANT)
          .optional("lastFireAt", INSTANT)
          .required("fires", LONG)
          .payload("input")
          .systemPath("due", List.of(), List.of("nextFireAt"))
          .build();

  /** {@link io.wovyr.persistence.audit.AuditRecord}. */
  public static final RecordType AUDIT_RECORD =
      RecordType.named("audit_record", 12)
          .appendOnly()
          .feed(FeedRole.RECORDS)
          .key("id", UUID)
          .required("occurredAt", INSTANT)
          .requiredText("action", MAX_NAME)
          .requiredText("outcome", 32)
          .requiredText("subjectType", MAX_NAME)
          .requiredText("subjectId", MAX_NAME)
          .optional("correlationId", UUID)
          .optional("detailsCommitment", BYTES)
          .path("by_time", List.of(), List.of("occurredAt"))
          .path("by_subject", List.of("subjectType", "subjectId"), List.of("occurredAt"))
          .build();

  /** {@link io.wovyr.persistence.audit.AuditDetails}. */
  public static final RecordType AUDIT_DETAILS =
      RecordType.named("audit_details", 13)
          .appendOnly()
          .removed(Removal.BY_PURGE)
          .key("id", UUID)
          .payload("details")
          .build();

  /** {@link io.wovyr.persistence.metrics.MetricsSnapshot}. */
  public static final RecordType METRICS_SNAPSHOT =
      RecordType.named("metrics_snapshot", 14)
          .removed(Removal.BY_BATCH)
          .key("id", UUID)
          .required("takenAt", INSTANT)
          .requiredText("source", MAX_NAME)
          .textList("readings", 511)
          .path("by_source", List.of("source"), List.of("takenAt"))
          .build();

  /** {@link io.wovyr.persistence.checkpoint.WorkflowCheckpoint}. */
  public static final RecordType CHECKPOINT =
      RecordType.named("checkpoint", 15)
          .appendOnly()
          .removed(Removal.BY_PURGE)
          .key("executionId", UUID)
          .key("eventCursor", LONG)
          .key("generation", INT)
          .keyText("kind", 32)
          .required("checkpointId", UUID)
          .requiredText("workflowId", MAX_NAME)
          .required("workflowVersion", INT)
          .required("checkpointVersion", INT)
          .requiredText("origin", 32)
          .requiredText("triggeredBy", MAX_NAME)
          .optional("baseId", UUID)
          .required("chainLength", INT)
          .requiredText("workerId", MAX_NAME)
          .required("fencingToken", LONG)
          .required("stateVersion", INT)
          .required("stateHash", BYTES)
          .requiredText("currentState", MAX_NAME)
          .textList("activeNodes", MAX_NAME)
          .required("completedNodes", INT)
          .required("variables", INT)
          .required("activityResults", INT)
          .required("pendingEvents", INT)
          .optionalText("leaseOwner", MAX_NAME)
          .textList("metadata", 511)
          .required("milestone", BOOLEAN)
          .optional("expiresAt", INSTANT)
          .requiredText("codec", 32)
          .requiredText("compression", 32)
          .required("encryptionVersion", INT)
          .optionalText("keyId", MAX_NAME)
          .requiredText("storeName", MAX_NAME)
          .requiredText("location", 1_023)
          .required("storedBytes", LONG)
          .required("stateBytes", LONG)
          .required("digest", BYTES)
          .optional("signature", BYTES)
          .optionalText("definitionDigest", 128)
          .unique("checkpoint_id", "checkpointId")
          .build();

  /**
   * {@link io.wovyr.persistence.checkpoint.CheckpointMark}. Since entity version 2 its reasons are
   * sealed; {@code reason} and {@code pinReason} are only read, where older rows have them.
   */
  public static final RecordType CHECKPOINT_MARK =
      RecordType.named("checkpoint_mark", 16)
          .entityVersion(2)
          .key("executionId", UUID)
          .key("checkpointId", UUID)
          .requiredText("validity", 32)
          .optionalText("reason", 511)
          .optionalText("pinnedBy", MAX_NAME)
          .optionalText("pinReason", 511)
          .payload("sealedReason")
          .payload("sealedPinReason")
          .build();

  /** {@link io.wovyr.persistence.secret.SecretRecord}. */
  public static final RecordType SECRET =
      RecordType.named("secret", 17)
          .keyText("name", MAX_NAME)
          .key("secretVersion", INT)
          .payload("value")
          .optional("revokedAt", INSTANT)
          .build();

  /** {@link io.wovyr.persistence.sealing.spi.WrappedDataKey}. */
  public static final RecordType DATA_KEY =
      RecordType.named("data_key", 18)
          .keyText("scope", 32)
          .key("number", INT)
          .required("keyId", UUID)
          .requiredText("wrappingKeyId", MAX_NAME)
          .required("wrapped", BYTES)
          .unique("key_id", "keyId")
          .systemPath("by_wrapping_key", List.of(), List.of("wrappingKeyId"))
          .build();

  /**
   * A value too large for its record, whose bytes are in {@link #CHUNK}s. Written before the batch
   * that publishes it; removed with its chunks when that never comes, or when no record refers to
   * it any more: then, and only then, it expires.
   */
  public static final RecordType LARGE_VALUE =
      RecordType.named("large_value", 19)
          .removed(Removal.BY_BATCH)
          .key("valueId", UUID)
          .requiredText("status", 32)
          .requiredText("ownerType", MAX_NAME)
          .optional("executionId", UUID)
          .optional("sequence", LONG)
          .required("chunks", INT)
          .required("storedBytes", LONG)
          .optional("expiresAt", INSTANT)
          .path("by_event", List.of("executionId"), List.of("sequence"))
          .systemPath("expiry", List.of(), List.of("expiresAt"))
          .build();

  /** A piece of a {@link #LARGE_VALUE}, sealed as a whole before it was cut. Never changes. */
  public static final RecordType CHUNK =
      RecordType.named("chunk", 20)
          .removed(Removal.BY_BATCH)
          .key("valueId", UUID)
          .key("number", INT)
          .required("content", BYTES)
          .build();

  private static final List<RecordType> ALL =
      List.of(
          EXECUTION,
          HEAD,
          EVENT,
          NAMED_LEASE,
          COMMIT_MARKER,
          FEED_CURSOR,
          DEFINITION,
          ACTIVITY,
          RETRY,
          COMPENSATION,
          SCHEDULE,
          AUDIT_RECORD,
          AUDIT_DETAILS,
          METRICS_SNAPSHOT,
          CHECKPOINT,
          CHECKPOINT_MARK,
          SECRET,
          DATA_KEY,
          LARGE_VALUE,
          CHUNK);

  private RecordTypes() {}

  /** All record types, by number. */
  public static List<RecordType> all() {
    return ALL;
  }

  /** The type of this name. */
  public static java.util.Optional<RecordType> named(String name) {
    return ALL.stream().filter(type -> type.name().equals(name)).findFirst();
  }
}
