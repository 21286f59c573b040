/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.jpa.internal.LeanRecords.FeedKeys;
import io.wovyr.persistence.storage.spi.RecordType.FeedRole;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.StoreIdentity;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.stream.Collectors;

/**
 * What a write transaction must know of the store, read under the write lock in one statement: its
 * epoch, and the highest feed key that was ever given out. The latter is that of the newest row in
 * the feed, or the newest purge's; all are the right edge of an index. A new epoch begins above all
 * keys of the one before, whatever a restore lost.
 */
final class StoreRow implements FeedKeys {
  private static final int EPOCH_BITS = 48;

  private static final String READ =
      "SELECT epoch,"
          + " max(epoch << "
          + EPOCH_BITS
          + RecordTypes.all().stream()
              .filter(type -> type.feedRole() == FeedRole.RECORDS)
              .map(type -> ", coalesce((SELECT max(feed_key) FROM " + type.name() + "), 0)")
              .collect(Collectors.joining())
          + ", coalesce((SELECT max(purged_at) FROM feed_mark), 0))"
          + " FROM wovyr_store WHERE id = 1";

  private static final String IDENTITY =
      "SELECT store_id, epoch, schema_version FROM wovyr_store WHERE id = 1";

  private final long epoch;
  private long highest;

  private StoreRow(long epoch, long highest) {
    this.epoch = epoch;
    this.highest = highest;
  }

  static StoreRow read(SqliteConnection connection) throws SQLException {
    try (ResultSet row = connection.statements().get(READ).executeQuery()) {
      if (!row.next()) {
        throw new Corrupt("the store has lost its row in wovyr_store: restore a backup", null);
      }
      return new StoreRow(row.getLong(1), row.getLong(2));
    }
  }

  static StoreIdentity identity(SqliteConnection connection) throws SQLException {
    try (ResultSet row = connection.statements().get(IDENTITY).executeQuery()) {
      if (!row.next()) {
        throw new Corrupt("the store has lost its row in wovyr_store: restore a backup", null);
      }
      return new StoreIdentity(SqliteValues.uuid(row.getBytes(1)), row.getLong(2), row.getInt(3));
    }
  }

  long epoch() {
    return epoch;
  }

  /** The highest key given out so far. */
  long highest() {
    return highest;
  }

  @Override
  public long next() {
    return ++highest;
  }
}
