/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.internal.FileReasons;
import io.wovyr.persistence.jpa.internal.Changelog;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Migrator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import liquibase.database.core.SQLiteDatabase;
import org.sqlite.SQLiteConfig;

/**
 * Migrates a SQLite store under a lock of the operating system on {@code <path>.migrate.lock},
 * which dies with its process: a killed migration is simply run again, and each of its steps was
 * one transaction. Thread-safe, no state.
 */
final class SqliteMigrator implements Migrator {
  static final Changelog CHANGELOG =
      new Changelog("io/wovyr/persistence/jpa/sqlite/changelog.sql", SQLiteDatabase::new);

  @Override
  public Status status(Map<String, String> settings) {
    return status(SqliteSettings.of(settings));
  }

  private static Status status(SqliteSettings settings) {
    SqliteErrors errors = new SqliteErrors(settings.path());
    try {
      boolean exists = Files.exists(settings.path()) && Files.size(settings.path()) > 0;
      Found found = exists ? look(settings) : new Found(false, 0, 0, Set.of());
      StoreCheck.checkVersion(settings.path(), found.schemaVersion(), found.formatVersion());
      return new Status(
          found.exists(),
          found.schemaVersion(),
          StoreCheck.SCHEMA_VERSION,
          // Liquibase is slow to start, and has nothing to say about a store that is up to date.
          found.schemaVersion() == StoreCheck.SCHEMA_VERSION
              ? List.of()
              : CHANGELOG.pending(found.applied()));
    } catch (SQLException e) {
      throw errors.beforeCommit(e);
    } catch (IOException e) {
      throw refused(settings.path(), e);
    } catch (Changelog.Failed e) {
      throw failed(settings.path(), e);
    }
  }

  /** What is in the file. */
  private record Found(boolean exists, int schemaVersion, int formatVersion, Set<String> applied) {}

  private static Found look(SqliteSettings settings) throws SQLException {
    // Not opened read-only: such a connection would leave its -wal and -shm files behind.
    try (SqliteConnection opened =
        SqliteConnection.reader(settings, SqliteConnection.Source.DRIVER)) {
      Connection connection = opened.jdbc();
      Set<String> applied = new HashSet<>();
      if (!has(connection, "DATABASECHANGELOG")) {
        return new Found(false, 0, 0, applied);
      }
      try (PreparedStatement statement =
              connection.prepareStatement("SELECT ID FROM DATABASECHANGELOG");
          ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          applied.add(row.getString(1));
        }
      }
      if (!has(connection, "wovyr_store")) {
        return new Found(true, 0, 0, applied);
      }
      try (PreparedStatement statement =
              connection.prepareStatement(
                  "SELECT schema_version, format_version FROM wovyr_store");
          ResultSet row = statement.executeQuery()) {
        row.next();
        return new Found(true, row.getInt(1), row.getInt(2), applied);
      }
    }
  }

  private static boolean has(Connection connection, String table) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?")) {
      statement.setString(1, table);
      try (ResultSet row = statement.executeQuery()) {
        return row.next();
      }
    }
  }

  @Override
  public Status migrate(Map<String, String> settings, Consumer<String> progress) {
    SqliteSettings read = SqliteSettings.of(settings);
    // First of all, before anything is touched: a newer store is refused as it is.
    Status before = status(read);
    if (isUpToDate(before)) {
      return before;
    }
    try {
      Path directory = read.path().getParent();
      if (directory != null && !Files.exists(directory)) {
        Files.createDirectories(directory);
        progress.accept("made the directory " + directory);
      }
      MigrationLock.holding(
          read.path(),
          Deadline.after(read.migrateWait()),
          progress,
          () -> {
            if (!isUpToDate(status(read))) {
              apply(read, progress);
            }
          });
      return status(read);
    } catch (IOException e) {
      throw refused(read.path(), e);
    }
  }

  private static boolean isUpToDate(Status status) {
    return status.exists() && status.pending().isEmpty();
  }

  private static void apply(SqliteSettings settings, Consumer<String> progress) {
    apply(settings, config(settings), progress);
  }

  private static SQLiteConfig config(SqliteSettings settings) {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    config.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE);
    config.setBusyTimeout((int) settings.busyTimeout().toMillis());
    config.enforceForeignKeys(true);
    return config;
  }

  /** With another configuration of the connection, for tests. */
  static void apply(SqliteSettings settings, SQLiteConfig config, Consumer<String> progress) {
    SqliteErrors errors = new SqliteErrors(settings.path());
    try (Connection connection = config.createConnection("jdbc:sqlite:" + settings.path())) {
      try {
        CHANGELOG.update(connection, progress);
      } catch (Changelog.Failed e) {
        try {
          endTransaction(connection);
        } catch (SQLException alsoFailed) {
          // SQLite rolled back by itself, for one when the disk is full: that is what to tell.
          e.addSuppressed(alsoFailed);
        }
        throw e;
      }
      endTransaction(connection);
    } catch (SQLException e) {
      throw errors.beforeCommit(e);
    } catch (Changelog.Failed e) {
      throw e.sqlException()
          .<PersistenceException>map(errors::beforeCommit)
          .orElseGet(() -> failed(settings.path(), e));
    }
  }

  /** Liquibase leaves a transaction open. */
  private static void endTransaction(Connection connection) throws SQLException {
    if (!connection.getAutoCommit()) {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  private static Unavailable refused(Path path, IOException e) {
    return new Unavailable(
        "the SQLite store %s could not be migrated: %s: check that its directory is there and that"
                .formatted(path, FileReasons.withPath(e))
            + " this user may write in it, or name another place",
        e);
  }

  private static Unavailable failed(Path path, Exception e) {
    return new Unavailable(
        "the SQLite store " + path + " could not be migrated: " + e.getMessage(), e);
  }

  /** Names of the steps, for tests. */
  static List<String> steps() throws Changelog.Failed {
    return CHANGELOG.steps();
  }
}
