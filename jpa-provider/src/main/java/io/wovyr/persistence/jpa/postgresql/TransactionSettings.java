/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.storage.spi.Deadline;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What every transaction of ours sets for itself, in its first trip, and what is gone with it: its
 * tenant and its limits; in sessions that are not ours also how its statements are planned.
 * Immutable, thread-safe.
 *
 * @param text one statement with three parameters, whose answer is one row
 */
record TransactionSettings(String text) {
  /** For sessions that {@link ServerSource} prepared; returns fixed-size columns only. */
  static final TransactionSettings OWN =
      new TransactionSettings(
          "SELECT set_config('wovyr.tenant', ?, true) IS NULL,"
              + " set_config('lock_timeout', ?, true) IS NULL,"
              + " set_config('statement_timeout', ?, true) IS NULL");

  /** As in the sessions of {@link ServerSource}: every statement of ours goes by an index. */
  private static Stream<String> planning() {
    return Stream.of(
        "enable_seqscan",
        "enable_hashjoin",
        "enable_mergejoin",
        "enable_bitmapscan",
        "enable_sort",
        "jit");
  }

  /**
   * For sessions of a container, which others use as well.
   *
   * @param idle how long the server lets a transaction of ours wait for us
   */
  static TransactionSettings guest(Duration idle) {
    return new TransactionSettings(
        OWN.text()
            + planning()
                .map(name -> ", set_config('" + name + "', 'off', true) IS NULL")
                .collect(Collectors.joining())
            + ", set_config('plan_cache_mode', 'force_generic_plan', true) IS NULL"
            + ", set_config('idle_in_transaction_session_timeout', '"
            + idle.toMillis()
            + "', true) IS NULL");
  }

  /** Binds the parameters; returns the index after the last. */
  static int bind(PreparedStatement statement, int from, String tenantId, Deadline deadline)
      throws SQLException {
    // The server takes no longer limit, and 0 for none.
    long millis = Math.min(Integer.MAX_VALUE, Math.max(1, deadline.remaining().toMillis()));
    // A little sooner: at the same time the server would only say that the statement took too long.
    long locked = Math.max(1, millis - Math.min(50, millis / 10));
    statement.setString(from, tenantId);
    statement.setString(from + 1, String.valueOf(locked));
    statement.setString(from + 2, String.valueOf(millis));
    return from + 3;
  }
}
