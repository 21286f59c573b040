/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import io.wovyr.persistence.jpa.internal.RecordTable;
import io.wovyr.persistence.jpa.internal.Tables;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Statistics;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts of one tenant or of the whole store; of the whole store also the bytes of each table with
 * its indexes. For the latter SQLite looks at every page, so very large files are not asked.
 */
final class StoreStatistics {
  private static final long LARGEST_LOOKED_THROUGH_BYTES = 4L << 30;
  private static final String FILE_BYTES =
      "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
  private static final String BYTES =
      "SELECT m.tbl_name, sum(d.pgsize) FROM dbstat('main', 1) d"
          + " JOIN sqlite_master m ON m.name = d.name GROUP BY m.tbl_name";

  private StoreStatistics() {}

  static Statistics read(SqliteConnection connection, Tables tables, Scope scope)
      throws SQLException {
    boolean all = scope instanceof Scope.System;
    Map<String, Long> sizes = all ? sizes(connection) : Map.of();
    Map<String, Long> records = new TreeMap<>();
    Map<String, Long> bytes = new TreeMap<>();
    for (RecordTable table : tables.all()) {
      records.put(table.name(), count(connection, table, scope, all));
      Long size = sizes.get(table.name());
      if (size != null) {
        bytes.put(table.name(), size);
      }
    }
    return new Statistics(records, bytes);
  }

  private static long count(
      SqliteConnection connection, RecordTable table, Scope scope, boolean all)
      throws SQLException {
    String text = "SELECT count(*) FROM " + table.name() + (all ? "" : " WHERE tenant_id = ?");
    PreparedStatement statement = connection.statements().get(text);
    if (!all) {
      statement.setString(1, scope.tenantId());
    }
    try (ResultSet row = statement.executeQuery()) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  private static Map<String, Long> sizes(SqliteConnection connection) throws SQLException {
    Map<String, Long> sizes = new TreeMap<>();
    try (ResultSet row = connection.statements().get(FILE_BYTES).executeQuery()) {
      if (!row.next() || row.getLong(1) > LARGEST_LOOKED_THROUGH_BYTES) {
        return sizes;
      }
    }
    try (ResultSet row = connection.statements().get(BYTES).executeQuery()) {
      while (row.next()) {
        sizes.put(row.getString(1), row.getLong(2));
      }
    }
    return sizes;
  }
}
