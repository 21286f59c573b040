/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import java.util.Map;
import java.util.Objects;

/** Looks up what was put there before. Stateless. */
final class Known {
  private Known() {}

  static <K, V> V of(Map<K, V> map, K key) {
    return Objects.requireNonNull(map.get(key), () -> "nothing for " + key);
  }
}
