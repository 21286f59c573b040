/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import java.util.List;

/**
 * A range of append-only records to remove for ever.
 *
 * @param keyPrefix all but the last key attribute: one execution
 * @param toExclusive bound on the last key attribute
 * @param limit most rows of one call
 * @since 0.1
 */
public record Purge(RecordType type, List<Object> keyPrefix, Object toExclusive, int limit) {
  public Purge {
    keyPrefix = List.copyOf(keyPrefix);
    if (type.mutability() != RecordType.Mutability.APPEND_ONLY) {
      throw new IllegalArgumentException(type + " is not append-only: delete its records instead");
    }
    if (keyPrefix.size() != type.key().size() - 1 || limit < 1) {
      throw new IllegalArgumentException("purge of " + type + " needs all but the last key value");
    }
  }
}
