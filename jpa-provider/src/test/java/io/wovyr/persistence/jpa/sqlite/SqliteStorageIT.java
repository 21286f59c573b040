/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import io.wovyr.conformance.StorageContract;
import io.wovyr.conformance.StorageUnderTest;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

/** The conformance kit over SQLite. */
class SqliteStorageIT extends StorageContract {
  @TempDir static Path directory;

  @Override
  protected StorageUnderTest storageUnderTest() {
    SqliteStore store = SqliteStore.in(directory);
    return new StorageUnderTest() {
      @Override
      public String provider() {
        return "sqlite";
      }

      @Override
      public Storage open() {
        return store.open();
      }

      @Override
      public Optional<OtherProcess> otherProcess() {
        return Optional.of(new OtherProcess(SqliteStorageProvider.class, store.settings()));
      }

      @Override
      public Optional<RowLock> lock(Scope scope, Key key) {
        return Optional.of(locked(store));
      }
    };
  }

  /** SQLite locks the whole store. */
  private static StorageUnderTest.RowLock locked(SqliteStore store) {
    try {
      Connection connection = store.foreign();
      try (Statement statement = connection.createStatement()) {
        statement.execute("BEGIN IMMEDIATE");
      }
      return () -> {
        try {
          connection.close();
        } catch (SQLException e) {
          throw new IllegalStateException(e);
        }
      };
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
