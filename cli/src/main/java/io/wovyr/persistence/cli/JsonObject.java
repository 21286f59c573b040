/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One JSON object, its members in the order they were put. The shapes are written out by hand, so
 * that they stay as they are when a record of the library changes. Not thread-safe.
 */
final class JsonObject {
  private final Map<String, @Nullable Object> members = new LinkedHashMap<>();

  /** An empty Optional becomes null; what is no JSON value becomes its text. */
  JsonObject put(String name, @Nullable Object value) {
    members.put(name, value instanceof Optional<?> optional ? optional.orElse(null) : value);
    return this;
  }

  Map<String, @Nullable Object> members() {
    return members;
  }
}
