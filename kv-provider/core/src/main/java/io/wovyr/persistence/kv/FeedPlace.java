/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.feed.FeedCursor;
import java.util.HexFormat;

/**
 * A row's place in the feed: the stamp of its commit, and which row of it.
 *
 * @param stamp empty before all
 */
record FeedPlace(Bytes stamp, int ordinal) implements Comparable<FeedPlace> {
  static final FeedPlace BEFORE_ALL = new FeedPlace(Bytes.EMPTY, 0);

  @Override
  public int compareTo(FeedPlace other) {
    int order = stamp.compareTo(other.stamp);
    return order != 0 ? order : Integer.compare(ordinal, other.ordinal);
  }

  Bytes encode() {
    ValueWriter out = new ValueWriter(24);
    return Bytes.wrap(out.sized(stamp.unsafeArray()).number(ordinal).toBytes());
  }

  static FeedPlace decode(Bytes body) {
    ValueReader in = new ValueReader(body.unsafeArray());
    return new FeedPlace(Bytes.wrap(in.sized()), in.smallNumber());
  }

  /**
   * What a cursor holds, as {@code stamp.ordinal-begun}.
   *
   * @param begun the feed's horizon when this reader began: what was purged before then it never
   *     asked for
   */
  record Cursor(FeedPlace place, Bytes begun) {
    /**
     * @throws InvalidInput when the cursor is not one of this store
     */
    static Cursor of(FeedCursor cursor, long epoch) {
      if (cursor.epoch() > epoch) {
        throw new InvalidInput(
            "the feed cursor is of epoch %d, the store in %d: it belongs to another store"
                .formatted(cursor.epoch(), epoch));
      }
      String position = cursor.position();
      int dot = position.indexOf('.');
      int dash = position.indexOf('-');
      if (dot < 0 || dash < dot) {
        throw notOurs(position);
      }
      try {
        return new Cursor(
            new FeedPlace(
                hex(position.substring(0, dot)), Integer.parseInt(position, dot + 1, dash, 10)),
            hex(position.substring(dash + 1)));
      } catch (IllegalArgumentException | Corrupt e) {
        throw notOurs(position);
      }
    }

    private static Bytes hex(String text) {
      return Bytes.wrap(HexFormat.of().parseHex(text));
    }

    private static InvalidInput notOurs(String position) {
      return new InvalidInput("the feed cursor is not one of this store: " + position);
    }

    Cursor at(FeedPlace other) {
      return new Cursor(other, begun);
    }

    FeedCursor cursor(long epoch) {
      HexFormat hex = HexFormat.of();
      return new FeedCursor(
          epoch,
          hex.formatHex(place.stamp().unsafeArray())
              + "."
              + place.ordinal()
              + "-"
              + hex.formatHex(begun.unsafeArray()));
    }
  }
}
