/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import io.wovyr.persistence.jpa.sqlite.SqliteStorageProvider;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.sqlite.SQLiteConfig;

/** A file of its own. */
final class SqliteGround extends Ground {
  private final Path file;

  private SqliteGround(Path file) {
    super(new SqliteStorageProvider(), settings(file));
    this.file = file;
  }

  private static Map<String, String> settings(Path file) {
    return Map.of("path", file.toString());
  }

  static SqliteGround make(Path file) {
    Objects.requireNonNull(new SqliteStorageProvider().migrator())
        .migrate(settings(file), step -> {});
    return new SqliteGround(file);
  }

  @Override
  Column floor() throws SQLException {
    return new SqliteFloor(file, identity());
  }

  @Override
  Connection administrator() throws SQLException {
    return connection(file);
  }

  /** As the layer opens its own; no transaction is begun by itself. */
  static Connection connection(Path file) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    config.setBusyTimeout(5_000);
    config.enforceForeignKeys(true);
    config.setCacheSize(-8_192);
    config.setGetGeneratedKeys(false);
    Connection connection = config.createConnection("jdbc:sqlite:" + file);
    // The driver begins a transaction here; without it, it would try to after every statement.
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("ROLLBACK");
    }
    return connection;
  }

  @Override
  List<UUID> copies(List<Copy> rows, Object original, int count) throws SQLException {
    try (Connection connection = administrator();
        Statement statement = connection.createStatement()) {
      String key =
          original instanceof UUID id
              ? "x'" + id.toString().replace("-", "") + "'"
              : "'" + original + "'";
      Copy.Expressions say =
          new Copy.Expressions(
              "copy c",
              "c.id",
              "hex(c.id)",
              "CAST(1000000 * unixepoch('subsec') AS INTEGER) + random() % 3600000000");
      statement.execute("CREATE TEMP TABLE copy (id BLOB)");
      statement.execute("BEGIN IMMEDIATE");
      statement.execute(
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < "
              + count
              + ") INSERT INTO copy SELECT randomblob(16) FROM n");
      for (Copy copy : rows) {
        statement.execute(copy.insert(key, say));
      }
      statement.execute("COMMIT");
      List<UUID> ids = new ArrayList<>(count);
      try (ResultSet row = statement.executeQuery("SELECT id FROM copy")) {
        while (row.next()) {
          ByteBuffer id = ByteBuffer.wrap(row.getBytes(1));
          ids.add(new UUID(id.getLong(), id.getLong()));
        }
      }
      return ids;
    }
  }

  @Override
  double fullScans() {
    return Double.NaN;
  }

  @Override
  HeadUpdates headUpdates() {
    return HeadUpdates.UNKNOWN;
  }
}
