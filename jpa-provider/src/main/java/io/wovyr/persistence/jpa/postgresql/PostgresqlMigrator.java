/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.jpa.internal.Changelog;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Migrator;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Migrates a PostgreSQL store under the migration role, which owns it, and gives the other roles
 * their rights. The database must be there. Thread-safe, no state.
 */
final class PostgresqlMigrator implements Migrator {
  static final Changelog CHANGELOG =
      new Changelog("io/wovyr/persistence/jpa/postgresql/changelog.sql", WholeSteps::new);
  private static final String RIGHTS = "/io/wovyr/persistence/jpa/postgresql/rights.sql";

  /** Raised by rights.sql. */
  private static final String ROLE_MISSING = "WV001";

  @Override
  public Status status(Map<String, String> settings) {
    PostgresqlSettings read = PostgresqlSettings.of(settings);
    return run(read, connection -> status(read, connection));
  }

  private interface Work<T> {
    T run(Connection connection) throws SQLException, Changelog.Failed;
  }

  private static <T> T run(PostgresqlSettings settings, Work<T> work) {
    Login login = settings.migrationLogin();
    PostgresqlErrors errors = new PostgresqlErrors(login);
    try (Connection connection = ServerSource.connect(login, settings.connectTimeout())) {
      return work.run(connection);
    } catch (SQLException e) {
      throw failure(settings, errors, e);
    } catch (Changelog.Failed e) {
      throw e.sqlException()
          .map(cause -> failure(settings, errors, cause))
          .orElseGet(
              () ->
                  new Unavailable(
                      "the PostgreSQL store "
                          + settings.migrationLogin().place()
                          + " could not be migrated: "
                          + e.getMessage(),
                      e));
    }
  }

  private static PersistenceException failure(
      PostgresqlSettings settings, PostgresqlErrors errors, SQLException e) {
    if (ROLE_MISSING.equals(e.getSQLState())) {
      String prefix = settings.rolePrefix();
      return new InvalidInput(
          "the roles %s_runtime, %s_system and %s_purge are not there, and the migration role may not create them: run \"CREATE ROLE ... NOLOGIN\" for each as an administrator, then migrate again: the tables are there, the rights are not yet"
              .formatted(prefix, prefix, prefix));
    }
    if (PostgresqlErrors.rightMissing(e) || PostgresqlErrors.schemaMissing(e)) {
      return Unavailable.lasting(
          "the login of the %s role may not change the store %s: migrate as the owner of its tables, or of the database where there are none yet (wovyr.storage.migration-user): %s"
              .formatted(
                  settings.migrationLogin().role(),
                  settings.migrationLogin().place(),
                  PostgresqlErrors.said(e)),
          e);
    }
    return errors.beforeCommit(e);
  }

  private static Status status(PostgresqlSettings settings, Connection connection)
      throws SQLException, Changelog.Failed {
    Set<String> applied = new HashSet<>();
    int schemaVersion = 0;
    boolean exists = false;
    if (has(connection, "databasechangelog")) {
      try (PreparedStatement statement =
              connection.prepareStatement("SELECT id FROM databasechangelog");
          ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          applied.add(row.getString(1));
        }
      }
    }
    if (has(connection, "wovyr_store")) {
      try (PreparedStatement statement =
              connection.prepareStatement(
                  "SELECT schema_version, format_version FROM wovyr_store");
          ResultSet row = statement.executeQuery()) {
        exists = row.next();
        if (exists) {
          schemaVersion = row.getInt(1);
          StoreCheck.checkVersion(settings.migrationLogin().place(), schemaVersion, row.getInt(2));
        }
      }
    }
    return new Status(exists, schemaVersion, StoreCheck.SCHEMA_VERSION, CHANGELOG.pending(applied));
  }

  private static boolean has(Connection connection, String table) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT to_regclass(?::text) IS NOT NULL")) {
      statement.setString(1, table);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }

  @Override
  public Status migrate(Map<String, String> settings, Consumer<String> progress) {
    PostgresqlSettings read = PostgresqlSettings.of(settings);
    return run(
        read,
        connection -> {
          // First of all, before anything is touched: a newer store is refused as it is.
          status(read, connection);
          MigrationLock.acquire(
              connection,
              read.migrationLogin().place(),
              Deadline.after(read.migrateWait()),
              progress);
          if (!status(read, connection).pending().isEmpty()) {
            update(connection, progress);
          }
          grant(read, connection);
          return status(read, connection);
        });
  }

  private static void update(Connection connection, Consumer<String> progress)
      throws SQLException, Changelog.Failed {
    try {
      CHANGELOG.update(connection, progress);
    } catch (Changelog.Failed | RuntimeException e) {
      try {
        endTransaction(connection);
      } catch (SQLException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
    endTransaction(connection);
  }

  /** Liquibase leaves a transaction open. */
  private static void endTransaction(Connection connection) throws SQLException {
    if (!connection.getAutoCommit()) {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  private static void grant(PostgresqlSettings settings, Connection connection)
      throws SQLException {
    connection.setAutoCommit(false);
    try (PreparedStatement settingsOfRights =
            connection.prepareStatement(
                "SELECT set_config('wovyr.role_prefix', ?, true),"
                    + " set_config('wovyr.removed_by_batches', ?, true),"
                    + " set_config('wovyr.removed_by_purges', ?, true)");
        Statement rights = connection.createStatement()) {
      settingsOfRights.setString(1, settings.rolePrefix());
      settingsOfRights.setString(2, String.join(",", Rights.BY_BATCH));
      settingsOfRights.setString(3, String.join(",", Rights.BY_PURGE));
      settingsOfRights.execute();
      rights.execute(rights());
      connection.commit();
    } finally {
      endTransaction(connection);
    }
  }

  private static String rights() {
    try (InputStream in =
        Objects.requireNonNull(PostgresqlMigrator.class.getResourceAsStream(RIGHTS), RIGHTS)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(RIGHTS + " cannot be read", e);
    }
  }

  /** Names of the steps, for tests. */
  static List<String> steps() throws Changelog.Failed {
    return CHANGELOG.steps();
  }
}
