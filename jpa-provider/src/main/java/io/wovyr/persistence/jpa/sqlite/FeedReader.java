/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import io.wovyr.persistence.PersistenceException.FeedTruncated;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.jpa.internal.FeedMerge;
import io.wovyr.persistence.jpa.internal.RecordTable;
import io.wovyr.persistence.jpa.internal.Tables;
import io.wovyr.persistence.storage.spi.FeedChunk;
import io.wovyr.persistence.storage.spi.FeedChunk.Entry;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Reads the feed: rows by their feed key. Keys are given out under the write lock and become
 * visible with it, so none ever appears behind a reader, and nothing can stall it. Thread-safe.
 */
final class FeedReader {
  /** Stands for all tenants in the table of marks. */
  static final String WHOLE_FEED = "";

  /** The first mark after a reader began reaches furthest: each newer one that did replaced it. */
  private static final String MARK =
      "SELECT purged_to FROM feed_mark WHERE tenant_id = ? AND purged_at > ?"
          + " ORDER BY purged_at LIMIT 1";

  private final Tables tables;

  FeedReader(Tables tables) {
    this.tables = tables;
  }

  /** The next rows, inside a snapshot. */
  FeedChunk read(SqliteConnection connection, Scope scope, Optional<FeedCursor> after, int limit)
      throws SQLException {
    StoreRow store = StoreRow.read(connection);
    long epoch = store.epoch();
    FeedPlace from =
        after.map(cursor -> FeedPlace.of(cursor, epoch)).orElse(new FeedPlace(0, store.highest()));
    refuseTruncated(connection, scope, from);
    FeedMerge<Long> merge = new FeedMerge<>();
    for (RecordTable table : tables.inFeed()) {
      readTable(connection, table, scope, from.key(), limit, merge.table());
    }
    List<Entry> entries =
        merge.page(
            limit,
            one ->
                new Entry(
                    one.tenantId(),
                    one.row(),
                    new FeedPlace(one.place(), from.begun()).cursor(epoch)));
    FeedCursor next =
        entries.isEmpty()
            ? after.orElseGet(() -> from.cursor(epoch))
            : entries.get(entries.size() - 1).cursor();
    return new FeedChunk(entries, Optional.of(next), Optional.empty());
  }

  private static void refuseTruncated(SqliteConnection connection, Scope scope, FeedPlace from)
      throws SQLException {
    PreparedStatement statement = connection.statements().get(MARK);
    statement.setString(1, scope instanceof Scope.System ? WHOLE_FEED : scope.tenantId());
    statement.setLong(2, from.begun());
    try (ResultSet mark = statement.executeQuery()) {
      if (mark.next() && from.key() < mark.getLong(1)) {
        throw new FeedTruncated(
            "the feed was purged up to %d, the reader is at %d: begin again from a copy of the data"
                .formatted(mark.getLong(1), from.key()));
      }
    }
  }

  private static void readTable(
      SqliteConnection connection,
      RecordTable table,
      Scope scope,
      long from,
      int limit,
      FeedMerge<Long>.Table merged)
      throws SQLException {
    boolean all = scope instanceof Scope.System;
    PreparedStatement statement = connection.statements().get(text(table, all));
    int index = 1;
    if (!all) {
      statement.setString(index++, scope.tenantId());
    }
    statement.setLong(index++, from);
    statement.setInt(index, limit);
    try (ResultSet result = statement.executeQuery()) {
      boolean goesOn = true;
      while (goesOn && result.next()) {
        String tenantId = result.getString(2);
        Row row = table.read(result, 3, tenantId);
        goesOn = merged.add(result.getLong(1), tenantId, row);
      }
    }
  }

  private static String text(RecordTable table, boolean all) {
    return "SELECT feed_key, tenant_id, "
        + table.selectList()
        + " FROM "
        + table.name()
        + (all ? " WHERE feed_key > ?" : " WHERE tenant_id = ? AND feed_key > ?")
        + " ORDER BY feed_key LIMIT ?";
  }
}
