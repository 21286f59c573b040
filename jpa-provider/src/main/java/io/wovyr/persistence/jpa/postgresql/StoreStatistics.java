/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.jpa.internal.RecordTable;
import io.wovyr.persistence.jpa.internal.Tables;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Statistics;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;

/** Counts of one tenant; of the whole store the server's own estimates, and the sizes on disk. */
final class StoreStatistics {
  private static final String WHOLE =
      "SELECT greatest(c.reltuples, 0)::bigint, pg_total_relation_size(c.oid)"
          + " FROM pg_class c WHERE c.oid = ?::text::regclass";

  private StoreStatistics() {}

  static Statistics read(
      Connection connection,
      Tables tables,
      TransactionSettings settings,
      String tenantId,
      boolean all,
      Deadline deadline)
      throws SQLException {
    Trip trip = new Trip().add(Trip.BEGIN_READING).settings(settings, tenantId, deadline);
    for (RecordTable table : tables.all()) {
      if (all) {
        trip.add(
            WHOLE,
            (statement, from) -> {
              statement.setString(from, table.name());
              return from + 1;
            });
      } else {
        trip.add(
            "SELECT count(*) FROM " + table.name() + " WHERE tenant_id = ?",
            (statement, from) -> {
              statement.setString(from, tenantId);
              return from + 1;
            });
      }
    }
    Map<String, Long> counts = new TreeMap<>();
    Map<String, Long> sizes = new TreeMap<>();
    try (Trip.Results results = trip.add(Trip.COMMIT).run(connection).skip(2)) {
      for (RecordTable table : tables.all()) {
        ResultSet row = results.next();
        row.next();
        counts.put(table.name(), row.getLong(1));
        if (all) {
          sizes.put(table.name(), row.getLong(2));
        }
      }
    }
    return new Statistics(counts, sizes);
  }
}
