/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.secret;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.internal.Inputs;

/**
 * Names a secret: what state, events, exports and people see instead of its value.
 *
 * @since 0.1
 */
public record SecretRef(String name, int version) {
  /** Longest name, in UTF-16 units: with its version it is the subject of an audit record. */
  public static final int MAX_NAME = 244;

  public SecretRef {
    Inputs.name("secret name", name, MAX_NAME);
    if (version < 1) {
      throw new InvalidInput("a secret's version is at least 1, not " + version);
    }
  }

  @Override
  public String toString() {
    return "secret:" + name + "@" + version;
  }
}
