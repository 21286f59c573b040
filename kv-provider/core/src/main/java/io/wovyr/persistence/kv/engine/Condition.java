/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.engine;

import io.wovyr.persistence.Bytes;
import java.util.Optional;

/** What must hold for one key, judged by what lies under that key alone. */
public sealed interface Condition {
  /** Nothing is demanded: another key of the same write vouches for this one. */
  Condition NONE = new None();

  /** Nothing lies there. */
  Condition ABSENT = new Absent();

  /** Whether it holds. */
  boolean holds(Optional<Stored> stored);

  /** See {@link #NONE}. */
  record None() implements Condition {
    @Override
    public boolean holds(Optional<Stored> stored) {
      return true;
    }
  }

  /** See {@link #ABSENT}. */
  record Absent() implements Condition {
    @Override
    public boolean holds(Optional<Stored> stored) {
      return stored.isEmpty();
    }
  }

  /** Something of this version lies there. */
  record VersionIs(long version) implements Condition {
    @Override
    public boolean holds(Optional<Stored> stored) {
      return stored.isPresent() && stored.get().version() == version;
    }
  }

  /** Nothing lies there, or something of a lower version. */
  record Below(long version) implements Condition {
    @Override
    public boolean holds(Optional<Stored> stored) {
      return stored.isEmpty() || stored.get().version() < version;
    }
  }

  /** Something of this version and body lies there. */
  record Same(long version, Bytes body) implements Condition {
    @Override
    public boolean holds(Optional<Stored> stored) {
      return stored.isPresent()
          && stored.get().version() == version
          && stored.get().body().equals(body);
    }
  }
}
