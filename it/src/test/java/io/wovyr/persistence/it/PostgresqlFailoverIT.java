/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.jpa.postgresql.PostgresqlStorageProvider;
import io.wovyr.persistence.jpa.postgresql.TestCluster;
import io.wovyr.persistence.storage.spi.Storage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The server is killed, shut down or replaced while many write: no step that was acknowledged is
 * lost, none is there twice, and the writers go on by themselves.
 */
final class PostgresqlFailoverIT {
  private static final int WRITERS = 4;

  @TempDir Path directory;
  private TestCluster server;

  @BeforeEach
  void start() throws Exception {
    server = TestCluster.start(directory.resolve("primary"), 0);
    server.prepare();
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private static Persistence persistence(Map<String, String> storage) {
    Map<String, String> settings = new HashMap<>();
    storage.forEach((key, value) -> settings.put("wovyr.storage." + key, value));
    settings.put("wovyr.sealing.provider", "none");
    settings.put("wovyr.storage.connect-timeout", "PT1S");
    settings.put("wovyr.commit.deadline", "PT5S");
    settings.put("wovyr.read.deadline", "PT5S");
    return WovyrPersistence.builder()
        .provider(new PostgresqlStorageProvider())
        .settings(settings)
        .build();
  }

  @Test
  @DisplayName("C008: a server killed under load comes back with every acknowledged step, once")
  void aKilledServerThatRestartsLosesAndDoublesNothing() throws Exception {
    try (Persistence persistence = persistence(server.settings());
        Writers writers = Writers.start(persistence, WRITERS)) {
      for (int round = 0; round < 3; round++) {
        writers.awaitSteps(200);
        List<String> sessions = sessions(server);
        server.kill();
        server = TestCluster.start(directory.resolve("primary"), server.port());
        writers.awaitSteps(200);
        assertThat(sessions(server)).isNotEmpty().doesNotContainAnyElementsOf(sessions);
      }
      writers.end();
      writers.assertNothingIsLostOrDoubled();
    }
  }

  @Test
  @DisplayName("57P02, 57P03: a crashed session takes all others with it, and the server recovers")
  void aCrashOfOneSessionIsOutlived() throws Exception {
    try (Persistence persistence = persistence(server.settings());
        Writers writers = Writers.start(persistence, WRITERS)) {
      for (int round = 0; round < 3; round++) {
        writers.awaitSteps(200);
        List<String> sessions = sessions(server);
        killASession();
        writers.awaitSteps(200);
        assertThat(sessions(server)).isNotEmpty().doesNotContainAnyElementsOf(sessions);
      }
      writers.end();
      writers.assertNothingIsLostOrDoubled();
    }
  }

  /** The sessions of the writers. */
  private static List<String> sessions(TestCluster of) throws SQLException {
    List<String> sessions = new ArrayList<>();
    try (Connection connection = of.admin();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT pid || ' ' || backend_start FROM pg_stat_activity"
                    + " WHERE usename = 'wovyr_test_runtime'")) {
      while (row.next()) {
        sessions.add(row.getString(1));
      }
    }
    return sessions;
  }

  private void killASession() throws SQLException {
    try (Connection connection = server.admin();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
      row.next();
      ProcessHandle.of(row.getLong(1)).orElseThrow().destroyForcibly();
    }
  }

  @Test
  @DisplayName("57P01: a server shut down under load and started again loses and doubles nothing")
  void aServerShutDownUnderLoadLosesAndDoublesNothing() throws Exception {
    try (Persistence persistence = persistence(server.settings());
        Writers writers = Writers.start(persistence, WRITERS)) {
      writers.awaitSteps(200);
      List<String> sessions = sessions(server);
      int port = server.port();
      server.close();
      server = TestCluster.start(directory.resolve("primary"), port);
      writers.awaitSteps(200);
      assertThat(sessions(server)).isNotEmpty().doesNotContainAnyElementsOf(sessions);
      writers.end();
      writers.assertNothingIsLostOrDoubled();
    }
  }

  @Test
  @DisplayName("C008: a standby promoted at another address takes over, named in one URL")
  void aPromotedStandbyAtAnotherAddressTakesOver() throws Exception {
    Path copy = directory.resolve("standby");
    server.copyTo(copy);
    Files.writeString(
        copy.resolve("postgresql.auto.conf"),
        "primary_conninfo = 'host=127.0.0.1 port="
            + server.port()
            + " user=postgres application_name=standby'\n",
        StandardOpenOption.APPEND);
    try (TestCluster standby = TestCluster.start(copy, 0)) {
      server.run(
          "ALTER SYSTEM SET synchronous_standby_names = 'standby'", "SELECT pg_reload_conf()");
      awaitSynchronous();
      Map<String, String> both = new HashMap<>(server.settings());
      both.put(
          "url",
          "jdbc:postgresql://127.0.0.1:%d,127.0.0.1:%d/wovyr"
              .formatted(server.port(), standby.port()));
      try (Persistence persistence = persistence(both);
          Writers writers = Writers.start(persistence, WRITERS)) {
        writers.awaitSteps(200);
        server.kill();
        standby.promote();
        writers.awaitSteps(200);
        assertThat(sessions(standby)).isNotEmpty();
        writers.end();
        writers.assertNothingIsLostOrDoubled();
      }
      try (Storage storage = new PostgresqlStorageProvider().open(both)) {
        assertThat(storage.identity().epoch()).as("another timeline").isEqualTo(2);
      }
    }
  }

  private void awaitSynchronous() throws SQLException {
    long until = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (true) {
      try (Connection connection = server.admin();
          Statement statement = connection.createStatement();
          ResultSet row =
              statement.executeQuery(
                  "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'")) {
        row.next();
        if (row.getLong(1) == 1) {
          return;
        }
      }
      assertThat(System.nanoTime() - until).as("the standby follows").isNegative();
    }
  }
}
