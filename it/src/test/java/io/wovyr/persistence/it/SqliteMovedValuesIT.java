/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.jpa.sqlite.SqliteStorageProvider;
import io.wovyr.persistence.storage.spi.Storage;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;

class SqliteMovedValuesIT extends MovedValuesContract {
  private String path;

  @BeforeEach
  void migrate() {
    path = SqliteFile.migrated(directory.resolve("orders.db"));
  }

  @Override
  Persistence open() {
    return SqliteFile.open(path, Map.of());
  }

  @Override
  Storage raw() {
    return new SqliteStorageProvider().open(Map.of("path", path));
  }

  @Override
  Connection sql() throws SQLException {
    Connection connection = DriverManager.getConnection("jdbc:sqlite:" + path);
    try (Statement statement = connection.createStatement()) {
      List<String> triggers = new ArrayList<>();
      try (ResultSet row =
          statement.executeQuery("SELECT name FROM sqlite_master WHERE type = 'trigger'")) {
        while (row.next()) {
          triggers.add(row.getString(1));
        }
      }
      for (String trigger : triggers) {
        statement.execute("DROP TRIGGER " + trigger);
      }
      statement.execute("PRAGMA synchronous = OFF");
    }
    return connection;
  }

  @Override
  Object bound(Object keyValue) {
    return keyValue instanceof UUID id
        ? ByteBuffer.allocate(16)
            .putLong(id.getMostSignificantBits())
            .putLong(id.getLeastSignificantBits())
            .array()
        : keyValue;
  }
}
