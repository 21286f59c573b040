/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import io.wovyr.persistence.jpa.internal.StatementCache;
import io.wovyr.persistence.storage.spi.Deadline;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.ProgressHandler;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteOpenMode;

/**
 * A connection with our pragmas, explicit transactions and a deadline. Not thread-safe.
 *
 * <p>The driver's own transactions are not used: leaving auto-commit mode it would begin the next
 * transaction, and with it take the write lock, right after each commit.
 */
final class SqliteConnection implements AutoCloseable {
  /** How often a running statement looks at its deadline, in virtual machine steps (about 1 ms). */
  private static final int STEPS_PER_LOOK = 50_000;

  private static final String BEGIN = "BEGIN";
  private static final String BEGIN_IMMEDIATE = "BEGIN IMMEDIATE";
  private static final String COMMIT = "COMMIT";
  private static final String ROLLBACK = "ROLLBACK";
  private static final String SAVEPOINT = "SAVEPOINT batch";
  private static final String RELEASE = "RELEASE batch";
  private static final String ROLLBACK_TO = "ROLLBACK TO batch";

  /** Page cache of each connection, in KiB: enough for the upper levels of all indexes. */
  private static final int CACHE_KIB = 8_192;

  /** The log file is cut back to this many bytes after a checkpoint. */
  private static final int WAL_LIMIT_BYTES = 64 << 20;

  /** Where JDBC connections come from: the driver, or in tests something that stands before it. */
  interface Source {
    /** The driver. */
    Source DRIVER = (path, config) -> config.createConnection("jdbc:sqlite:" + path);

    Connection open(Path path, SQLiteConfig config) throws SQLException;
  }

  private final Connection connection;
  private final SQLiteConnection driver;
  private final StatementCache statements;
  private final int busyMillis;
  private int currentBusyMillis;
  private long until;

  private SqliteConnection(Connection connection, int busyMillis) throws SQLException {
    this.connection = connection;
    driver = connection.unwrap(SQLiteConnection.class);
    this.busyMillis = busyMillis;
    currentBusyMillis = busyMillis;
    until = System.nanoTime() + Long.MAX_VALUE / 2;
    statements = new StatementCache(connection);
    ProgressHandler.setHandler(
        driver,
        STEPS_PER_LOOK,
        new ProgressHandler() {
          @Override
          protected int progress() {
            return until - System.nanoTime() <= 0 ? 1 : 0;
          }
        });
  }

  /** The connection that writes. */
  static SqliteConnection writer(SqliteSettings settings, Source source) throws SQLException {
    SQLiteConfig config = config(settings);
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    return open(settings, config, source);
  }

  /** A connection that cannot write. */
  static SqliteConnection reader(SqliteSettings settings, Source source) throws SQLException {
    SqliteConnection reader = open(settings, config(settings), source);
    try {
      reader.run("PRAGMA query_only = ON");
      return reader;
    } catch (SQLException e) {
      reader.close();
      throw e;
    }
  }

  private static SQLiteConfig config(SqliteSettings settings) {
    SQLiteConfig config = new SQLiteConfig();
    // Never create the file: an absent store is an error, and the migrator's business.
    config.resetOpenMode(SQLiteOpenMode.CREATE);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    config.setBusyTimeout((int) settings.busyTimeout().toMillis());
    config.enforceForeignKeys(true);
    // Without it INSERT OR REPLACE would remove rows past the triggers that forbid it.
    config.enableRecursiveTriggers(true);
    // Nobody asks for generated keys; the driver would query them after every insert.
    config.setGetGeneratedKeys(false);
    config.setTempStore(SQLiteConfig.TempStore.MEMORY);
    config.setCacheSize(-CACHE_KIB);
    config.setJournalSizeLimit(WAL_LIMIT_BYTES);
    return config;
  }

  private static SqliteConnection open(SqliteSettings settings, SQLiteConfig config, Source source)
      throws SQLException {
    Connection connection = source.open(settings.path(), config);
    try {
      SqliteConnection opened =
          new SqliteConnection(connection, (int) settings.busyTimeout().toMillis());
      connection.setAutoCommit(false);
      opened.run(ROLLBACK);
      return opened;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  Connection jdbc() {
    return connection;
  }

  StatementCache statements() {
    return statements;
  }

  /** What runs from now on ends at this deadline, and waits for other processes until then. */
  void deadline(Deadline deadline) throws SQLException {
    deadline(deadline, busyMillis);
  }

  /** Likewise, but one statement waits for another process at most so long. */
  void deadline(Deadline deadline, int waitMillis) throws SQLException {
    until = deadline.nanoTime();
    int wanted = (int) Math.max(1, Math.min(waitMillis, deadline.remaining().toMillis()));
    if (wanted != currentBusyMillis) {
      driver.getDatabase().busy_timeout(wanted);
      currentBusyMillis = wanted;
    }
  }

  private void execute(String sql) throws SQLException {
    statements.get(sql).execute();
  }

  /** Begins a snapshot for reading. */
  void beginRead() throws SQLException {
    execute(BEGIN);
  }

  /** Begins a transaction and takes the write lock. */
  void beginWrite() throws SQLException {
    execute(BEGIN_IMMEDIATE);
  }

  void commit() throws SQLException {
    execute(COMMIT);
  }

  /** Begins a part that can be undone on its own. */
  void savepoint() throws SQLException {
    execute(SAVEPOINT);
  }

  /** Ends such a part, keeping it or not. */
  void endSavepoint(boolean keep) throws SQLException {
    if (!keep) {
      execute(ROLLBACK_TO);
    }
    execute(RELEASE);
  }

  /**
   * Ends the transaction, whatever state it is in.
   *
   * @return false when the connection cannot be used any more
   */
  boolean rollback() {
    until = System.nanoTime() + Long.MAX_VALUE / 2;
    try {
      execute(ROLLBACK);
      return true;
    } catch (SQLException e) {
      // After some errors SQLite has rolled back by itself, and says that there is no transaction.
      statements.discard(ROLLBACK);
      return probe();
    }
  }

  private boolean probe() {
    try {
      execute(BEGIN);
      execute(ROLLBACK);
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  void run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      // Nothing of ours is open on it; the operating system takes the rest back.
    }
  }
}
