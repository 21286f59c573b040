/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Names and values, one a line, the values aligned. Not thread-safe. */
final class Fields {
  private final Map<String, String> fields = new LinkedHashMap<>();

  Fields add(String name, Object value) {
    fields.put(name, Human.oneLine(String.valueOf(value)));
    return this;
  }

  Fields addIf(String name, Optional<?> value) {
    value.ifPresent(present -> add(name, present));
    return this;
  }

  void print(PrintStream out) {
    int width = fields.keySet().stream().mapToInt(String::length).max().orElse(0);
    fields.forEach(
        (name, value) ->
            out.println((name + " ".repeat(width - name.length()) + "  " + value).stripTrailing()));
  }
}
