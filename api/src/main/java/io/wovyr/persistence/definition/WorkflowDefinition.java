/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.definition;

import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.internal.StoredValues;
import io.wovyr.persistence.payload.StoredPayload;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One version of a workflow's definition. Its body never changes once it has left {@link
 * DefinitionStatus#DRAFT}.
 *
 * @param checksum {@code sha-256:} and the digest of the body's bytes in hexadecimal; the digest
 *     executions carry
 * @param body opened by {@link Definitions#body}
 * @param policyVersion 1, and one more with each change of the policies
 * @param policies as {@link DefinitionPolicies#entries()}
 * @since 0.1
 */
public record WorkflowDefinition(
    RecordHeader header,
    String name,
    int definitionVersion,
    DefinitionStatus status,
    String checksum,
    Optional<StoredPayload> body,
    int policyVersion,
    List<String> policies,
    Optional<Instant> archivedAt) {
  public WorkflowDefinition {
    policies = List.copyOf(policies);
  }

  /**
   * What an execution of it names.
   *
   * @throws io.wovyr.persistence.PersistenceException.UnsupportedVersion when this version does not
   *     allow such a name, version or checksum
   */
  public DefinitionRef ref() {
    return StoredValues.typed(
        "definition " + name + "@" + definitionVersion,
        () -> new DefinitionRef(name, definitionVersion, checksum));
  }
}
