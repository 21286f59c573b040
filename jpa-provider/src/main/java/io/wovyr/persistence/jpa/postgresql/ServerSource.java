/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.PersistenceException;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * Opens connections to the server and prepares each: the settings our statements rely on, and a
 * look at who and what we are connected to. Thread-safe.
 */
final class ServerSource implements DataSource {
  /**
   * Every statement of ours goes by an index; a plan made while a table was empty must too, for it
   * is kept when the table grows. Nothing of a dead or stalled client is kept for long.
   */
  private static final String SESSION =
      "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;"
          + " SET enable_bitmapscan = off; SET enable_sort = off; SET jit = off;"
          + " SET plan_cache_mode = force_generic_plan;"
          + " SET default_transaction_isolation = 'read committed';"
          + " SET default_transaction_deferrable = off;"
          + " SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5;"
          + " SET tcp_keepalives_count = 3; SET client_min_messages = error;"
          + " SET idle_in_transaction_session_timeout = ";

  private final Login login;
  private final Duration connectTimeout;
  private final Duration idleInTransaction;
  private final Look look;

  /** Looks at a new connection before it is used, and may refuse it. */
  interface Look {
    void at(Connection connection) throws SQLException;

    /** As {@link #at}, inside a transaction of somebody else: nothing is written. */
    default void within(Connection connection) throws SQLException {
      at(connection);
    }
  }

  ServerSource(Login login, Duration connectTimeout, Duration idleInTransaction, Look look) {
    this.login = login;
    this.connectTimeout = connectTimeout;
    this.idleInTransaction = idleInTransaction;
    this.look = look;
  }

  @Override
  public Connection getConnection() throws SQLException {
    Connection connection = connect(login, connectTimeout);
    try {
      try (java.sql.Statement statement = connection.createStatement()) {
        statement.execute(SESSION + idleInTransaction.toMillis());
      }
      look.at(connection);
      return connection;
    } catch (PersistenceException e) {
      close(connection);
      throw new SetupFailure(e);
    } catch (SQLException | RuntimeException e) {
      close(connection);
      throw e;
    }
  }

  /** A plain connection, nothing set. */
  static Connection connect(Login login, Duration connectTimeout) throws SQLException {
    Properties properties;
    try {
      properties = login.properties();
    } catch (PersistenceException e) {
      throw new SetupFailure(e);
    }
    long seconds = Math.max(1, connectTimeout.toSeconds());
    set(properties, PGProperty.CONNECT_TIMEOUT, seconds);
    set(properties, PGProperty.LOGIN_TIMEOUT, seconds + 1);
    set(properties, PGProperty.TCP_KEEP_ALIVE, true);
    set(properties, PGProperty.PREPARE_THRESHOLD, 1);
    set(properties, PGProperty.PREPARED_STATEMENT_CACHE_QUERIES, 512);
    set(properties, PGProperty.PREPARED_STATEMENT_CACHE_SIZE_MIB, 16);
    set(properties, PGProperty.ASSUME_MIN_SERVER_VERSION, "13");
    set(properties, PGProperty.APPLICATION_NAME, "wovyr " + login.role());
    Connection connection = new Driver().connect(login.url(), properties);
    if (connection == null) {
      throw new SQLException("not a URL of the PostgreSQL driver", "08001");
    }
    return connection;
  }

  private static void set(Properties properties, PGProperty property, Object value) {
    properties.setProperty(property.getName(), String.valueOf(value));
  }

  private static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      // What made it fail is on its way to the caller.
    }
  }

  @Override
  public Connection getConnection(@Nullable String user, @Nullable String password)
      throws SQLException {
    throw new SQLFeatureNotSupportedException("who connects is part of the settings");
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) {}

  @Override
  public void setLoginTimeout(int seconds) {}

  /** So long the pool waits for a connection that is being opened when it is closed. */
  @Override
  public int getLoginTimeout() {
    return (int) connectTimeout.toSeconds() + 1;
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getLogger(ServerSource.class.getName());
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("nothing to unwrap");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
