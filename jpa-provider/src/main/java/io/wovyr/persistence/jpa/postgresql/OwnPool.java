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

/** A pool of our own, filled when connections are needed. Thread-safe. */
final class OwnPool implements Pool {
  private final String name;
  private final int most;
  private final ServerSource source;
  private final PostgresqlErrors errors;
  private volatile @Nullable HikariDataSource pool;
  private volatile boolean probed;
  private volatile boolean closed;

  OwnPool(String name, int most, ServerSource source, PostgresqlErrors errors) {
    this.name = name;
    this.most = most;
    this.source = source;
    this.errors = errors;
  }

  @Override
  public void probe() {
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

  @Override
  public Connection borrow(Deadline deadline) {
    probeOnce();
    Connection connection;
    try {
      HikariPool connections = (HikariPool) pool().getHikariPoolMXBean();
      connection = connections.getConnection(Pool.millis(deadline.remaining()));
    } catch (SQLException e) {
      throw noConnection(e);
    }
    try {
      connection.setNetworkTimeout(Runnable::run, Pool.networkMillis(deadline));
      return connection;
    } catch (SQLException e) {
      giveBack(connection, false);
      throw errors.beforeCommit(e);
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

  @Override
  public boolean reset(Connection connection) {
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

  @Override
  public void lost() {
    HikariDataSource open = pool;
    if (open != null) {
      ((HikariPool) open.getHikariPoolMXBean()).softEvictConnections();
    }
  }

  @Override
  public void giveBack(Connection connection, boolean healthy) {
    HikariDataSource open = pool;
    if (!healthy && open != null) {
      open.evictConnection(connection);
    }
    Pool.close(connection);
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
