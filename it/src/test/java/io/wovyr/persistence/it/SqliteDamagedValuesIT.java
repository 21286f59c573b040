/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.jpa.sqlite.SqliteStorageProvider;
import io.wovyr.persistence.storage.spi.Storage;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;

class SqliteDamagedValuesIT extends DamagedValuesContract {
  private final SqliteStorageProvider provider = new SqliteStorageProvider();

  private Map<String, String> store() {
    return Map.of("path", directory.resolve("orders.db").toString());
  }

  @BeforeEach
  void migrate() {
    provider.migrator().migrate(store(), step -> {});
  }

  @Override
  Persistence open(Map<String, String> more) {
    return WovyrPersistence.builder()
        .provider(provider)
        .setting("wovyr.storage.path", directory.resolve("orders.db").toString())
        .settings(more)
        .build();
  }

  @Override
  Storage raw() {
    return provider.open(store());
  }

  @Override
  Path keystore() {
    return directory.resolve("orders.db.keystore");
  }

  @Override
  void sql(String table, String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + store().get("path"));
        Statement statement = connection.createStatement()) {
      Map<String, String> triggers = new LinkedHashMap<>();
      try (ResultSet row =
          statement.executeQuery(
              "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = '"
                  + table
                  + "'")) {
        while (row.next()) {
          triggers.put(row.getString(1), row.getString(2));
        }
      }
      for (String trigger : triggers.keySet()) {
        statement.execute("DROP TRIGGER " + trigger);
      }
      for (String text : statements) {
        statement.execute(text);
      }
      for (String trigger : triggers.values()) {
        statement.execute(trigger);
      }
    }
  }
}
