/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import java.util.HexFormat;
import java.util.Optional;

/**
 * A place in the feed. Rows of one transaction have the same feed key; among them the type and key
 * decide.
 *
 * @param feedKey epoch and transaction id
 * @param row type number and key of the row, so that places compare as bytes; empty: before all
 *     rows of the feed key
 */
record FeedPlace(long feedKey, Bytes row) implements Comparable<FeedPlace> {
  private static final int EPOCH_BITS = 48;

  /** Before everything. */
  static final FeedPlace START = new FeedPlace(0, Bytes.EMPTY);

  static FeedPlace of(long feedKey, Key key) {
    return new FeedPlace(feedKey, KeyBytes.of(key));
  }

  /** The key of the row, if it is of this type. */
  Optional<Key> key(RecordType type) {
    return KeyBytes.key(type, row);
  }

  /** Number of the row's type, 0 when there is no row. */
  int typeNumber() {
    return KeyBytes.typeNumber(row);
  }

  @Override
  public int compareTo(FeedPlace other) {
    int order = Long.compare(feedKey, other.feedKey);
    return order != 0 ? order : row.compareTo(other.row);
  }

  /** As text, for a cursor. */
  String text(long begun) {
    return feedKey + "-" + HexFormat.of().formatHex(row.toByteArray()) + "-" + begun;
  }

  /**
   * A cursor of this store.
   *
   * @param begun number of the last purge when the reader began: what went before that it never
   *     asked for
   */
  record Position(FeedPlace place, long begun) {
    /**
     * @throws InvalidInput when the cursor is not one of this store
     */
    static Position of(FeedCursor cursor, long epoch) {
      if (cursor.epoch() > epoch) {
        throw new InvalidInput(
            "the feed cursor is of epoch %d, the store in %d: it belongs to another store"
                .formatted(cursor.epoch(), epoch));
      }
      String[] parts = cursor.position().split("-", -1);
      try {
        if (parts.length == 3) {
          FeedPlace place =
              new FeedPlace(
                  Long.parseLong(parts[0]), Bytes.wrap(HexFormat.of().parseHex(parts[1])));
          if (place.feedKey >>> EPOCH_BITS <= epoch && place.isWellFormed()) {
            return new Position(place, Long.parseLong(parts[2]));
          }
        }
      } catch (IllegalArgumentException e) {
        // Said below.
      }
      throw new InvalidInput("the feed cursor is not one of this store: " + cursor.position());
    }

    FeedCursor cursor(long epoch) {
      return new FeedCursor(epoch, place.text(begun));
    }
  }

  private boolean isWellFormed() {
    return row.size() == 0 || RecordTypes.all().stream().anyMatch(type -> key(type).isPresent());
  }
}
