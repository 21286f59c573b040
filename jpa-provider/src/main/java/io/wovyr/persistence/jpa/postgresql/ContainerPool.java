/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.storage.spi.Deadline;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connections of a DataSource of the container. Its pool is the container's, and so are its
 * sessions: what our statements need is set for each transaction, and every session is looked at
 * once and then bears a mark in its {@code application_name}, which the driver knows without asking
 * the server. Our transactions are never part of one that the calling thread is in. Thread-safe.
 */
final class ContainerPool implements Pool {
  /** Of this copy of the program: another's look at a session is not ours. */
  private static final String COPY = UUID.randomUUID().toString().substring(0, 8);

  private static final String APPLICATION_NAME = "ApplicationName";
  private static final String SESSION =
      "SELECT current_setting('application_name'), current_setting('default_transaction_isolation')";
  private static final String BEGUN = "SELECT transaction_timestamp()::text";
  private static final String SET_MARK = "SELECT set_config('application_name', ?, false)";

  private final ContainerSource source;
  private final DataSource dataSource;
  private final Optional<JtaTransactions> transactions;
  private final ServerSource.Look look;
  private final PostgresqlErrors errors;
  private final String mark;
  private volatile int networkTimeout;
  private volatile boolean closed;
  private volatile boolean autoCommitSaysNothing;

  /**
   * @param transactions of the container, which the calling thread may be in
   * @param look looks at each session once
   */
  ContainerPool(
      ContainerSource source,
      DataSource dataSource,
      Optional<JtaTransactions> transactions,
      ServerSource.Look look,
      PostgresqlErrors errors) {
    this.source = source;
    this.dataSource = dataSource;
    this.transactions = transactions;
    this.look = look;
    this.errors = errors;
    this.mark = "wovyr " + source.role() + " " + COPY;
  }

  PostgresqlErrors errors() {
    return errors;
  }

  @Override
  public void probe() {
    Connection connection = connect();
    try {
      // Whatever its mark says: this store is to be told where it is.
      isMarked(connection);
      lookAndMark(connection);
    } catch (SQLException e) {
      throw errors.beforeCommit(e);
    } finally {
      Pool.close(connection);
    }
  }

  @Override
  public @Nullable Apart apart() {
    return transactions.map(JtaTransactions::suspend).orElse(null);
  }

  @Override
  public Connection borrow(Deadline deadline) {
    if (closed) {
      throw new Unavailable("the store is closed", null);
    }
    Connection connection = connect();
    boolean good = false;
    try {
      if (deadline.isOver()) {
        throw new Unavailable(
            "there was a connection only when the deadline was over: retry, or raise "
                + source.limit(),
            null);
      }
      networkTimeout = connection.getNetworkTimeout();
      connection.setNetworkTimeout(Runnable::run, Pool.networkMillis(deadline));
      check(connection);
      good = true;
      return connection;
    } catch (SQLException e) {
      throw errors.beforeCommit(e);
    } finally {
      if (!good) {
        giveBack(connection, true);
      }
    }
  }

  private Connection connect() {
    Connection connection;
    try {
      connection = dataSource.getConnection();
    } catch (SQLException e) {
      throw noConnection(e);
    }
    try {
      if (connection.getAutoCommit()) {
        return connection;
      }
    } catch (SQLException e) {
      Pool.close(connection);
      throw errors.beforeCommit(e);
    }
    // In a transaction that is not ours nothing could be called committed.
    Pool.close(connection);
    throw Unavailable.lasting(
        "%s gave a connection that is in a transaction of the container, or has auto-commit off, and no transaction manager was found to suspend it by: give one to PostgresqlStorageProvider, or use a DataSource outside of JTA"
            .formatted(source.toCheck()),
        null);
  }

  /** What lies below the container's own words: what driver or server said. */
  private PersistenceException noConnection(SQLException e) {
    if (Thread.currentThread().isInterrupted()) {
      return new Unavailable("interrupted before anything was sent", e);
    }
    SQLException said = null;
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException found && PostgresqlErrors.isAnswered(found)) {
        said = found;
      }
    }
    return said != null
        ? errors.beforeCommit(said)
        : new Unavailable(
            "%s gave no connection; if all were in use, raise %s: %s"
                .formatted(source.toCheck(), source.limit(), e.getMessage()),
            e);
  }

  /**
   * Looks at a session that nobody looked at yet.
   *
   * @throws PersistenceException saying what is wrong with it
   */
  void check(Connection connection) {
    try {
      if (!mark.equals(connection.getClientInfo(APPLICATION_NAME)) && !isMarked(connection)) {
        lookAndMark(connection);
      }
    } catch (SQLException e) {
      throw errors.beforeCommit(e);
    }
  }

  private void lookAndMark(Connection connection) throws SQLException {
    look.at(connection);
    try (PreparedStatement statement = connection.prepareStatement(SET_MARK)) {
      statement.setString(1, mark);
      statement.execute();
    }
  }

  /**
   * Whether connections become part of the transaction that the calling thread is in. Those of Open
   * Liberty say that they have auto-commit then too; so two statements of such a one are asked when
   * their transaction began.
   *
   * @throws Rejected when the container refuses
   */
  boolean joins() {
    Connection connection = connectWithin();
    try {
      if (!connection.getAutoCommit()) {
        return true;
      }
      autoCommitSaysNothing = begun(connection).equals(begun(connection));
      return autoCommitSaysNothing;
    } catch (SQLException e) {
      throw errors.beforeCommit(e);
    } finally {
      Pool.close(connection);
    }
  }

  private static String begun(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(BEGUN);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getString(1);
    }
  }

  private Connection connectWithin() {
    if (closed) {
      throw new Unavailable("the store is closed", null);
    }
    try {
      return dataSource.getConnection();
    } catch (SQLException e) {
      throw refusesToJoin(e) ? notJoined(e) : noConnection(e);
    }
  }

  /**
   * A connection that is part of the transaction the calling thread is in. Where its auto-commit
   * says nothing, what is written begins with a savepoint, which is refused outside of one.
   *
   * @throws Rejected when the container does not make it part of that
   */
  Connection join() {
    Connection connection = connectWithin();
    boolean joined = false;
    try {
      joined = autoCommitSaysNothing || !connection.getAutoCommit();
      if (joined) {
        return connection;
      }
      throw notJoined(null);
    } catch (SQLException e) {
      throw errors.beforeCommit(e);
    } finally {
      if (!joined) {
        Pool.close(connection);
      }
    }
  }

  /** As every container says it in its own words. */
  private static boolean refusesToJoin(SQLException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      String said = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
      if (said.contains("enlist")) {
        return true;
      }
    }
    return false;
  }

  private Rejected notJoined(@Nullable SQLException e) {
    return new Rejected(
        "connections of %s cannot be part of the caller's JTA transaction: nothing was written. Where another DataSource is part of it already, both have to be XA, or be the same one; set wovyr.storage.jta-datasource to the DataSource of the application"
            .formatted(source.toCheck()),
        e);
  }

  /**
   * Looks at a session that is part of a transaction of the caller's, if nobody looked at it yet.
   *
   * @throws PersistenceException saying what is wrong with it; the transaction goes on
   */
  void checkJoined(Connection connection) throws SQLException {
    if (mark.equals(connection.getClientInfo(APPLICATION_NAME)) || isMarked(connection)) {
      return;
    }
    look.within(connection);
    try (PreparedStatement statement = connection.prepareStatement(SET_MARK)) {
      statement.setString(1, mark);
      statement.execute();
    }
  }

  private boolean isMarked(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SESSION);
        ResultSet row = statement.executeQuery()) {
      row.next();
      if (!row.getString(2).equals("read committed")) {
        throw new InvalidInput(
            "connections of %s have the isolation '%s': set it to read committed, which the locks of this library are made for"
                .formatted(source.toCheck(), row.getString(2)));
      }
      return mark.equals(row.getString(1));
    }
  }

  @Override
  public boolean reset(Connection connection) {
    try {
      if (!connection.getAutoCommit()) {
        connection.rollback();
        connection.setAutoCommit(true);
      }
      try (Statement statement = connection.createStatement()) {
        statement.execute("ROLLBACK");
      }
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  /** The container looks at its connections itself. */
  @Override
  public void lost() {}

  @Override
  public void giveBack(Connection connection, boolean healthy) {
    try {
      if (healthy) {
        connection.setNetworkTimeout(Runnable::run, networkTimeout);
      } else {
        connection.abort(Runnable::run);
      }
    } catch (SQLException e) {
      // The container finds out by itself, when it looks at the connection.
    }
    Pool.close(connection);
  }

  @Override
  public void close() {
    closed = true;
  }
}
