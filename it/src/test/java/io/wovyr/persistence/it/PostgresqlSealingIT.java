/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.jpa.postgresql.PostgresServer;
import io.wovyr.persistence.jpa.postgresql.PostgresqlStorageProvider;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class PostgresqlSealingIT extends SealingContract {
  private PostgresServer.Database database;

  @BeforeEach
  void migrate() {
    database = PostgresServer.shared().newStore();
  }

  @AfterEach
  void drop() {
    database.close();
  }

  @Override
  Persistence open() {
    WovyrPersistence.Builder builder =
        WovyrPersistence.builder()
            .provider(new PostgresqlStorageProvider())
            .setting("wovyr.sealing.keystore.path", keystore().toString())
            .setting("wovyr.sealing.keystore.create", "true");
    database.settings().forEach((key, value) -> builder.setting("wovyr.storage." + key, value));
    return builder.build();
  }

  @Override
  Path keystore() {
    return directory.resolve("keys.p12");
  }

  @Override
  List<String> query(String sql) throws SQLException {
    return database.query(sql);
  }

  /** Every row of every table; bytes show as hexadecimal digits. */
  @Override
  List<String> everythingStored() throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = database.admin();
        Statement statement = connection.createStatement()) {
      List<String> tables = new ArrayList<>();
      try (ResultSet row =
          statement.executeQuery(
              "SELECT relname FROM pg_class WHERE relkind = 'r'"
                  + " AND relnamespace = 'public'::regnamespace")) {
        while (row.next()) {
          tables.add(row.getString(1));
        }
      }
      for (String table : tables) {
        try (ResultSet row = statement.executeQuery("SELECT t::text FROM " + table + " t")) {
          while (row.next()) {
            rows.add(row.getString(1));
          }
        }
      }
    }
    return rows;
  }
}
