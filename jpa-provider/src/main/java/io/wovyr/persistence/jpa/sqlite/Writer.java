/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.jpa.internal.Backoff;
import io.wovyr.persistence.storage.spi.Deadline;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The one connection of this process that writes, used by one thread at a time. A transaction
 * begins IMMEDIATE, so that it never finds out in the middle that it may not write; when another
 * process has the lock, the whole transaction is tried again, with full jitter, until the deadline.
 * Thread-safe.
 */
final class Writer implements AutoCloseable {
  /**
   * One try to begin waits this long inside SQLite. Short, because SQLite's own waiting grows to
   * 100 ms a step, during which a busy neighbour gets the lock over and over again.
   */
  private static final int SLICE_MILLIS = 10;

  private final SqliteSettings settings;
  private final SqliteErrors errors;
  private final SqliteConnection.Source source;
  private final WriteLock lock = new WriteLock();
  private @Nullable SqliteConnection connection;
  private boolean closed;

  Writer(SqliteSettings settings, SqliteErrors errors, SqliteConnection.Source source) {
    this.settings = settings;
    this.source = source;
    this.errors = errors;
  }

  /** What happens inside a transaction. */
  interface Work<T> {
    /** Runs from the start again when the database was busy. */
    Result<T> run(SqliteConnection connection) throws SQLException;
  }

  /**
   * What came out of it.
   *
   * @param commit false: nothing is kept
   */
  record Result<T>(T value, boolean commit) {}

  /** What happens without a transaction. */
  interface Check {
    void run(SqliteConnection connection) throws SQLException;
  }

  /** Opens the connection before it is needed, and looks at it. */
  void open(Deadline deadline, Check check) {
    lock.acquire(deadline);
    try {
      check.run(connection());
    } catch (SQLException e) {
      throw errors.beforeCommit(e);
    } finally {
      lock.release();
    }
  }

  /** Runs {@code work} in a transaction. What it throws is thrown after a rollback. */
  <T> T transaction(Deadline deadline, Work<T> work) {
    lock.acquire(deadline);
    try {
      Backoff backoff = new Backoff();
      while (true) {
        try {
          return attempt(deadline, work);
        } catch (Busy e) {
          backoff.pause(deadline);
          if (deadline.isOver()) {
            throw errors.beforeCommit(e.cause);
          }
        }
      }
    } finally {
      lock.release();
    }
  }

  /** The database was busy: nothing was written, and trying again is worth it. */
  private static final class Busy extends Exception {
    private static final long serialVersionUID = 1L;
    private final SQLException cause;

    Busy(SQLException cause) {
      super(cause);
      this.cause = cause;
    }
  }

  private <T> T attempt(Deadline deadline, Work<T> work) throws Busy {
    SqliteConnection writing = begin(deadline);
    Result<T> result;
    try {
      result = work.run(writing);
    } catch (SQLException e) {
      rollback(writing);
      throw failure(e);
    } catch (RuntimeException | Error e) {
      rollback(writing);
      throw e;
    }
    if (result.commit()) {
      commit(writing);
    } else {
      rollback(writing);
    }
    return result.value();
  }

  private SqliteConnection begin(Deadline deadline) throws Busy {
    if (deadline.isOver()) {
      throw new Unavailable("the deadline was over before anything was written", null);
    }
    try {
      SqliteConnection writing = connection();
      writing.deadline(deadline, SLICE_MILLIS);
      try {
        writing.beginWrite();
      } catch (SQLException e) {
        if (!SqliteErrors.busy(e)) {
          discard(writing);
        }
        throw e;
      }
      return writing;
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  private RuntimeException failure(SQLException e) throws Busy {
    if (SqliteErrors.busy(e)) {
      throw new Busy(e);
    }
    return errors.beforeCommit(e);
  }

  private SqliteConnection connection() throws SQLException {
    if (closed) {
      throw new Unavailable("the store is closed", null);
    }
    SqliteConnection open = connection;
    if (open == null) {
      open = SqliteConnection.writer(settings, source);
      connection = open;
    }
    return open;
  }

  private void commit(SqliteConnection writing) throws Busy {
    try {
      writing.commit();
    } catch (SQLException e) {
      // What SQLite keeps of a commit that failed is not worth guessing: begin afresh.
      writing.rollback();
      discard(writing);
      if (SqliteErrors.busy(e)) {
        throw new Busy(e);
      }
      throw errors.atCommit(e);
    }
  }

  private void rollback(SqliteConnection writing) {
    if (!writing.rollback()) {
      discard(writing);
    }
  }

  private void discard(SqliteConnection writing) {
    writing.close();
    connection = null;
  }

  /** Waits for the write that is under way, if there is one. */
  @Override
  public void close() {
    lock.acquire(Deadline.after(java.time.Duration.ofMinutes(1)));
    try {
      closed = true;
      SqliteConnection open = connection;
      if (open != null) {
        discard(open);
      }
    } finally {
      lock.release();
    }
  }
}
