/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cbor;

/** The bounds of one value. Immutable. */
record Bounds(int maxBytes, int maxDepth, int maxValues) {
  static final Bounds STANDARD = new Bounds(8 << 20, 64, 1_000_000);
  private static final int MAX_DEPTH = 100;

  Bounds {
    positive("maxBytes", maxBytes);
    positive("maxDepth", maxDepth);
    positive("maxValues", maxValues);
    if (maxDepth > MAX_DEPTH) {
      throw new IllegalArgumentException("maxDepth must be at most " + MAX_DEPTH);
    }
  }

  private static void positive(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1, not " + value);
    }
  }
}
