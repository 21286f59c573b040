/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import io.wovyr.persistence.jpa.internal.RecordTable;
import io.wovyr.persistence.jpa.internal.SqlValues;
import io.wovyr.persistence.storage.spi.Attribute;
import io.wovyr.persistence.storage.spi.Attribute.Kind;
import io.wovyr.persistence.storage.spi.Purge;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Removes a range of append-only rows and leaves a feed mark up to the highest of them, inside a
 * transaction. The triggers let it pass because of the permit it writes and takes back.
 * Thread-safe.
 */
final class Purger {
  private static final String PERMIT = "INSERT INTO purge_permit (id, ends) VALUES (1, 1)";
  private static final String END_OF_PERMIT = "DELETE FROM purge_permit";
  private static final String COVERED =
      "DELETE FROM feed_mark WHERE tenant_id = ? AND purged_to <= ?";
  private static final String MARK =
      "INSERT INTO feed_mark (tenant_id, purged_to, purged_at) VALUES (?, ?, ?)";

  private Purger() {}

  /** The highest feed key of the range, 0 when it is empty. */
  static long highest(SqliteConnection connection, RecordTable table, String tenantId, Purge purge)
      throws SQLException {
    PreparedStatement select =
        connection.statements().get("SELECT max(feed_key) FROM (" + range(table) + ")");
    bind(select, table, tenantId, purge);
    try (ResultSet row = select.executeQuery()) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  /**
   * Removes the range, which reaches up to {@code highest}; says how many rows it had.
   *
   * @param purgedAt a feed key of its own: who begins to read after it misses nothing
   */
  static int remove(
      SqliteConnection connection,
      RecordTable table,
      String tenantId,
      Purge purge,
      long highest,
      long purgedAt)
      throws SQLException {
    connection.statements().get(PERMIT).executeUpdate();
    String text = "DELETE FROM " + table.name() + " WHERE feed_key IN (" + range(table) + ")";
    PreparedStatement delete = connection.statements().get(text);
    bind(delete, table, tenantId, purge);
    int removed = delete.executeUpdate();
    connection.statements().get(END_OF_PERMIT).executeUpdate();
    mark(connection, tenantId, highest, purgedAt);
    mark(connection, FeedReader.WHOLE_FEED, highest, purgedAt);
    return removed;
  }

  /** Older marks that do not reach further say nothing more. */
  private static void mark(
      SqliteConnection connection, String tenantId, long purgedTo, long purgedAt)
      throws SQLException {
    PreparedStatement covered = connection.statements().get(COVERED);
    covered.setString(1, tenantId);
    covered.setLong(2, purgedTo);
    covered.executeUpdate();
    PreparedStatement mark = connection.statements().get(MARK);
    mark.setString(1, tenantId);
    mark.setLong(2, purgedTo);
    mark.setLong(3, purgedAt);
    mark.executeUpdate();
  }

  private static String range(RecordTable table) {
    List<Attribute> key = table.type().key();
    String last = RecordTable.columnName(key.get(key.size() - 1).name());
    return "SELECT feed_key FROM "
        + table.name()
        + " WHERE tenant_id = ? AND "
        + key.subList(0, key.size() - 1).stream()
            .map(attribute -> RecordTable.columnName(attribute.name()) + " = ? AND ")
            .collect(Collectors.joining())
        + last
        + " >= ? AND "
        + last
        + " < ?";
  }

  private static void bind(
      PreparedStatement statement, RecordTable table, String tenantId, Purge purge)
      throws SQLException {
    SqlValues values = new SqliteValues();
    List<Attribute> key = table.type().key();
    statement.setString(1, tenantId);
    int index = 2;
    for (int i = 0; i < key.size() - 1; i++) {
      values.bind(statement, index++, key.get(i).kind(), purge.keyPrefix().get(i));
    }
    Kind last = key.get(key.size() - 1).kind();
    values.bind(statement, index++, last, purge.fromInclusive());
    values.bind(statement, index, last, purge.toExclusive());
  }
}
