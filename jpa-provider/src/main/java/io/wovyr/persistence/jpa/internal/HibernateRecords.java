/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.internal;

import io.wovyr.persistence.jpa.entity.Entities;
import io.wovyr.persistence.storage.spi.Row;
import jakarta.persistence.PersistenceException;
import java.sql.Connection;
import java.sql.SQLException;
import org.hibernate.SessionFactory;
import org.hibernate.StaleStateException;
import org.hibernate.StatelessSession;
import org.hibernate.Transaction;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/**
 * Changes of rows through Hibernate: a {@link StatelessSession} of the tenant on the connection of
 * the running transaction, so that nothing is cached and every statement is sent at once. Closing
 * it leaves the connection open.
 */
public final class HibernateRecords implements AutoCloseable {
  private final StatelessSession session;
  private @Nullable Transaction transaction;
  private final Failures failures;

  public HibernateRecords(
      SessionFactory factory, Connection connection, Failures failures, String tenantId) {
    session =
        factory
            .withStatelessOptions()
            .connection(connection)
            .tenantIdentifier((Object) tenantId)
            .openStatelessSession();
    this.failures = failures;
  }

  private interface Work<T> {
    T run();
  }

  private static <T> T unwrapped(Work<T> work) throws SQLException {
    try {
      return work.run();
    } catch (PersistenceException e) {
      throw cause(e);
    }
  }

  /** What lies below Hibernate's exception: the database's error, or one of ours. */
  private static SQLException cause(PersistenceException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException found) {
        return found;
      }
      if (cause instanceof io.wovyr.persistence.PersistenceException ours) {
        throw ours;
      }
    }
    throw e;
  }

  /** As {@link Records#insert}. */
  public boolean insert(Row row) throws SQLException {
    return applied(() -> session.insert(Entities.of(row.type()).entity(row, row.version())));
  }

  /** As {@link Records#update}. */
  public boolean update(Row before, Row after) throws SQLException {
    return applied(() -> session.update(Entities.of(after.type()).entity(after, before.version())));
  }

  /** As {@link Records#delete}. */
  public boolean delete(Row before) throws SQLException {
    return applied(
        () -> session.delete(Entities.of(before.type()).entity(before, before.version())));
  }

  private boolean applied(Runnable change) throws SQLException {
    try {
      change.run();
      return true;
    } catch (StaleStateException e) {
      return false;
    } catch (PersistenceException e) {
      SQLException cause = cause(e);
      if (failures.taken(cause)) {
        return false;
      }
      throw cause;
    }
  }

  /**
   * Tells Hibernate of the running transaction, which is what history is bound to. Sends nothing.
   */
  public void joinTransaction() {
    transaction = session.beginTransaction();
  }

  /** Writes the revision and the history of what was changed; nothing where there is none. */
  public void writeHistory() throws SQLException {
    unwrapped(
        () -> {
          ((SharedSessionContractImplementor) session).beforeTransactionCompletion();
          return true;
        });
  }

  /** Tells Hibernate that somebody else has committed the transaction. Sends nothing. */
  public void leaveCommitted() {
    Transaction joined = transaction;
    transaction = null;
    if (joined != null) {
      joined.commit();
    }
  }

  /** Rolls a joined transaction back that is still there, and closes the session. */
  @Override
  public void close() {
    Transaction joined = transaction;
    transaction = null;
    try {
      if (joined != null) {
        joined.rollback();
      }
    } catch (PersistenceException e) {
      // The connection is lost: whoever uses it next is told by the driver itself.
    } finally {
      session.close();
    }
  }
}
