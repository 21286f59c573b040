/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.feed.FeedCursor;

/**
 * What a feed cursor holds, as {@code key-begun} in decimal digits.
 *
 * @param key of the row that was delivered last
 * @param begun the feed's highest key when this reader began: what was purged before then it never
 *     asked for
 */
record FeedPlace(long key, long begun) {
  /**
   * @throws InvalidInput when the cursor is not one of this store
   */
  static FeedPlace of(FeedCursor cursor, long epoch) {
    if (cursor.epoch() > epoch) {
      throw new InvalidInput(
          "the feed cursor is of epoch %d, the store in %d: it belongs to another store"
              .formatted(cursor.epoch(), epoch));
    }
    String position = cursor.position();
    int dash = position.indexOf('-');
    try {
      return new FeedPlace(
          Long.parseLong(position.substring(0, Math.max(0, dash))),
          Long.parseLong(position.substring(dash + 1)));
    } catch (NumberFormatException e) {
      throw new InvalidInput("the feed cursor is not one of this store: " + position);
    }
  }

  FeedCursor cursor(long epoch) {
    return new FeedCursor(epoch, key + "-" + begun);
  }
}
