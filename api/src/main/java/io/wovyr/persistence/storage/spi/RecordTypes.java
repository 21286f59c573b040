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
          .unique("live_workflow", "liveWorkflowId")
          .path("by_status", List.of("status"), List.of())
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
          .key("commitId", UUID)
          .required("voided", BOOLEAN)
          .required("expiresAt", INSTANT)
          .systemPath("expiry", List.of(), List.of("expiresAt"))
          .build();

  /** {@link io.wovyr.persistence.feed.RegisteredCursor}. */
  public static final RecordType FEED_CURSOR =
      RecordType.named("feed_cursor", 6)
          .keyText("name", MAX_NAME)
          .required("epoch", LONG)
          .requiredText("position", MAX_NAME)
          .build();

  private static final List<RecordType> ALL =
      List.of(EXECUTION, HEAD, EVENT, NAMED_LEASE, COMMIT_MARKER, FEED_CURSOR);

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
