/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.core.payload.PayloadSealer;
import io.wovyr.persistence.definition.DefinitionPolicies.Policy;
import io.wovyr.persistence.definition.WorkflowDefinition;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.ExecutionHead;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Scope;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** An execution to create: its record, its head and its first event, sealed once. */
record Creation(
    NewExecution plain, WorkflowExecution execution, ExecutionHead head, EventDraft created) {

  /**
   * Seals it.
   *
   * @param definitions answers the definition of a reference, when it is stored here
   * @throws InvalidInput when its definition is stored here and does not allow it
   */
  static Creation of(
      TenantAccess access,
      NewExecution plain,
      Function<DefinitionRef, Optional<WorkflowDefinition>> definitions) {
    Engine engine = access.engine();
    Scope scope = access.scope();
    String actor = access.actor();
    Optional<WorkflowDefinition> definition = definitions.apply(plain.definition());
    definition.ifPresent(found -> checkAllowed(access, plain, found));
    UUID id = plain.id().orElseGet(Engine::newId);
    String workflowId = plain.workflowId().orElse(id.toString());
    WorkflowExecution execution =
        new WorkflowExecution(
            engine.newHeader(id, scope, actor, RecordTypes.EXECUTION),
            workflowId,
            reusable(access, definition) ? Optional.empty() : Optional.of(workflowId),
            ExecutionStatus.CREATED,
            Optional.empty(),
            plain.definition().name(),
            plain.definition().version(),
            definition.map(WorkflowDefinition::checksum).orElse(plain.definition().digest()),
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
            Optional.empty(),
            engine.now());
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
    EventDraft created = EventDraft.of(SystemEvents.created(plain.input()), Optional.empty());
    return new Creation(plain, execution, head, created);
  }

  /**
   * Refuses a definition that nothing new may be created from.
   *
   * @throws InvalidInput when it is stored here and does not allow it
   */
  static void checkAllowed(TenantAccess access, DefinitionRef definition) {
    stored(access, definition)
        .ifPresent(found -> checkAllowed(access, NewExecution.of(definition), found));
  }

  /** The definition, when it is stored here: read, not guarded, so that no row is hot. */
  static Optional<WorkflowDefinition> stored(TenantAccess access, DefinitionRef ref) {
    return access.find(WorkflowDefinition.class, ref.name(), ref.version());
  }

  private static void checkAllowed(
      TenantAccess access, NewExecution plain, WorkflowDefinition stored) {
    DefinitionRef ref = plain.definition();
    String checksum = stored.checksum();
    if (!ref.digest().isEmpty() && !ref.digest().equals(checksum)) {
      throw new InvalidInput(
          "definition %s@%d has the checksum %s, not %s"
              .formatted(ref.name(), ref.version(), checksum, ref.digest()));
    }
    if (!stored.status().allowsCreation() && !isRepeated(access, plain)) {
      throw new InvalidInput(
          "definition %s@%d is %s: nothing can be created from it"
              .formatted(ref.name(), ref.version(), stored.status()));
    }
  }

  private static boolean isRepeated(TenantAccess access, NewExecution plain) {
    return plain.id().isPresent()
        && access.engine().exists(access.scope(), Key.of(RecordTypes.EXECUTION, plain.id().get()));
  }

  private static boolean reusable(TenantAccess access, Optional<WorkflowDefinition> definition) {
    String ruling =
        EffectivePolicies.of(access.engine().settings(), definition)
            .get(Policy.WORKFLOW_ID_REUSE)
            .value();
    return ruling.equals("allow");
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
        && isSameDefinition(stored.definition())
        && execution.workflowId().equals(stored.workflowId())
        && plain.parentId().equals(stored.parentId())
        && plain.searchAttributes().equals(stored.searchAttributes());
  }

  /** A definition that was stored since has a digest now; name and version say which it was. */
  private boolean isSameDefinition(DefinitionRef stored) {
    DefinitionRef given = plain.definition();
    return given.name().equals(stored.name())
        && given.version() == stored.version()
        && (given.digest().isEmpty() || given.digest().equals(stored.digest()));
  }
}
