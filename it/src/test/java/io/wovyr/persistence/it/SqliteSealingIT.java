/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.jpa.sqlite.SqliteStorageProvider;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;

class SqliteSealingIT extends SealingContract {
  private final SqliteStorageProvider provider = new SqliteStorageProvider();

  private Path file() {
    return directory.resolve("orders.db");
  }

  @BeforeEach
  void migrate() {
    provider.migrator().migrate(Map.of("path", file().toString()), step -> {});
  }

  @Override
  WovyrPersistence.Builder store() {
    return WovyrPersistence.builder()
        .provider(provider)
        .setting("wovyr.storage.path", file().toString());
  }

  @Override
  Path keystore() {
    return directory.resolve("orders.db.keystore");
  }

  @Override
  List<String> query(String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        rows.add(row.getString(1));
      }
    }
    return rows;
  }

  /** The files as they are: tables, histories, indexes, free pages, the log. */
  @Override
  List<String> everythingStored() throws IOException {
    List<String> contents = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        contents.add(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
      }
    }
    return contents;
  }
}
