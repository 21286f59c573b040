/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.engine;

import io.wovyr.persistence.Bytes;

/** One change of an {@link AtomicWrite}: at most one per key. */
public sealed interface Change {
  /** The key; of an append what it begins with. */
  Place place();

  /** What must hold for the key. */
  Condition condition();

  /**
   * Puts a value under the key.
   *
   * @param stamped the engine puts this write's stamp in the value
   */
  record Put(Place place, Condition condition, Stored value, boolean stamped) implements Change {
    /** With the stamp that the value has. */
    public Put(Place place, Condition condition, Stored value) {
      this(place, condition, value, false);
    }
  }

  /** Removes the key; it need not be there, unless the condition says so. */
  record Remove(Place place, Condition condition) implements Change {}

  /** Changes nothing. */
  record Check(Place place, Condition condition) implements Change {}

  /** Puts a value under the key that begins with {@code place} and ends with the write's stamp. */
  record Append(Place place, Bytes body) implements Change {
    @Override
    public Condition condition() {
      return Condition.NONE;
    }
  }
}
