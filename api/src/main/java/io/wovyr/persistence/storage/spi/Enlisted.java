/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The answer to {@link Storage#enlist}: never "committed", which is the caller's transaction to
 * say.
 *
 * @since 0.1
 */
public sealed interface Enlisted {
  /**
   * The changes are in the caller's transaction.
   *
   * @param resolved the {@link StoreTime} values as they will be stored, by key and attribute
   */
  record Applied(Map<Key, Map<String, Instant>> resolved) implements Enlisted {
    public Applied {
      resolved = Map.copyOf(resolved);
    }
  }

  /**
   * Nothing was changed and the caller's transaction stays usable.
   *
   * @param failed at least one condition that failed, not necessarily all
   */
  record Conflict(List<CommitOutcome.Failed> failed) implements Enlisted {
    public Conflict {
      failed = List.copyOf(failed);
    }
  }
}
