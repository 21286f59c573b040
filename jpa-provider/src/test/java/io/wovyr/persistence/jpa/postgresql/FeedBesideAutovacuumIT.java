/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import static io.wovyr.persistence.jpa.postgresql.Samples.deadline;
import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.storage.spi.FeedChunk;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The feed of a server as it is run: it vacuums and analyzes tables by itself, by transactions that
 * hold the feed back for a moment. The other tests' servers do not.
 */
class FeedBesideAutovacuumIT {
  private static final Scope.System SYSTEM = new Scope.System("test");
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int RUNS = 3;

  /** Whatever was written is worth it, as often as the server can. */
  private static final Map<String, String> EAGER =
      Map.of(
          "autovacuum", "on",
          "autovacuum_naptime", "1s",
          "autovacuum_vacuum_insert_threshold", "1",
          "autovacuum_vacuum_insert_scale_factor", "0",
          "autovacuum_analyze_threshold", "1",
          "autovacuum_analyze_scale_factor", "0");

  @TempDir private Path directory;

  @Test
  void allThatIsWrittenIsShownSoonAndInOrder() throws Exception {
    try (TestCluster cluster = TestCluster.start(directory.resolve("data"), 0, EAGER)) {
      cluster.prepare();
      try (Storage storage = new PostgresqlStorageProvider().open(cluster.settings())) {
        Samples acme = Samples.of(storage, "acme");
        Follower follower = new Follower(storage);
        List<Key> written = new ArrayList<>();
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (runs(cluster) < RUNS) {
          assertThat(System.nanoTime() - until).as("the server vacuums nothing").isNegative();
          written.add(acme.inserted(acme.event(UUID.randomUUID(), 1)).key());
          follower.await(written.size());
        }
        assertThat(follower.seen).isEqualTo(written);
      }
    }
  }

  /** How often the server analyzed the table that the feed reads. */
  private static long runs(TestCluster cluster) throws SQLException {
    String url = cluster.settings().get("url");
    try (Connection connection = DriverManager.getConnection(url, "wovyr_test_owner", null);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT autoanalyze_count FROM pg_stat_user_tables"
                    + " WHERE relname = 'workflow_event'")) {
      assertThat(row.next()).as("there is such a table").isTrue();
      return row.getLong(1);
    }
  }

  private static final class Follower {
    private final Storage storage;
    private final List<Key> seen = new ArrayList<>();
    private Optional<FeedCursor> cursor = Optional.empty();

    Follower(Storage storage) {
      this.storage = storage;
    }

    void await(int count) {
      long until = System.nanoTime() + PATIENCE.toNanos();
      while (seen.size() < count) {
        assertThat(System.nanoTime() - until).as("shown after %d", seen.size()).isNegative();
        FeedChunk chunk = storage.feed(SYSTEM, cursor, 10, deadline());
        chunk.entries().forEach(entry -> seen.add(entry.row().key()));
        if (chunk.next().isPresent()) {
          cursor = chunk.next();
        }
      }
    }
  }
}
