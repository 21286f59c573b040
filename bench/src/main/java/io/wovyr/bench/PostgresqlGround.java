/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import io.wovyr.persistence.jpa.postgresql.PostgresqlStorageProvider;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;

/** A database of its own. */
final class PostgresqlGround extends Ground {
  private final PostgresqlServer server;
  private final String database;
  private final Map<String, String> settings;

  PostgresqlGround(
      PostgresqlServer server,
      String database,
      Map<String, String> settings,
      PostgresqlStorageProvider provider) {
    super(provider, settings);
    this.server = server;
    this.database = database;
    this.settings = settings;
  }

  String database() {
    return database;
  }

  @Override
  Column floor() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", setting("user"));
    properties.setProperty("password", setting("password"));
    properties.setProperty("prepareThreshold", "1");
    // Whoever means it waits for no answer for ever; the layer does not either.
    properties.setProperty("socketTimeout", "11");
    properties.setProperty("assumeMinServerVersion", "13");
    properties.setProperty("ApplicationName", "wovyr bench floor");
    return new PostgresqlFloor(
        () -> DriverManager.getConnection(setting("url"), properties), identity());
  }

  private String setting(String name) {
    return java.util.Objects.requireNonNull(settings.get(name), name);
  }

  @Override
  Connection administrator() throws SQLException {
    return server.administrator(database);
  }

  @Override
  List<UUID> copies(List<Copy> rows, Object original, int count) throws SQLException {
    List<UUID> ids = new ArrayList<>(count);
    try (Connection connection = administrator();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TEMP TABLE copy AS SELECT gen_random_uuid() AS id FROM generate_series(1, "
              + count
              + ")");
      Copy.Expressions say =
          new Copy.Expressions(
              "copy c",
              "c.id",
              "c.id::text",
              "(1e6 * (extract(epoch FROM now()) + 7200 * random() - 3600))::bigint");
      for (Copy copy : rows) {
        statement.execute(copy.insert("'" + original + "'", say));
        statement.execute("VACUUM ANALYZE " + copy.table());
      }
      try (ResultSet row = statement.executeQuery("SELECT id FROM copy")) {
        while (row.next()) {
          ids.add(row.getObject(1, UUID.class));
        }
      }
      statement.execute("DROP TABLE copy");
    }
    return ids;
  }

  @Override
  double fullScans() throws SQLException {
    try (Connection connection = administrator();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT sum(seq_scan) FROM pg_stat_user_tables"
                    + " WHERE relname IN ('execution', 'execution_head', 'schedule')")) {
      row.next();
      return row.getDouble(1);
    }
  }

  @Override
  HeadUpdates headUpdates() throws SQLException {
    try (Connection connection = administrator();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables"
                    + " WHERE relname = 'execution_head'")) {
      return row.next() ? new HeadUpdates(row.getLong(1), row.getLong(2)) : HeadUpdates.UNKNOWN;
    }
  }
}
