/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.execution;

import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.internal.StoredValues;
import io.wovyr.persistence.payload.StoredPayload;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The lifecycle record of an execution. It changes only by validated transitions, each with an
 * event of its own; what moves with every step lives in {@link ExecutionHead}. Immutable.
 *
 * @param workflowId the caller's stable name; unique among the live executions of a tenant
 * @param liveWorkflowId the same while the execution is live, empty once it is closed
 * @param pausedFrom where a paused execution returns to
 * @param searchAttributes {@code name=value} entries, in the order given
 * @param input what it was created with
 * @param outcome result or failure, once closed
 * @param startedAt when it was created, by the creator's clock
 * @since 0.1
 */
public record WorkflowExecution(
    RecordHeader header,
    String workflowId,
    Optional<String> liveWorkflowId,
    ExecutionStatus status,
    Optional<ExecutionStatus> pausedFrom,
    String definitionName,
    int definitionVersion,
    String definitionDigest,
    Optional<UUID> parentId,
    List<String> searchAttributes,
    Optional<StoredPayload> input,
    Optional<StoredPayload> outcome,
    Optional<Instant> closedAt,
    Instant startedAt) {
  public WorkflowExecution {
    searchAttributes = List.copyOf(searchAttributes);
  }

  /** The execution's id. */
  public UUID id() {
    return header.id();
  }

  /**
   * The definition it runs.
   *
   * @throws io.wovyr.persistence.PersistenceException.UnsupportedVersion when this version does not
   *     allow such a name, version or digest
   */
  public DefinitionRef definition() {
    return StoredValues.typed(
        "the definition of execution " + id(),
        () -> new DefinitionRef(definitionName, definitionVersion, definitionDigest));
  }
}
