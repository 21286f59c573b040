/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.jpa.internal.Backoff;
import io.wovyr.persistence.storage.spi.Deadline;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Connections that read beside the writer, opened when they are first needed. A read sees
 * everything committed before it began, by any process. Thread-safe.
 */
final class Readers implements AutoCloseable {
  private final SqliteSettings settings;
  private final SqliteErrors errors;
  private final SqliteConnection.Source source;
  private final Semaphore permits;
  private final ConcurrentLinkedDeque<SqliteConnection> idle = new ConcurrentLinkedDeque<>();
  private volatile boolean closed;

  Readers(SqliteSettings settings, SqliteErrors errors, SqliteConnection.Source source) {
    this.settings = settings;
    this.source = source;
    this.errors = errors;
    permits = new Semaphore(settings.readConnections());
  }

  /** What is read. */
  interface Work<T> {
    T run(SqliteConnection connection) throws SQLException;
  }

  /** Runs a single statement. */
  <T> T read(Deadline deadline, Work<T> work) {
    acquire(deadline);
    try {
      Backoff backoff = new Backoff();
      while (true) {
        try {
          return attempt(deadline, work);
        } catch (SQLException e) {
          // Rare: another process recovers the log of one that was killed.
          if (!SqliteErrors.busy(e) || deadline.isOver()) {
            throw errors.beforeCommit(e);
          }
          backoff.pause(deadline);
        }
      }
    } finally {
      permits.release();
    }
  }

  /** Runs several statements that all see the same instant. */
  <T> T snapshot(Deadline deadline, Work<T> work) {
    return read(
        deadline,
        connection -> {
          connection.beginRead();
          try {
            return work.run(connection);
          } finally {
            connection.rollback();
          }
        });
  }

  private void acquire(Deadline deadline) {
    try {
      if (!permits.tryAcquire(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS)) {
        throw new Unavailable(
            "all "
                + settings.readConnections()
                + " read connections were in use until the deadline:"
                + " retry, or raise wovyr.storage.read-connections",
            null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Unavailable("interrupted while waiting to read", e);
    }
  }

  private <T> T attempt(Deadline deadline, Work<T> work) throws SQLException {
    if (closed) {
      throw new Unavailable("the store is closed", null);
    }
    if (deadline.isOver()) {
      throw new Unavailable("the deadline was over before anything was read", null);
    }
    SqliteConnection reading = idle.pollFirst();
    if (reading == null) {
      reading = SqliteConnection.reader(settings, source);
    }
    boolean healthy = false;
    try {
      reading.deadline(deadline);
      T result = work.run(reading);
      healthy = true;
      return result;
    } finally {
      giveBack(reading, healthy);
    }
  }

  private void giveBack(SqliteConnection reading, boolean healthy) {
    if (!healthy) {
      reading.close();
      return;
    }
    idle.addFirst(reading);
    if (closed) {
      closeIdle();
    }
  }

  private void closeIdle() {
    for (SqliteConnection one = idle.pollFirst(); one != null; one = idle.pollFirst()) {
      one.close();
    }
  }

  @Override
  public void close() {
    closed = true;
    closeIdle();
  }
}
