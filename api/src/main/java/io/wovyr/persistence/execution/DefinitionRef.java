/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.execution;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.internal.Inputs;

/**
 * The workflow definition an execution runs: name, version, and the digest of its content, so that
 * a changed definition under the same version is noticed.
 *
 * @param digest lower-case hex SHA-256 of the definition's content, or empty when the engine keeps
 *     definitions elsewhere
 * @since 0.1
 */
public record DefinitionRef(String name, int version, String digest) {
  public DefinitionRef {
    Inputs.name("definition name", name);
    if (version < 1) {
      throw new InvalidInput("definition version must be at least 1, not " + version);
    }
    Inputs.searchable("definition digest", digest, 128);
  }

  /** A definition whose content is kept elsewhere. */
  public static DefinitionRef of(String name, int version) {
    return new DefinitionRef(name, version, "");
  }
}
