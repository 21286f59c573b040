/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.jpa.internal.RecordTable;
import io.wovyr.persistence.jpa.internal.RecordTable.Column;
import io.wovyr.persistence.storage.spi.Purge;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Removes a range of append-only rows and leaves a mark in the feed, in the transaction of the
 * batch that says so. The purge's number is given out under the lock of the store's row, so that
 * numbers have the order in which purges become visible. Used once, by one thread.
 */
final class Purger implements TransactionCommit.Companion {
  private static final String PERMIT = "SELECT set_config('wovyr.purge', 'permitted', true)";
  private static final String NUMBER =
      "UPDATE wovyr_store SET purges = purges + 1 WHERE id = 1 RETURNING purges";
  private static final String COVERED =
      "DELETE FROM feed_mark WHERE tenant_id = ? AND (purged_to, purged_row) <= (?, ?)";
  private static final String MARK =
      "INSERT INTO feed_mark (tenant_id, number, purged_to, purged_row) VALUES (?, ?, ?, ?)";

  private final Purge purge;
  private final RecordTable table;
  private final String tenantId;
  private @Nullable FeedCursor heldBy;
  private int removed;

  Purger(Purge purge, RecordTable table, String tenantId) {
    this.purge = purge;
    this.table = table;
    this.tenantId = tenantId;
  }

  /** The cursor that holds the purge back. */
  Optional<FeedCursor> heldBy() {
    return Optional.ofNullable(heldBy);
  }

  /** How many rows went. */
  int removed() {
    return removed;
  }

  @Override
  public boolean begin(Connection connection) throws SQLException {
    Optional<FeedPlace> highest = highest(connection);
    if (highest.isEmpty()) {
      return true;
    }
    for (FeedCursor cursor : purge.notBeyond()) {
      FeedPlace.Position position = FeedPlace.Position.of(cursor, purge.batch().epoch());
      if (highest.get().compareTo(position.place()) > 0) {
        heldBy = cursor;
        return false;
      }
    }
    long number;
    try (PreparedStatement permit = connection.prepareStatement(PERMIT)) {
      permit.execute();
    }
    try (PreparedStatement delete =
        connection.prepareStatement("DELETE FROM " + table.name() + range())) {
      bindRange(delete);
      removed = delete.executeUpdate();
    }
    try (PreparedStatement raise = connection.prepareStatement(NUMBER);
        ResultSet row = raise.executeQuery()) {
      row.next();
      number = row.getLong(1);
    }
    mark(connection, tenantId, number, highest.get());
    mark(connection, "", number, highest.get());
    return true;
  }

  private Optional<FeedPlace> highest(Connection connection) throws SQLException {
    String key = table.keyColumns().stream().map(Column::name).collect(Collectors.joining(", "));
    String descending =
        table.keyColumns().stream().map(c -> c.name() + " DESC").collect(Collectors.joining(", "));
    String text =
        "SELECT feed_key, "
            + key
            + " FROM "
            + table.name()
            + range()
            + " ORDER BY feed_key DESC, "
            + descending
            + " LIMIT 1";
    try (PreparedStatement select = connection.prepareStatement(text)) {
      bindRange(select);
      try (ResultSet row = select.executeQuery()) {
        return row.next()
            ? Optional.of(FeedPlace.of(row.getLong(1), table.readKey(row, 2)))
            : Optional.empty();
      }
    }
  }

  /** Older marks that do not reach further say nothing more. */
  private static void mark(Connection connection, String tenantId, long number, FeedPlace place)
      throws SQLException {
    try (PreparedStatement covered = connection.prepareStatement(COVERED);
        PreparedStatement mark = connection.prepareStatement(MARK)) {
      covered.setString(1, tenantId);
      covered.setLong(2, place.feedKey());
      covered.setBytes(3, place.row().toByteArray());
      covered.executeUpdate();
      mark.setString(1, tenantId);
      mark.setLong(2, number);
      mark.setLong(3, place.feedKey());
      mark.setBytes(4, place.row().toByteArray());
      mark.executeUpdate();
    }
  }

  private String range() {
    List<Column> key = table.keyColumns();
    String last = key.get(key.size() - 1).name();
    return " WHERE tenant_id = ?"
        + key.subList(0, key.size() - 1).stream()
            .map(column -> " AND " + column.name() + " = ?")
            .collect(Collectors.joining())
        + " AND "
        + last
        + " >= ? AND "
        + last
        + " < ?";
  }

  private void bindRange(PreparedStatement statement) throws SQLException {
    List<Column> key = table.keyColumns();
    statement.setString(1, tenantId);
    int index = 2;
    for (int i = 0; i < key.size() - 1; i++) {
      table.values().bind(statement, index++, key.get(i).kind(), purge.keyPrefix().get(i));
    }
    Column last = key.get(key.size() - 1);
    table.values().bind(statement, index++, last.kind(), purge.fromInclusive());
    table.values().bind(statement, index, last.kind(), purge.toExclusive());
  }
}
