/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * As long as this is open, PostgreSQL commits and then waits for a standby that there is not: whose
 * connection is killed meanwhile is not told that the transaction is committed.
 */
final class UnansweredCommits implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String WAITING =
      "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
          + " WHERE wait_event = 'SyncRep' AND datname = current_database() AND usename %s";

  /** Runs a statement of the database's superuser; answers its first value, if it has any. */
  interface Superuser {
    @Nullable String oneOf(String sql) throws SQLException;
  }

  private final Superuser superuser;

  private UnansweredCommits(Superuser superuser) {
    this.superuser = superuser;
  }

  /** Returns when commits are no longer answered. */
  static UnansweredCommits of(Superuser superuser) throws SQLException {
    UnansweredCommits made = new UnansweredCommits(superuser);
    made.set("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
    // The server reads its settings when it comes to it: until then a commit returns.
    CompletableFuture<Void> tried = CompletableFuture.runAsync(made::commitUntilOneFails);
    while (!tried.isDone()) {
      made.kill("= current_user");
    }
    tried.join();
    return made;
  }

  private void commitUntilOneFails() {
    long until = System.nanoTime() + PATIENCE.toNanos();
    try {
      while (System.nanoTime() - until < 0) {
        // Only what writes to the log waits for a standby.
        superuser.oneOf("SELECT pg_logical_emit_message(true, 'tests', 'commit')");
      }
      throw new IllegalStateException("commits are answered as before");
    } catch (SQLException e) {
      // As it should be.
    }
  }

  /** Kills the connection of the next commit of anybody but the superuser. */
  void killTheNext() {
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (!kill("<> current_user")) {
      if (System.nanoTime() - until > 0) {
        throw new IllegalStateException("nobody committed");
      }
    }
  }

  private boolean kill(String whose) {
    try {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
      return !"0".equals(superuser.oneOf(WAITING.formatted(whose)));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void set(String statement) throws SQLException {
    superuser.oneOf(statement);
    superuser.oneOf("SELECT pg_reload_conf()");
  }

  @Override
  public void close() throws SQLException {
    set("ALTER SYSTEM RESET synchronous_standby_names");
  }
}
