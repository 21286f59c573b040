/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cbor;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import org.jspecify.annotations.Nullable;

/**
 * Where in a value the conversion is, for messages, and how much of its bounds is used. Holds names
 * of components and positions, never content. Single-threaded.
 */
final class Trail {
  private final Bounds bounds;
  private final @Nullable String[] formats;
  private final @Nullable Object[] steps;
  private int depth;
  private int values;

  Trail(Bounds bounds) {
    this.bounds = bounds;
    formats = new @Nullable String[bounds.maxDepth()];
    steps = new @Nullable Object[bounds.maxDepth()];
  }

  /** Counts a value. */
  void count() {
    if (++values > bounds.maxValues()) {
      throw new InvalidInput(this + ": there are more than " + bounds.maxValues() + " values");
    }
  }

  /** Goes into a value that holds others. */
  void enter() {
    if (depth == bounds.maxDepth()) {
      throw new InvalidInput(
          this + ": values are nested deeper than " + bounds.maxDepth() + " levels");
    }
    formats[depth++] = null;
  }

  void leave() {
    depth--;
  }

  void element(int index) {
    step("[%s]", index);
  }

  void entry(int position) {
    step("{%s}", position);
  }

  void component(String name) {
    step(".%s", name);
  }

  private void step(String format, Object step) {
    formats[depth - 1] = format;
    steps[depth - 1] = step;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("value");
    for (int i = 0; i < depth; i++) {
      String format = formats[i];
      if (format != null) {
        text.append(format.formatted(steps[i]));
      }
    }
    return text.toString();
  }
}
