/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.core.payload.PayloadSealer;
import io.wovyr.persistence.execution.ExecutionHead;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Scope;
import java.util.Optional;
import java.util.UUID;

/** An execution to create: its record, its head and its first event, sealed once. */
record Creation(
    NewExecution plain, WorkflowExecution execution, ExecutionHead head, EventDraft created) {

  static Creation of(Engine engine, Scope scope, String actor, NewExecution plain) {
    UUID id = plain.id().orElseGet(Engine::newId);
    String workflowId = plain.workflowId().orElse(id.toString());
    WorkflowExecution execution =
        new WorkflowExecution(
            engine.newHeader(id, scope, actor, RecordTypes.EXECUTION),
            workflowId,
            Optional.of(workflowId),
            ExecutionStatus.CREATED,
            Optional.empty(),
            plain.definition().name(),
            plain.definition().version(),
            plain.definition().digest(),
            plain.parentId(),
            plain.searchAttributes(),
            plain
                .input()
                .map(
                    input ->
                        engine
                            .sealer()
                            .seal(input, Bindings.execution(scope.tenantId(), id, "input"))),
            Optional.empty(),
            Optional.empty());
    ExecutionHead head =
        new ExecutionHead(
            engine.newHeader(id, scope, actor, RecordTypes.HEAD),
            1,
            1,
            false,
            0,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            0,
            0,
            false,
            false,
            Optional.of(engine.now()),
            Optional.empty());
    EventDraft created =
        EventDraft.seal(engine, scope, SystemEvents.created(plain.input()), Optional.empty());
    return new Creation(plain, execution, head, created);
  }

  UUID id() {
    return execution.id();
  }

  /** Whether the stored execution was created from the same. */
  boolean isSameAs(WorkflowExecution stored, PayloadSealer sealer) {
    boolean bothHaveInput = plain.input().isPresent() && stored.input().isPresent();
    boolean sameInput =
        bothHaveInput
            ? sealer.sameContent(
                plain.input().get(),
                stored.input().get(),
                Bindings.execution(stored.header().tenantId(), stored.id(), "input"))
            : plain.input().isEmpty() && stored.input().isEmpty();
    return sameInput
        && plain.definition().equals(stored.definition())
        && execution.workflowId().equals(stored.workflowId())
        && plain.parentId().equals(stored.parentId())
        && plain.searchAttributes().equals(stored.searchAttributes());
  }
}
