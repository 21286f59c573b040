/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.jpa.sqlite.SqliteStorageProvider;
import io.wovyr.persistence.storage.spi.Attribute.Kind;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.Storage;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
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
  void open(RecordType type) throws SQLException {
    sql(
        type.name(),
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = replace(replace(sql, ') STRICT, WITHOUT', ') WITHOUT'),"
            + " ') STRICT', ')') WHERE type = 'table' AND name = '"
            + type.name()
            + "'");
  }

  @Override
  Optional<String> damage(Kind kind, boolean nullable) {
    return Optional.of(
        switch (kind) {
          case TEXT -> "x'ff'";
          case UUID -> "x'0102'";
          case INT, LONG, BOOLEAN, BYTES, PAYLOAD, TEXT_LIST -> "'x'";
          case INSTANT -> "9223372036854775807";
        });
  }

  @Override
  String literal(Object keyValue) {
    return keyValue instanceof UUID id
        ? "x'" + id.toString().replace("-", "") + "'"
        : "'" + keyValue + "'";
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
      statement.execute("PRAGMA ignore_check_constraints = ON");
      for (String text : statements) {
        statement.execute(text);
      }
      for (String trigger : triggers.values()) {
        statement.execute(trigger);
      }
    }
  }
}
