/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import io.wovyr.persistence.storage.spi.Storage;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;

/** A migrated SQLite file of a test. */
record SqliteStore(Path path, Map<String, String> settings) {
  static SqliteStore in(Path directory) {
    SqliteStore store = at(directory.resolve("store.db"));
    new SqliteStorageProvider().migrator().migrate(store.settings(), step -> {});
    return store;
  }

  static SqliteStore at(Path path) {
    return new SqliteStore(path, Map.of("path", path.toString()));
  }

  SqliteStore with(String key, String value) {
    Map<String, String> changed = new HashMap<>(settings);
    changed.put(key, value);
    return new SqliteStore(path, Map.copyOf(changed));
  }

  Storage open() {
    return new SqliteStorageProvider().open(settings);
  }

  /** A connection as any other tool has one: none of our pragmas. */
  Connection foreign() throws SQLException {
    return java.sql.DriverManager.getConnection("jdbc:sqlite:" + path);
  }

  /** Runs statements as another tool would. */
  void run(String... statements) throws SQLException {
    try (Connection connection = foreign();
        Statement statement = connection.createStatement()) {
      for (String text : statements) {
        statement.execute(text);
      }
    }
  }
}
