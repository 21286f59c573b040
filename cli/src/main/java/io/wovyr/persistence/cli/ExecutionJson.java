/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.event.StateChange;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.WorkflowExecution;

/** The JSON shapes that several commands share. Stateless. */
final class ExecutionJson {
  private ExecutionJson() {}

  static JsonObject summary(WorkflowExecution execution) {
    return new JsonObject()
        .put("id", execution.id())
        .put("workflowId", execution.workflowId())
        .put("status", execution.status())
        .put(
            "definition",
            new JsonObject()
                .put("name", execution.definitionName())
                .put("version", execution.definitionVersion())
                .put("digest", execution.definitionDigest()))
        .put("createdAt", execution.header().createdAt())
        .put("updatedAt", execution.header().updatedAt())
        .put("closedAt", execution.closedAt());
  }

  static JsonObject change(StateChange change) {
    return new JsonObject()
        .put("change", change instanceof StateChange.Put ? "put" : "remove")
        .put("section", change.section())
        .put("key", change.key());
  }

  static JsonObject event(WorkflowEvent event) {
    return new JsonObject()
        .put("executionId", event.executionId())
        .put("sequence", event.sequence())
        .put("id", event.id())
        .put("type", event.type())
        .put("committedAt", event.committedAt())
        .put("actor", event.actor())
        .put("fencingToken", event.fencingToken())
        .put("commitId", event.commitId())
        .put("correlationId", event.correlationId())
        .put("causationId", event.causationId())
        .put("dedupeKey", event.dedupeKey());
  }
}
