/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.storage.spi.Deadline;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What every transaction of ours sets for itself, in its first trip, and what is gone with it: its
 * tenant and its limits; in sessions that are not ours also how its statements are planned. Inside
 * a transaction of the caller's, all is as before when we are done. Immutable, thread-safe.
 *
 * @param before statements before the first, an answer each
 * @param text one statement with three parameters, whose answer is one row of fixed-size columns
 * @param after statements that end what was begun; empty where a trip is a transaction anyway
 */
record TransactionSettings(List<String> before, String text, List<String> after) {
  private static final String PLAN_CACHE_MODE = "plan_cache_mode";
  private static final String TENANT = "wovyr.tenant";
  private static final String LOCK_TIMEOUT = "lock_timeout";
  private static final String STATEMENT_TIMEOUT = "statement_timeout";

  /** For sessions that {@link ServerSource} prepared. */
  static final TransactionSettings OWN =
      new TransactionSettings(
          List.of(),
          "SELECT set_config('wovyr.tenant', ?, true) IS NULL,"
              + " set_config('lock_timeout', ?, true) IS NULL,"
              + " set_config('statement_timeout', ?, true) IS NULL",
          List.of());

  private static final String LIMITS_FOR_NOW =
      Stream.concat(
              Stream.of(TENANT, LOCK_TIMEOUT, STATEMENT_TIMEOUT)
                  .map(name -> keep(name) + ", " + set(name, "?")),
              Stream.concat(
                  planning().map(name -> keep(name) + ", " + set(name, "'off'")),
                  Stream.of(keep(PLAN_CACHE_MODE), set(PLAN_CACHE_MODE, "'force_generic_plan'"))))
          .collect(Collectors.joining(", ", "SELECT num_nulls(", ")"));

  private static final String LIMITS_AS_BEFORE =
      Stream.concat(Stream.of(TENANT, LOCK_TIMEOUT, STATEMENT_TIMEOUT, PLAN_CACHE_MODE), planning())
          .map(name -> set(name, "current_setting('" + kept(name) + "')"))
          .collect(Collectors.joining(", ", "SELECT num_nulls(", ")"));

  /** Inside a transaction of the caller's, which goes on afterwards. */
  static final TransactionSettings ENLISTED =
      new TransactionSettings(
          List.of("SAVEPOINT wovyr"),
          LIMITS_FOR_NOW,
          List.of(LIMITS_AS_BEFORE, "RELEASE SAVEPOINT wovyr"));

  /** As {@link #ENLISTED}, for what is refused without an error, if at all: nothing is undone. */
  static final TransactionSettings ENLISTED_AS_IT_IS =
      new TransactionSettings(List.of(), LIMITS_FOR_NOW, List.of(LIMITS_AS_BEFORE));

  /** Undoes, after an error or a refusal, what was done since the transaction was joined. */
  static final String UNDO = "ROLLBACK TO SAVEPOINT wovyr; RELEASE SAVEPOINT wovyr";

  private static String kept(String name) {
    return "wovyr.kept_" + name.substring(name.indexOf('.') + 1);
  }

  /** What a function is given is computed from left to right. */
  private static String keep(String name) {
    return set(kept(name), "coalesce(current_setting('" + name + "', true), '')");
  }

  private static String set(String name, String value) {
    return "set_config('" + name + "', " + value + ", true)";
  }

  /** Whether it is a transaction of the caller's, which is his to end. */
  boolean isEnlisted() {
    return !after.isEmpty();
  }

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
        List.of(),
        OWN.text()
            + planning()
                .map(name -> ", set_config('" + name + "', 'off', true) IS NULL")
                .collect(Collectors.joining())
            + ", set_config('plan_cache_mode', 'force_generic_plan', true) IS NULL"
            + ", set_config('idle_in_transaction_session_timeout', '"
            + idle.toMillis()
            + "', true) IS NULL",
        List.of());
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
