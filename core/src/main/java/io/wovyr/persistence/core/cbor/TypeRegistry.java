/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cbor;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The types that data may name, closed when the converter is built. Immutable. */
final class TypeRegistry {
  /** No name of the format's own fits: those begin with a colon. */
  static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9._/@-]{0,127}");

  private final Map<String, RegisteredType> byName = new HashMap<>();
  private final Map<Class<?>, RegisteredType> byClass = new HashMap<>();

  TypeRegistry(Map<String, Class<?>> types, List<Class<?>> sealed) {
    types.forEach(this::add);
    sealed.forEach(this::checkComplete);
  }

  private void add(String name, Class<?> type) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "a type's name has letters, digits and ._/@-, begins with a letter and has at most 128"
              + " characters; this has not: "
              + name);
    }
    RegisteredType registered = RegisteredType.of(name, type);
    byName.put(name, registered);
    if (byClass.put(type, registered) != null) {
      throw new IllegalArgumentException(type.getName() + " is registered under two names");
    }
  }

  private void checkComplete(Class<?> type) {
    Class<?>[] permitted = type.getPermittedSubclasses();
    if (permitted == null) {
      throw new IllegalArgumentException(type.getName() + " is not sealed");
    }
    List<String> missing = new ArrayList<>();
    for (Class<?> one : permitted) {
      if (one.isSealed() && !one.isEnum()) {
        checkComplete(one);
      } else if (!byClass.containsKey(one)) {
        missing.add(one.getName());
      }
    }
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException(type.getName() + " also permits " + missing);
    }
  }

  @Nullable RegisteredType named(String name) {
    return byName.get(name);
  }

  @Nullable RegisteredType of(Class<?> type) {
    return byClass.get(type);
  }
}
