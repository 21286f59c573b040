/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.storage.spi.Deadline;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Where the connections of one role come from, each looked at before it is used. Thread-safe. */
interface Pool extends AutoCloseable {
  /** The server's own limits strike first; this is for a network that swallows everything. */
  Duration GRACE = Duration.ofMillis(500);

  /**
   * Has one connection looked at, to be told at once what is wrong.
   *
   * @throws PersistenceException saying what
   */
  void probe();

  /**
   * Keeps what the calling thread does from now on out of a transaction that it runs in, until the
   * answer is closed; null when there is nothing to keep it out of.
   */
  default @Nullable Apart apart() {
    return null;
  }

  /**
   * A connection that commits by itself, and waits for the network no longer than until the
   * deadline.
   *
   * @throws Unavailable when there is none by the deadline; nothing was sent
   */
  Connection borrow(Deadline deadline);

  /** Ends whatever is open on a connection after an error; false when it is good for nothing. */
  boolean reset(Connection connection);

  /** A connection was lost: what took it took all others. */
  void lost();

  /** Takes a connection back, or away when it is good for nothing. */
  void giveBack(Connection connection, boolean healthy);

  @Override
  void close();

  /** The end of having been kept apart. */
  interface Apart extends AutoCloseable {
    @Override
    void close();
  }

  /** Until when the network may be silent, as the driver takes it. */
  static int networkMillis(Deadline deadline) {
    return millis(deadline.remaining().plus(GRACE));
  }

  /** Whole milliseconds, at least one. */
  static int millis(Duration duration) {
    return (int) Math.min(Integer.MAX_VALUE, Math.max(1, duration.toMillis()));
  }

  /** Closes what is not needed any more, whatever that says. */
  static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      // It is gone either way.
    }
  }
}
