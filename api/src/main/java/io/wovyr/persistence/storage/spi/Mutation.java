/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import java.util.List;

/**
 * One change of a batch, with its own condition. All conditions of a batch hold at one instant, or
 * nothing is written.
 *
 * @since 0.1
 */
public sealed interface Mutation {
  /** The record changed. */
  Key key();

  /** Condition: the key is free, and so are the row's unique entries. */
  record Insert(Row after) implements Mutation {
    @Override
    public Key key() {
      return after.key();
    }
  }

  /**
   * Condition: the stored version is {@code before.version()}, the unique entries that change are
   * free, every INSTANT attribute in {@code notExpired} is stored later than the store's now, and
   * every one in {@code expired} is not, both judged after the row is locked. The before-image lets
   * indexes change without a read; the version vouches for it. An instant that is null is not later
   * than anything: {@code notExpired} fails, {@code expired} holds. Unique entries are judged as
   * they are before the batch: one that another of its mutations lets go of is not free yet.
   *
   * @param after its version is {@code before.version() + 1}
   * @param notExpired only for stores with {@link Capability#STORE_CLOCK}; others answer {@code
   *     Rejected}
   * @param expired likewise: what a takeover needs
   */
  record Update(Row before, Row after, List<String> notExpired, List<String> expired)
      implements Mutation {
    /** Guarded by the version alone. */
    public Update(Row before, Row after) {
      this(before, after, List.of(), List.of());
    }

    public Update {
      notExpired = List.copyOf(notExpired);
      expired = List.copyOf(expired);
      if (!before.key().equals(after.key())) {
        throw new IllegalArgumentException("update of " + before.key() + " changes its key");
      }
      if (after.version() != before.version() + 1) {
        throw new IllegalArgumentException(
            "update of " + before + " leads to version " + after.version());
      }
    }

    @Override
    public Key key() {
      return after.key();
    }
  }

  /**
   * Condition: the stored version is {@code before.version()}. Only of types that batches may
   * remove ({@link RecordType#removal()}).
   */
  record Delete(Row before) implements Mutation {
    @Override
    public Key key() {
      return before.key();
    }
  }
}
