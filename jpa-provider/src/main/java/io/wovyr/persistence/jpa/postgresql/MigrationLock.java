/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.storage.spi.Deadline;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * The right to migrate one database: an advisory lock of the session that migrates. The server
 * takes it back when the session ends, however its process ended; a slow migration keeps it as long
 * as its process lives.
 */
final class MigrationLock {
  /** "wovyr" in ASCII; nobody else's. */
  private static final long NUMBER = 0x776f767972L;

  private static final long POLL_NANOS = Duration.ofMillis(50).toNanos();
  private static final String TRY = "SELECT pg_try_advisory_lock(?)";

  /** So that the server notices soon when a migrating process is gone, even in a long statement. */
  private static final String WATCH =
      "SET client_connection_check_interval = '1s'; SET tcp_keepalives_idle = 10;"
          + " SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3";

  private MigrationLock() {}

  /**
   * Waits for the lock, which the connection then holds until it is closed.
   *
   * @throws Unavailable when another session still migrates at the deadline
   */
  static void acquire(
      Connection connection, String place, Deadline deadline, Consumer<String> progress)
      throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(WATCH);
    }
    boolean told = false;
    while (!isAcquired(connection)) {
      if (deadline.isOver() || Thread.interrupted()) {
        throw new Unavailable(
            "another process is migrating the PostgreSQL store "
                + place
                + ": wait until it is done, then retry",
            null);
      }
      if (!told) {
        progress.accept("another process is migrating this store: waiting for it");
        told = true;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private static boolean isAcquired(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(TRY)) {
      statement.setLong(1, NUMBER);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }
}
