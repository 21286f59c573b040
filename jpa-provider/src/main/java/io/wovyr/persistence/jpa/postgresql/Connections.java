/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.storage.spi.Deadline;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * The pooled connections of one role, opened when they are needed. Nothing of a tenant stays on
 * one: its name is set within the transaction that needs it and goes with it. Thread-safe.
 */
final class Connections implements AutoCloseable {
  /** The server's own limits strike first; this is for a network that swallows everything. */
  private static final Duration GRACE = Duration.ofMillis(500);

  private final String name;
  private final int most;
  private final ServerSource source;
  private final PostgresqlErrors errors;
  private final Rights rights;
  private volatile @Nullable HikariDataSource pool;
  private volatile boolean probed;
  private volatile boolean closed;

  Connections(String name, int most, ServerSource source, PostgresqlErrors errors, Rights rights) {
    this.name = name;
    this.most = most;
    this.source = source;
    this.errors = errors;
    this.rights = rights;
  }

  /** What is done on a connection, in one transaction that it ends itself. */
  interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  PostgresqlErrors errors() {
    return errors;
  }

  /** Opens one connection and closes it again, to be told at once what is wrong. */
  void probe() {
    try {
      source.getConnection().close();
      probed = true;
    } catch (SQLException e) {
      throw errors.beforeCommit(e);
    }
  }

  /**
   * The pool tries until the deadline, which is right where a server comes back. Who is refused the
   * first time this role is used is told so at once.
   */
  private void probeOnce() {
    if (probed) {
      return;
    }
    try {
      source.getConnection().close();
    } catch (SQLException e) {
      if (errors.refused(e)) {
        throw errors.beforeCommit(e);
      }
      return;
    }
    probed = true;
  }

  /**
   * Runs what reads, or otherwise commits nothing. Where its connection turns out to be lost, as
   * all that were open do after a failover, it runs once more on a new one.
   */
  <T> T read(Deadline deadline, Work<T> work) {
    try {
      return run(deadline, work);
    } catch (SQLException e) {
      if (!PostgresqlErrors.connectionLost(e) || deadline.isOver()) {
        throw errors.beforeCommit(e);
      }
    }
    try {
      return run(deadline, work);
    } catch (SQLException e) {
      throw errors.beforeCommit(e);
    }
  }

  /**
   * Runs work on a connection. What it leaves open when it throws is rolled back; a connection that
   * cannot even do that is closed, and with one that was lost all that wait for work: what took it
   * took them too.
   *
   * @throws Unavailable when there is no connection by the deadline
   * @throws SQLException as the work, and only as the work: then something was sent
   */
  <T> T run(Deadline deadline, Work<T> work) throws SQLException {
    Connection connection = borrow(deadline);
    boolean healthy = false;
    try {
      connection.setNetworkTimeout(Runnable::run, millis(deadline.remaining().plus(GRACE)));
      T result = work.run(connection);
      healthy = true;
      return result;
    } catch (SQLException e) {
      boolean lost = PostgresqlErrors.connectionLost(e);
      if (lost) {
        closeIdle();
      }
      healthy = !lost && isReset(connection);
      throw healthy ? named(connection, e) : e;
    } catch (RuntimeException e) {
      healthy = isReset(connection);
      throw e;
    } finally {
      giveBack(connection, healthy);
    }
  }

  /** Where a right was missing: says which, as the server does not. */
  private SQLException named(Connection connection, SQLException e) {
    if (PostgresqlErrors.rightMissing(e)) {
      try {
        return rights
            .lacking(connection)
            .<SQLException>map(failure -> new SetupFailure(failure, e))
            .orElse(e);
      } catch (SQLException again) {
        e.addSuppressed(again);
      }
    }
    return e;
  }

  private static boolean isReset(Connection connection) {
    try {
      if (!connection.getAutoCommit()) {
        connection.rollback();
        connection.setAutoCommit(true);
      } else if (connection.unwrap(BaseConnection.class).getTransactionState()
          != TransactionState.IDLE) {
        try (Statement statement = connection.createStatement()) {
          statement.execute("ROLLBACK");
        }
      }
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  private static int millis(Duration duration) {
    return (int) Math.min(Integer.MAX_VALUE, Math.max(1, duration.toMillis()));
  }

  private Connection borrow(Deadline deadline) {
    if (deadline.isOver()) {
      throw new Unavailable("the deadline was over before anything was sent", null);
    }
    probeOnce();
    try {
      HikariPool connections = (HikariPool) pool().getHikariPoolMXBean();
      return connections.getConnection(millis(deadline.remaining()));
    } catch (SQLException e) {
      throw noConnection(e);
    }
  }

  private PersistenceException noConnection(SQLException e) {
    if (Thread.currentThread().isInterrupted()) {
      return new Unavailable("interrupted before anything was sent", e);
    }
    Throwable cause = e.getCause();
    return cause instanceof SQLException failed
        ? errors.beforeCommit(failed)
        : new Unavailable(
            "all %d connections of the %s role were in use until the deadline, or none could be opened:"
                    .formatted(most, name)
                + " retry, or raise wovyr.storage.connections",
            e);
  }

  /** Without a lock once it is open: every call comes by here, and one that waits holds up all. */
  private HikariDataSource pool() {
    HikariDataSource open = pool;
    return open == null || closed ? open() : open;
  }

  private synchronized HikariDataSource open() {
    if (closed) {
      throw new Unavailable("the store is closed", null);
    }
    HikariDataSource open = pool;
    if (open == null) {
      open = new HikariDataSource(configuration());
      pool = open;
    }
    return open;
  }

  private HikariConfig configuration() {
    HikariConfig configuration = new HikariConfig();
    configuration.setPoolName("wovyr-postgresql-" + name);
    configuration.setDataSource(source);
    configuration.setMaximumPoolSize(most);
    // What the pool would ask its first connection for; without an answer it takes none ever after.
    configuration.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    configuration.setMinimumIdle(0);
    configuration.setIdleTimeout(Duration.ofMinutes(5).toMillis());
    configuration.setKeepaliveTime(Duration.ofMinutes(2).toMillis());
    configuration.setConnectionTimeout(Duration.ofSeconds(30).toMillis());
    configuration.setValidationTimeout(Duration.ofSeconds(1).toMillis());
    // The first caller is told what is wrong, not the one who makes the pool.
    configuration.setInitializationFailTimeout(-1);
    return configuration;
  }

  private void closeIdle() {
    HikariDataSource open = pool;
    if (open != null) {
      ((HikariPool) open.getHikariPoolMXBean()).softEvictConnections();
    }
  }

  private void giveBack(Connection connection, boolean healthy) {
    HikariDataSource open = pool;
    if (!healthy && open != null) {
      open.evictConnection(connection);
    }
    try {
      connection.close();
    } catch (SQLException e) {
      // It is gone either way.
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    HikariDataSource open = pool;
    if (open != null) {
      open.close();
    }
  }
}
