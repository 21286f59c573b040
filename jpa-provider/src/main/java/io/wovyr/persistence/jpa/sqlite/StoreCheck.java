/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.jpa.internal.RecordTable;
import io.wovyr.persistence.jpa.internal.Tables;
import io.wovyr.persistence.storage.spi.StoreIdentity;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Looks at a store before anything is done with it: its version first, then that no table, column,
 * index or trigger we rely on is missing, and the pragmas that safety rests on. Costs about a
 * millisecond, whatever the store holds; it does not read its rows.
 */
final class StoreCheck {
  /** Version of the schema this code reads and writes. */
  static final int SCHEMA_VERSION = 8;

  /** Version of what rows mean beside their schema. */
  static final int FORMAT_VERSION = 1;

  private static final List<String> ESSENTIAL =
      List.of(
          "execution_live_workflow",
          "execution_by_status",
          "execution_head_held",
          "execution_head_due",
          "workflow_event_key",
          "workflow_event_dedupe",
          "workflow_event_by_correlation",
          "workflow_event_by_causation",
          "workflow_event_feed",
          "commit_marker_expiry",
          "purge_permit",
          "purge_permit_end",
          "feed_mark",
          "feed_mark_highest",
          "feed_mark_purged_to",
          "workflow_event_never_updated",
          "workflow_event_deleted_by_purge_only",
          "revision",
          "revision_by_tenant",
          "revision_never_updated",
          "revision_never_deleted",
          "execution_aud",
          "execution_aud_revision",
          "execution_aud_never_updated",
          "execution_aud_never_deleted");

  private static final Map<String, String> PRAGMAS =
      Map.of("journal_mode", "wal", "synchronous", "2", "foreign_keys", "1");

  private final Path path;
  private final Tables tables;

  StoreCheck(Path path, Tables tables) {
    this.path = path;
    this.tables = tables;
  }

  /** Passes a good store and says which it is. */
  StoreIdentity run(SqliteConnection connection) throws SQLException {
    Set<String> objects = objects(connection);
    if (!objects.contains("wovyr_store")) {
      throw objects.isEmpty() || objects.contains("DATABASECHANGELOG")
          ? notMigrated(path, "has no schema yet")
          : Unavailable.lasting(
              "the SQLite database "
                  + path
                  + " is no store: it has tables of something else, and is left as it is; check"
                  + " wovyr.storage.path",
              null);
    }
    StoreIdentity identity = StoreRow.identity(connection);
    checkVersion(path, identity.schemaVersion(), formatVersion(connection));
    if (identity.schemaVersion() < SCHEMA_VERSION) {
      throw notMigrated(
          path,
          "is not up to date (schema %d of %d)"
              .formatted(identity.schemaVersion(), SCHEMA_VERSION));
    }
    checkObjects(connection, objects);
    return identity;
  }

  /** There is no file. */
  static Unavailable absent(Path path) {
    return notMigrated(path, "is not there");
  }

  private static Unavailable notMigrated(Path path, String how) {
    return Unavailable.lasting(
        "the SQLite store %s %s: run 'wovyr migrate up --store %s'"
            .formatted(path, how, named(path)),
        null);
  }

  /** One word of a command line. */
  private static String named(Path path) {
    String text = path.toString();
    return text.matches("[\\w./:+,@%=-]+") ? text : "\"" + text + "\"";
  }

  /**
   * @throws UnsupportedVersion when the store is newer than this code
   * @throws Corrupt when no version ever made such a store
   */
  static void checkVersion(Path path, int schemaVersion, int formatVersion) {
    // A first migration that did not come to its end has left the schema at 0.
    if (schemaVersion < 0 || formatVersion < (schemaVersion == 0 ? 0 : 1)) {
      throw new Corrupt(
          "the SQLite store %s says that it is of schema %d and format %d, which were never written: restore a backup"
              .formatted(path, schemaVersion, formatVersion),
          null);
    }
    if (schemaVersion > SCHEMA_VERSION || formatVersion > FORMAT_VERSION) {
      throw new UnsupportedVersion(
          "the SQLite store %s is of a newer version (schema %d, format %d) than this program"
                  .formatted(path, schemaVersion, formatVersion)
              + " (schema %d, format %d): use the newer program"
                  .formatted(SCHEMA_VERSION, FORMAT_VERSION));
    }
  }

  static int formatVersion(SqliteConnection connection) throws SQLException {
    return Integer.parseInt(text(connection, "SELECT format_version FROM wovyr_store"));
  }

  private static String text(SqliteConnection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.jdbc().prepareStatement(sql);
        ResultSet row = statement.executeQuery()) {
      return row.next() ? String.valueOf(row.getString(1)) : "";
    }
  }

  private static Set<String> objects(SqliteConnection connection) throws SQLException {
    Set<String> names = new HashSet<>();
    try (PreparedStatement statement =
            connection.jdbc().prepareStatement("SELECT name FROM sqlite_master");
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        names.add(row.getString(1));
      }
    }
    return names;
  }

  /** Passes a connection that writes as safely as it must. */
  void checkPragmas(SqliteConnection connection) throws SQLException {
    for (Map.Entry<String, String> pragma : PRAGMAS.entrySet()) {
      String actual = text(connection, "PRAGMA " + pragma.getKey());
      if (!actual.equals(pragma.getValue())) {
        throw Unavailable.lasting(
            "the SQLite store %s has %s = %s instead of %s: its disk may not support what SQLite needs"
                .formatted(path, pragma.getKey(), actual, pragma.getValue()),
            null);
      }
    }
  }

  private void checkObjects(SqliteConnection connection, Set<String> objects) throws SQLException {
    for (String essential : ESSENTIAL) {
      if (!objects.contains(essential)) {
        throw missing(essential);
      }
    }
    for (RecordTable table : tables.all()) {
      Set<String> columns = columns(connection, table.name());
      for (RecordTable.Column column : table.columns()) {
        if (!columns.contains(column.name())) {
          throw missing(table.name() + "." + column.name());
        }
      }
    }
    if (!text(connection, "SELECT count(*) FROM purge_permit").equals("0")) {
      throw new Corrupt(
          "the SQLite store " + path + " has a purge permit that somebody wrote by hand: delete it",
          null);
    }
  }

  private static Set<String> columns(SqliteConnection connection, String table)
      throws SQLException {
    Set<String> names = new HashSet<>();
    try (PreparedStatement statement =
        connection.jdbc().prepareStatement("SELECT name FROM pragma_table_info(?)")) {
      statement.setString(1, table);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          names.add(row.getString(1));
        }
      }
    }
    return names;
  }

  private Corrupt missing(String what) {
    return new Corrupt(
        "the SQLite store " + path + " has lost " + what + ": restore a backup", null);
  }
}
