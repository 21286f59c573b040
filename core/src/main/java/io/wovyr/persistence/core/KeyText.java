/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.storage.spi.Attribute;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordType;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/** Keys as people write them: values joined by {@code /}. Stateless. */
final class KeyText {
  private KeyText() {}

  static String of(Key key) {
    return key.values().stream()
        .map(value -> value.toString().replace("%", "%25").replace("/", "%2F"))
        .collect(Collectors.joining("/"));
  }

  /**
   * @throws InvalidInput when it is no key of this type
   */
  static Key parse(RecordType type, String text) {
    String[] parts = text.split("/", -1);
    if (parts.length != type.key().size()) {
      throw notAKey(type);
    }
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < parts.length; i++) {
      values.add(value(type, type.key().get(i), parts[i]));
    }
    return new Key(type, values);
  }

  private static Object value(RecordType type, Attribute attribute, String text) {
    try {
      return switch (attribute.kind()) {
        case UUID -> UUID.fromString(text);
        case INT -> Integer.valueOf(text);
        case LONG -> Long.valueOf(text);
        case TEXT -> text(text.replace("%2F", "/").replace("%25", "%"));
        default -> throw new IllegalStateException(type + " has a key that is no text");
      };
    } catch (IllegalArgumentException e) {
      throw notAKey(type);
    }
  }

  /** Damaged keys are looked for, too: of all texts, only those that no store can be asked for. */
  private static String text(String text) {
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("U+0000");
    }
    return text;
  }

  private static InvalidInput notAKey(RecordType type) {
    String shape =
        type.key().stream()
            .map(attribute -> "<" + attribute.name() + ">")
            .collect(Collectors.joining("/"));
    return new InvalidInput("the key of a record of type " + type.name() + " is " + shape);
  }
}
