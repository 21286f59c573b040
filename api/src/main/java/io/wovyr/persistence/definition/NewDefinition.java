/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.definition;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.payload.Payload;
import java.util.Optional;

/**
 * A definition to store.
 *
 * @param name as of all names, but without {@code @}: people write {@code name@version}
 * @param version 1 to 2,147,483,647; empty: the next free one
 * @param checksum {@code sha-256:} and 64 hexadecimal digits, checked against the body; empty:
 *     computed
 * @since 0.1
 */
public record NewDefinition(
    String name,
    Optional<Integer> version,
    Payload body,
    Optional<String> checksum,
    DefinitionStatus status,
    DefinitionPolicies policies) {
  public NewDefinition {
    Inputs.name("definition name", name);
    if (name.indexOf('@') >= 0) {
      throw new InvalidInput(
          "definition name must have no @, which separates name and version, unlike '"
              + name
              + "'");
    }
    version.ifPresent(
        given -> {
          if (given < 1) {
            throw new InvalidInput("definition version must be at least 1, not " + given);
          }
        });
    if (status != DefinitionStatus.DRAFT && status != DefinitionStatus.ACTIVE) {
      throw new InvalidInput("a definition begins as DRAFT or ACTIVE, not " + status);
    }
  }

  /** An active definition with the next free version. */
  public static NewDefinition of(String name, Payload body) {
    return new NewDefinition(
        name,
        Optional.empty(),
        body,
        Optional.empty(),
        DefinitionStatus.ACTIVE,
        DefinitionPolicies.DEFAULTS);
  }

  /** With this version: adding it again with the same body succeeds and changes nothing. */
  public NewDefinition withVersion(int value) {
    return new NewDefinition(name, Optional.of(value), body, checksum, status, policies);
  }

  /** With the checksum the body must have. */
  public NewDefinition withChecksum(String value) {
    return new NewDefinition(name, version, body, Optional.of(value), status, policies);
  }

  /** As a draft. */
  public NewDefinition asDraft() {
    return new NewDefinition(name, version, body, checksum, DefinitionStatus.DRAFT, policies);
  }

  /** With these policies. */
  public NewDefinition withPolicies(DefinitionPolicies value) {
    return new NewDefinition(name, version, body, checksum, status, value);
  }
}
