/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.FeedTruncated;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.jpa.internal.FeedMerge;
import io.wovyr.persistence.jpa.internal.RecordTable;
import io.wovyr.persistence.jpa.internal.Tables;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.FeedChunk;
import io.wovyr.persistence.storage.spi.FeedChunk.Entry;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Reads the feed: rows by their feed key, which is the id of the transaction that wrote them, and
 * never beyond the oldest transaction still under way, whose rows may yet appear. Thread-safe.
 */
final class FeedReader {
  private static final String STORE =
      "SELECT s.epoch, s.purges, pg_snapshot_xmin(pg_current_snapshot())::text::bigint"
          + " FROM wovyr_store s WHERE s.id = 1";

  /** Rows below this are all there that ever will be. */
  private static final String BOUND =
      "(SELECT (s.epoch << 48) + pg_snapshot_xmin(pg_current_snapshot())::text::bigint"
          + " FROM wovyr_store s WHERE s.id = 1)";

  /** The first mark after a reader began reaches furthest: each newer one that did replaced it. */
  private static final String MARK =
      "SELECT purged_to, purged_row FROM feed_mark WHERE tenant_id = ? AND number > ?"
          + " ORDER BY number LIMIT 1";

  private final Tables tables;
  private final TransactionSettings settings;
  private final FeedStall stall = new FeedStall();

  FeedReader(Tables tables, TransactionSettings settings) {
    this.tables = tables;
    this.settings = settings;
  }

  /** The next rows. */
  FeedChunk read(
      Connection connection,
      Scope scope,
      Optional<FeedCursor> after,
      int limit,
      long epochKnown,
      Deadline deadline)
      throws SQLException {
    Optional<FeedPlace.Position> from =
        after.map(cursor -> FeedPlace.Position.of(cursor, Math.max(epochKnown, cursor.epoch())));
    FeedPlace place = from.map(FeedPlace.Position::place).orElse(FeedPlace.START);
    boolean all = scope instanceof Scope.System;
    Trip trip =
        new Trip()
            .add(Trip.BEGIN_READING)
            .settings(settings, scope.tenantId(), deadline)
            .add(STORE)
            .add(
                MARK,
                (statement, index) -> {
                  statement.setString(index, all ? "" : scope.tenantId());
                  statement.setLong(
                      index + 1, from.map(FeedPlace.Position::begun).orElse(Long.MAX_VALUE));
                  return index + 2;
                });
    for (RecordTable table : tables.inFeed()) {
      addTable(trip, table, all, scope.tenantId(), place, limit);
    }
    FeedMerge<FeedPlace> merge = new FeedMerge<>();
    long epoch;
    long purges;
    long oldest;
    boolean behind = false;
    try (Trip.Results results = trip.add(Trip.COMMIT).run(connection).skip(2)) {
      ResultSet store = results.next();
      store.next();
      epoch = store.getLong(1);
      purges = store.getLong(2);
      oldest = store.getLong(3);
      after.ifPresent(cursor -> FeedPlace.Position.of(cursor, epoch));
      refuseTruncated(results.next(), place);
      for (RecordTable table : tables.inFeed()) {
        readTable(results.next(), table, merge.table());
        ResultSet waiting = results.next();
        behind |= waiting.next() && waiting.getBoolean(1);
      }
    }
    FeedPlace.Position began =
        from.orElseGet(() -> new FeedPlace.Position(FeedPlace.START, purges));
    List<Entry> entries =
        merge.page(
            limit,
            one ->
                new Entry(
                    one.tenantId(),
                    one.row(),
                    new FeedPlace.Position(one.place(), began.begun()).cursor(epoch)));
    FeedCursor next =
        entries.isEmpty()
            ? after.orElseGet(() -> began.cursor(epoch))
            : entries.get(entries.size() - 1).cursor();
    boolean stalled = behind && !merge.fills(limit) && !merge.isCutShort();
    return new FeedChunk(
        entries,
        Optional.of(next),
        stalled ? Optional.of(stall.since(connection, oldest)) : Optional.empty());
  }

  private static void refuseTruncated(ResultSet mark, FeedPlace from) throws SQLException {
    if (mark.next()) {
      FeedPlace purgedTo = new FeedPlace(mark.getLong(1), Bytes.wrap(mark.getBytes(2)));
      if (from.compareTo(purgedTo) < 0) {
        throw new FeedTruncated(
            "the feed was purged up to %d, the reader is at %d: begin again from a copy of the data"
                .formatted(purgedTo.feedKey(), from.feedKey()));
      }
    }
  }

  private static void addTable(
      Trip trip, RecordTable table, boolean all, String tenantId, FeedPlace place, int limit) {
    String key =
        table.keyColumns().stream().map(RecordTable.Column::name).collect(Collectors.joining(", "));
    // The condition of the index over all tenants, and of no other.
    String tenant = all ? "feed_key > 0 AND " : "tenant_id = ? AND ";
    Optional<Key> last = place.key(table.type());
    String beyond =
        last.isPresent()
            ? "(feed_key, " + key + ") > (?" + ", ?".repeat(table.keyColumns().size()) + ")"
            : place.typeNumber() < table.type().number() ? "feed_key >= ?" : "feed_key > ?";
    trip.add(
        "SELECT feed_key, tenant_id, "
            + table.selectList()
            + " FROM "
            + table.name()
            + " WHERE "
            + tenant
            + beyond
            + " AND feed_key < "
            + BOUND
            + " ORDER BY feed_key, "
            + key
            + " LIMIT ?",
        (statement, from) -> {
          int index = bindTenant(statement, from, all, tenantId);
          statement.setLong(index++, place.feedKey());
          if (last.isPresent()) {
            List<Object> values = last.get().values();
            for (int i = 0; i < values.size(); i++) {
              table
                  .values()
                  .bind(statement, index++, table.keyColumns().get(i).kind(), values.get(i));
            }
          }
          statement.setInt(index++, limit);
          return index;
        });
    trip.add(
        "SELECT EXISTS (SELECT 1 FROM "
            + table.name()
            + " WHERE "
            + tenant
            + "feed_key >= "
            + BOUND
            + ")",
        (statement, from) -> bindTenant(statement, from, all, tenantId));
  }

  private static int bindTenant(PreparedStatement statement, int from, boolean all, String tenantId)
      throws SQLException {
    if (all) {
      return from;
    }
    statement.setString(from, tenantId);
    return from + 1;
  }

  private static void readTable(
      ResultSet result, RecordTable table, FeedMerge<FeedPlace>.Table merged) throws SQLException {
    boolean goesOn = true;
    while (goesOn && result.next()) {
      String tenantId = result.getString(2);
      Row row = table.read(result, 3, tenantId);
      goesOn = merged.add(FeedPlace.of(result.getLong(1), row.key()), tenantId, row);
    }
  }

  /** What holds the feed back now, for people; empty when nothing does. */
  Optional<FeedStall.Holder> holder(Connection connection, Deadline deadline) throws SQLException {
    boolean behind = false;
    long oldest;
    Trip trip =
        new Trip()
            .add(Trip.BEGIN_READING)
            .settings(settings, Scope.SYSTEM_TENANT, deadline)
            .add(STORE);
    for (RecordTable table : tables.inFeed()) {
      trip.add(
          "SELECT EXISTS (SELECT 1 FROM "
              + table.name()
              + " WHERE feed_key > 0 AND feed_key >= "
              + BOUND
              + ")");
    }
    try (Trip.Results results = trip.add(Trip.COMMIT).run(connection).skip(2)) {
      ResultSet store = results.next();
      store.next();
      oldest = store.getLong(3);
      for (int i = 0; i < tables.inFeed().size(); i++) {
        ResultSet waiting = results.next();
        behind |= waiting.next() && waiting.getBoolean(1);
      }
    }
    return behind ? Optional.of(stall.holder(connection, oldest)) : Optional.empty();
  }
}
