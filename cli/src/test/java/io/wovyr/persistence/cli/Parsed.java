/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A JSON answer, read back by a parser that is not ours. */
record Parsed(JsonNode node) {
  private static final JsonMapper MAPPER = new JsonMapper();

  static Parsed of(String text) {
    return new Parsed(MAPPER.readTree(text));
  }

  private JsonNode required(String name) {
    JsonNode found = node.get(name);
    if (found == null) {
      throw new AssertionError("no member '" + name + "' in " + node);
    }
    return found;
  }

  Parsed at(String name) {
    return new Parsed(required(name));
  }

  Parsed item(String name, int index) {
    return new Parsed(required(name).get(index));
  }

  int size(String name) {
    return required(name).size();
  }

  String text(String name) {
    JsonNode found = required(name);
    if (!found.isString()) {
      throw new AssertionError("'" + name + "' is no text: " + found);
    }
    return found.stringValue();
  }

  long number(String name) {
    JsonNode found = required(name);
    if (!found.isIntegralNumber()) {
      throw new AssertionError("'" + name + "' is no whole number: " + found);
    }
    return found.longValue();
  }

  boolean flag(String name) {
    return required(name).booleanValue();
  }

  boolean isNull(String name) {
    return required(name).isNull();
  }

  List<String> names() {
    return List.copyOf(node.propertyNames());
  }
}
