/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.storage.spi.Deadline;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The connections of one role. Nothing of a tenant stays on one: its name is set within the
 * transaction that needs it and goes with it. Work runs in transactions of its own, whatever
 * transaction the calling thread is in. Thread-safe.
 */
final class Connections implements AutoCloseable {
  private final Pool pool;
  private final PostgresqlErrors errors;
  private final Rights rights;

  Connections(Pool pool, PostgresqlErrors errors, Rights rights) {
    this.pool = pool;
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
    try (Pool.Apart apart = pool.apart()) {
      pool.probe();
    }
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
    if (deadline.isOver()) {
      throw new Unavailable("the deadline was over before anything was sent", null);
    }
    try (Pool.Apart apart = pool.apart()) {
      return on(pool.borrow(deadline), work);
    }
  }

  private <T> T on(Connection connection, Work<T> work) throws SQLException {
    boolean healthy = false;
    try {
      T result = work.run(connection);
      healthy = true;
      return result;
    } catch (SQLException e) {
      boolean lost = PostgresqlErrors.connectionLost(e);
      if (lost) {
        pool.lost();
      }
      healthy = !lost && pool.reset(connection);
      throw healthy ? named(connection, e) : e;
    } catch (RuntimeException e) {
      healthy = pool.reset(connection);
      throw e;
    } finally {
      pool.giveBack(connection, healthy);
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

  @Override
  public void close() {
    pool.close();
  }
}
