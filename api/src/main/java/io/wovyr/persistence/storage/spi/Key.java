/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import io.wovyr.persistence.storage.spi.Attribute.Kind;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The key of a record within its tenant. The tenant is never part of it: it comes from the scope.
 * Values are those of {@link RecordType#key()}, in order.
 *
 * @since 0.1
 */
public record Key(RecordType type, List<Object> values) implements Comparable<Key> {
  public Key {
    values = List.copyOf(values);
    if (values.size() != type.key().size()) {
      throw new IllegalArgumentException(
          type + " has " + type.key().size() + " key attributes, not " + values.size());
    }
    for (int i = 0; i < values.size(); i++) {
      Kind kind = type.key().get(i).kind();
      if (!kind.javaType().isInstance(values.get(i))) {
        throw new IllegalArgumentException(
            type + "." + type.key().get(i).name() + " is not of kind " + kind);
      }
    }
  }

  /** The key of these values. */
  public static Key of(RecordType type, Object... values) {
    return new Key(type, List.of(values));
  }

  /** By type number, then by value: the order in which stores lock. */
  @Override
  public int compareTo(Key other) {
    int order = Integer.compare(type.number(), other.type.number());
    return order != 0 ? order : ValueOrder.INSTANCE.compare(values, other.values);
  }

  @Override
  public String toString() {
    return type.name()
        + values.stream().map(Object::toString).collect(Collectors.joining("/", "[", "]"));
  }
}
