/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cdi;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One of several plugins, by name. */
final class Choice {
  private Choice() {}

  /**
   * Sorted by name.
   *
   * @throws InvalidInput when two have the same
   */
  static <T> SortedMap<String, T> byName(String what, List<T> found, Function<T, String> nameOf) {
    SortedMap<String, T> byName = new TreeMap<>();
    for (T one : found) {
      if (byName.put(nameOf.apply(one), one) != null) {
        throw new InvalidInput("two beans are the " + what + " '" + nameOf.apply(one) + "'");
      }
    }
    return byName;
  }

  /**
   * The name that is wanted, or the only one there is.
   *
   * @throws InvalidInput naming the choices, when it is missing or none is wanted of several
   */
  static <T> T of(String what, String key, @Nullable String wanted, Map<String, T> found) {
    if (wanted == null && found.size() == 1) {
      return found.values().iterator().next();
    }
    T chosen = wanted == null ? null : found.get(wanted);
    if (chosen == null) {
      throw new InvalidInput(
          wanted == null
              ? "set " + key + " to one " + what + " of " + found.keySet()
              : "no " + what + " is called '" + wanted + "'; found: " + found.keySet());
    }
    return chosen;
  }
}
