/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.execution;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.payload.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What an execution is created from. Immutable; every method returns a changed copy.
 *
 * @param id given to make creation repeatable across a crash; generated when empty
 * @param workflowId the caller's stable name; generated when empty
 * @since 0.1
 */
public record NewExecution(
    DefinitionRef definition,
    Optional<UUID> id,
    Optional<String> workflowId,
    Optional<UUID> parentId,
    List<String> searchAttributes,
    Optional<Payload> input) {
  public NewExecution {
    workflowId.ifPresent(name -> Inputs.name("workflowId", name));
    searchAttributes.forEach(entry -> Inputs.searchable("search attribute", entry, 511));
    searchAttributes = List.copyOf(searchAttributes);
  }

  /** A new execution of this definition. */
  public static NewExecution of(DefinitionRef definition) {
    return new NewExecution(
        definition,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        List.of(),
        Optional.empty());
  }

  /** With this id: creating it again with the same input succeeds and changes nothing. */
  public NewExecution withId(UUID value) {
    return new NewExecution(
        definition, Optional.of(value), workflowId, parentId, searchAttributes, input);
  }

  /** With this stable name, unique among the live executions of the tenant. */
  public NewExecution withWorkflowId(String value) {
    return new NewExecution(definition, id, Optional.of(value), parentId, searchAttributes, input);
  }

  /** As a child of this execution. */
  public NewExecution withParent(UUID value) {
    return new NewExecution(
        definition, id, workflowId, Optional.of(value), searchAttributes, input);
  }

  /** With one more search attribute; a name may have several values. */
  public NewExecution withSearchAttribute(String name, String value) {
    Inputs.name("search attribute name", name);
    if (name.indexOf('=') >= 0) {
      throw new InvalidInput("search attribute name must not contain '='");
    }
    List<String> more = new ArrayList<>(searchAttributes);
    more.add(name + "=" + value);
    return new NewExecution(definition, id, workflowId, parentId, more, input);
  }

  /** With this input. */
  public NewExecution withInput(Payload value) {
    return new NewExecution(
        definition, id, workflowId, parentId, searchAttributes, Optional.of(value));
  }
}
