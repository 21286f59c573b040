/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.state;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.state.WorkflowState;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A non-empty set of entries at some depth of the trie; what it looks like depends on the set
 * alone. Depth is the number of 4-bit digits of the place that all its entries share, 0 to {@link
 * #MAX_DEPTH}. Immutable; thread-safe.
 */
abstract sealed class Node permits Entry, Branch, Collision {
  /** Number of digits of a place. */
  static final int MAX_DEPTH = 16;

  // Computed when first asked for. A race computes it twice and stores the same value; Bytes is
  // immutable with a final field, so whoever sees the reference sees the content.
  private @Nullable Bytes hash;

  /** The hash of this set of entries. */
  final Bytes hash() {
    Bytes known = hash;
    if (known == null) {
      known = computeHash();
      hash = known;
    }
    return known;
  }

  /** Digit number {@code depth} of a place, most significant first. */
  static int digit(long place, int depth) {
    return (int) (place >>> (60 - 4 * depth)) & 0xf;
  }

  abstract Bytes computeHash();

  /** Number of entries. */
  abstract int size();

  /** The entry of a key, or null. */
  abstract @Nullable Entry find(long place, WorkflowState.Key key, int depth);

  /** This set with an entry, in place of the one of the same key if there is one. */
  abstract Node put(Entry entry, int depth);

  /** This set without the entry of a key; itself when it has none, null when nothing is left. */
  abstract @Nullable Node remove(long place, WorkflowState.Key key, int depth);

  /** Visits all entries, in the order of their places. */
  abstract void forEach(Consumer<Entry> visitor);
}
