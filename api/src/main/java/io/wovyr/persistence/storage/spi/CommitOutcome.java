/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A store's answer to one batch: both cases are answers, not errors.
 *
 * @since 0.1
 */
public sealed interface CommitOutcome {
  /**
   * Everything was written.
   *
   * @param resolved the {@link StoreTime} values as stored, by key and attribute
   */
  record Committed(UUID commitId, Map<Key, Map<String, Instant>> resolved)
      implements CommitOutcome {
    public Committed {
      resolved = Map.copyOf(resolved);
    }
  }

  /**
   * Nothing was written, because conditions did not hold.
   *
   * @param failed at least one that failed, not necessarily all
   */
  record Conflict(List<Failed> failed) implements CommitOutcome {
    public Conflict {
      failed = List.copyOf(failed);
      if (failed.isEmpty()) {
        throw new IllegalArgumentException("a conflict names at least one failed condition");
      }
    }
  }

  /**
   * A condition that did not hold.
   *
   * @param key the mutated or checked key
   * @param actual what is stored under the key, or the row that holds the unique entry; empty when
   *     there is none, or when it went away again meanwhile
   */
  record Failed(Key key, Expectation expectation, Optional<Row> actual) {}

  /** What was expected. */
  sealed interface Expectation {
    /** The key is free. */
    record Absent() implements Expectation {}

    /** The stored version is this one. */
    record VersionIs(long version) implements Expectation {}

    /** The stored instant is later than the store's now. */
    record NotExpired(String attribute) implements Expectation {}

    /** The stored instant is not later than the store's now. */
    record Expired(String attribute) implements Expectation {}

    /** No other row has this unique entry. */
    record UniqueKeyFree(String name) implements Expectation {}
  }
}
