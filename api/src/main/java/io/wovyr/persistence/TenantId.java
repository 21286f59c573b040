/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.internal.Inputs;

/**
 * The tenant every record belongs to: 1 to 100 characters, no control characters, never beginning
 * with {@code $}, which is kept for the system's own rows.
 *
 * @since 0.1
 */
public record TenantId(String value) {
  /** Longest tenant id, in UTF-16 units. */
  public static final int MAX_LENGTH = 100;

  /**
   * @throws InvalidInput when the value is missing, too long, or reserved
   */
  public TenantId {
    Inputs.name("tenant id", value, MAX_LENGTH);
    if (value.charAt(0) == '$') {
      throw new InvalidInput("tenant id must not begin with '$': such names are reserved");
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
