/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/** Looks again and again at what the sessions of the nodes wait for. */
final class LockWaits {
  private static final long PAUSE_NANOS = 10_000_000;
  private static final String SESSIONS =
      "SELECT coalesce(wait_event_type || ':' || wait_event, 'working'), count(*)"
          + " FROM pg_stat_activity WHERE usename = 'wovyr_test_runtime' AND state = 'active'"
          + " GROUP BY 1";

  private final StoreCluster store;
  private final Map<String, Long> seen = new TreeMap<>();
  private volatile boolean over;

  LockWaits(StoreCluster store) {
    this.store = store;
  }

  /** Looks while something runs. */
  <T> T during(Callable<T> work) throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Future<?> looking = thread.submit(this::look);
      T result = work.call();
      over = true;
      looking.get();
      return result;
    } finally {
      over = true;
      thread.shutdownNow();
    }
  }

  private boolean look() throws SQLException {
    try (Connection connection = store.admin();
        PreparedStatement sessions = connection.prepareStatement(SESSIONS)) {
      while (!over) {
        try (ResultSet row = sessions.executeQuery()) {
          while (row.next()) {
            seen.merge(row.getString(1), row.getLong(2), Long::sum);
          }
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
    return over;
  }

  /** How often an active session was seen. */
  long all() {
    return seen.values().stream().mapToLong(Long::longValue).sum();
  }

  /** How often one waited for a lock on a row, a table or another transaction. */
  long locks() {
    return seen.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith("Lock:"))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  @Override
  public String toString() {
    return seen.toString();
  }
}
