/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.jpa.internal.RecordTable;
import io.wovyr.persistence.jpa.internal.RecordTable.Column;
import io.wovyr.persistence.storage.spi.Row;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rows as one array per column, so that any number of them is one statement. Stateless. */
final class RowArrays {
  private RowArrays() {}

  /** The rows as a table, in the order of {@link RecordTable#columns()}. */
  static String unnest(RecordTable table) {
    return table.columns().stream()
        .map(column -> "?::" + PostgresqlValues.type(column.kind()) + "[]")
        .collect(Collectors.joining(", ", "unnest(", ")"));
  }

  /** The keys as a table. */
  static String unnestKeys(RecordTable table) {
    return table.keyColumns().stream()
        .map(column -> "?::" + PostgresqlValues.type(column.kind()) + "[]")
        .collect(Collectors.joining(", ", "unnest(", ")"));
  }

  /** Binds {@link #unnest}; returns the next index. */
  static int bind(
      PreparedStatement statement,
      int from,
      Connection connection,
      RecordTable table,
      List<Row> rows)
      throws SQLException {
    List<List<@Nullable Object>> cells = rows.stream().map(RowArrays::cells).toList();
    return bindCells(statement, from, connection, table, table.columns(), cells);
  }

  /** Binds {@link #unnestKeys}; returns the next index. */
  static int bindKeys(
      PreparedStatement statement,
      int from,
      Connection connection,
      RecordTable table,
      List<? extends List<? extends @Nullable Object>> keys)
      throws SQLException {
    return bindCells(statement, from, connection, table, table.keyColumns(), keys);
  }

  private static int bindCells(
      PreparedStatement statement,
      int from,
      Connection connection,
      RecordTable table,
      List<Column> columns,
      List<? extends List<? extends @Nullable Object>> rows)
      throws SQLException {
    int index = from;
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      @Nullable Object[] array = array(column, rows.size());
      for (int j = 0; j < array.length; j++) {
        @Nullable Object value = rows.get(j).get(i);
        array[j] = value == null ? null : table.values().toJdbc(column.kind(), value);
      }
      statement.setArray(
          index++, connection.createArrayOf(PostgresqlValues.type(column.kind()), array));
    }
    return index;
  }

  /** Of the type that the driver sends in its binary form. */
  private static @Nullable Object[] array(Column column, int length) {
    return switch (column.kind()) {
      case INT -> new @Nullable Integer[length];
      case LONG, INSTANT -> new @Nullable Long[length];
      case BOOLEAN -> new @Nullable Boolean[length];
      case BYTES, PAYLOAD -> new byte @Nullable [length][];
      case UUID -> new java.util.@Nullable UUID[length];
      case TEXT, TEXT_LIST -> new @Nullable String[length];
    };
  }

  private static List<@Nullable Object> cells(Row row) {
    List<@Nullable Object> cells = new ArrayList<>(row.key().values());
    RecordHeader header = row.header();
    Collections.addAll(
        cells,
        header.id(),
        header.version(),
        header.createdAt(),
        header.updatedAt(),
        header.updatedBy(),
        header.schemaVersion(),
        header.entityVersion(),
        header.serializationVersion(),
        header.extra().equals(Bytes.EMPTY) ? null : header.extra());
    cells.addAll(row.values());
    return cells;
  }
}
