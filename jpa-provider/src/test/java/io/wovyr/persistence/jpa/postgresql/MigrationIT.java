/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.storage.spi.Migrator;
import io.wovyr.persistence.storage.spi.Storage;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Migrating a PostgreSQL store: roles, repetition, several at once, a killed process. */
class MigrationIT {
  private static final int GATE = 4242;
  private final Migrator migrator = new PostgresqlStorageProvider().migrator();
  private PostgresServer.Database database;

  @BeforeEach
  void create() {
    database = PostgresServer.shared().newDatabase();
  }

  @AfterEach
  void drop() {
    database.close();
  }

  private Map<String, String> with(String key, String value) {
    Map<String, String> settings = new HashMap<>(database.migration());
    settings.put(key, value);
    return settings;
  }

  private void opens() {
    try (Storage storage = new PostgresqlStorageProvider().open(database.settings())) {
      assertThat(storage.identity().schemaVersion()).isEqualTo(StoreCheck.SCHEMA_VERSION);
      assertThat(storage.identity().epoch()).isEqualTo(1);
      assertThat(storage.health().problem()).isEmpty();
    }
  }

  @Test
  void tellsWhatIsPendingAndThenNothing() {
    Migrator.Status before = migrator.status(database.migration());
    assertThat(before.exists()).isFalse();
    assertThat(before.schemaVersion()).isZero();
    assertThat(before.pending())
        .isNotEmpty()
        .isEqualTo(migrator.status(database.migration()).pending());

    List<String> progress = new ArrayList<>();
    Migrator.Status after = migrator.migrate(database.migration(), progress::add);

    assertThat(after)
        .isEqualTo(
            new Migrator.Status(
                true, StoreCheck.SCHEMA_VERSION, StoreCheck.SCHEMA_VERSION, List.of()));
    assertThat(progress).hasSize(2 * before.pending().size());
    opens();
    List<String> again = new ArrayList<>();
    assertThat(migrator.migrate(database.migration(), again::add)).isEqualTo(after);
    assertThat(again).isEmpty();
    opens();
  }

  /** The session dies after the statements of a step, when Liquibase notes that it was done. */
  @Test
  void aMigrationThatDiesWithinAnyStepIsSimplyRunAgain() throws Exception {
    List<String> steps = PostgresqlMigrator.steps();
    try (PostgresServer.Database empty = PostgresServer.shared().newStoreOfSteps(0)) {
      for (String step : steps) {
        empty.run(
            """
            CREATE OR REPLACE FUNCTION die() RETURNS trigger SECURITY DEFINER AS $$ BEGIN
              IF NEW.id = '%s' THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
              RETURN NEW; END $$ LANGUAGE plpgsql"""
                .formatted(step),
            "CREATE OR REPLACE TRIGGER die BEFORE INSERT ON databasechangelog"
                + " FOR EACH ROW EXECUTE FUNCTION die()");

        assertThatThrownBy(() -> migrator.migrate(empty.migration(), any -> {}))
            .as(step)
            .isInstanceOf(Unavailable.class)
            .hasMessageContaining("57P01");

        assertThat(migrator.status(empty.migration()).pending())
            .as("nothing of it is there")
            .isEqualTo(steps.subList(steps.indexOf(step), steps.size()));
      }
      empty.run("DROP TRIGGER die ON databasechangelog");
      assertThat(migrator.migrate(empty.migration(), any -> {}).pending()).isEmpty();
      try (Storage storage = new PostgresqlStorageProvider().open(empty.settings())) {
        assertThat(storage.health().problem()).isEmpty();
      }
    }
  }

  @Test
  void createsTheRolesWhereItMay() throws SQLException {
    String prefix = "wovyr_x" + UUID.randomUUID().toString().substring(0, 8);
    String creator = prefix + "_creator";
    database.run(
        "CREATE ROLE " + creator + " LOGIN CREATEROLE PASSWORD 'test'",
        "ALTER DATABASE " + database.name() + " OWNER TO " + creator);
    Map<String, String> settings = new HashMap<>();
    settings.put("url", database.url());
    settings.put("user", "nobody");
    settings.put("migration-user", creator);
    settings.put("migration-password", "test");
    settings.put("role-prefix", prefix);

    migrator.migrate(settings, step -> {});

    for (String role : List.of("runtime", "system", "purge")) {
      database.run(
          "CREATE ROLE "
              + prefix
              + "_"
              + role
              + "_login LOGIN PASSWORD 'test' IN ROLE "
              + prefix
              + "_"
              + role);
    }
    settings.put("user", prefix + "_runtime_login");
    settings.put("password", "test");
    settings.put("system-user", prefix + "_system_login");
    settings.put("system-password", "test");
    try (Storage storage = new PostgresqlStorageProvider().open(settings)) {
      assertThat(storage.health().problem()).isEmpty();
    }
    try (PostgresServer.Database other = PostgresServer.shared().newStore()) {
      settings.put("url", other.url());
      assertThatThrownBy(() -> new PostgresqlStorageProvider().open(settings))
          .as("roles of one store have no rights in another")
          .isInstanceOf(Unavailable.class);
    }
    dropRoles(prefix, creator);
  }

  private void dropRoles(String prefix, String creator) throws SQLException {
    database.close();
    try (Connection connection = PostgresServer.shared().admin();
        Statement statement = connection.createStatement()) {
      for (String role : List.of("runtime", "system", "purge")) {
        statement.execute("DROP ROLE " + prefix + "_" + role + "_login");
        statement.execute("DROP ROLE " + prefix + "_" + role);
      }
      statement.execute("DROP ROLE " + creator);
    }
  }

  @Test
  void saysWhichRolesAreMissingWhereItMayNotCreateThem() {
    assertThatThrownBy(() -> migrator.migrate(with("role-prefix", "wovyr_absent"), step -> {}))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("wovyr_absent_runtime");
  }

  @Test
  void severalAtOnceMigrateOnce() throws Exception {
    List<String> progress = Collections.synchronizedList(new ArrayList<>());
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<Migrator.Status>> running = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        running.add(threads.submit(() -> migrator.migrate(database.migration(), progress::add)));
      }
      for (Future<Migrator.Status> one : running) {
        assertThat(one.get(180, TimeUnit.SECONDS).pending()).isEmpty();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(progress.stream().filter(step -> step.startsWith("applied")))
        .doesNotHaveDuplicates()
        .hasSize(PostgresqlMigrator.steps().size());
    opens();
  }

  /**
   * Makes the step that creates the events wait, in the middle, for as long as the gate is held.
   */
  private Connection gate() throws SQLException {
    database.run(
        "CREATE FUNCTION at_the_gate() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN"
            + " IF to_regclass('workflow_event') IS NOT NULL THEN"
            + " PERFORM pg_advisory_xact_lock_shared("
            + GATE
            + "); END IF; END $$",
        "CREATE EVENT TRIGGER gate ON ddl_command_end EXECUTE FUNCTION at_the_gate()");
    Connection holder = database.admin();
    try (Statement statement = holder.createStatement()) {
      statement.execute("SELECT pg_advisory_lock(" + GATE + ")");
    }
    return holder;
  }

  private boolean isAtTheGate() throws SQLException {
    try (Connection connection = database.admin();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = "
                    + GATE
                    + " AND NOT granted AND database = (SELECT oid FROM pg_database"
                    + " WHERE datname = current_database())")) {
      row.next();
      return row.getLong(1) > 0;
    }
  }

  private Process otherProcess() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                MigratingProcess.class.getName(),
                database.url())
            .inheritIO()
            .start();
    long until = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!isAtTheGate()) {
      assertThat(System.nanoTime() - until).as("waiting for the other process").isNegative();
      assertThat(process.isAlive()).isTrue();
    }
    return process;
  }

  @Test
  @DisplayName("C106: what a killed process left locked is taken over, a slow one is not disturbed")
  void c106AKilledMigrationIsTakenOverASlowOneIsNot() throws Exception {
    Process slow;
    try (Connection gate = gate()) {
      slow = otherProcess();
      assertThatThrownBy(() -> migrator.migrate(with("migrate-wait", "PT1S"), step -> {}))
          .as("a slow but living migration is not broken")
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("another process is migrating");
      slow.destroyForcibly().waitFor();
    }
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Future<Migrator.Status>> pods = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        pods.add(threads.submit(() -> migrator.migrate(with("migrate-wait", "PT2M"), step -> {})));
      }
      for (Future<Migrator.Status> pod : pods) {
        assertThat(pod.get(180, TimeUnit.SECONDS).pending()).isEmpty();
      }
    } finally {
      threads.shutdownNow();
    }
    opens();
  }

  @Test
  @DisplayName("C106: a process killed while it holds the lock at the gate frees it by its death")
  void c106TheLockDiesWithItsProcessEvenInTheMiddleOfAStatement() throws Exception {
    try (Connection gate = gate()) {
      Process killed = otherProcess();
      killed.destroyForcibly().waitFor();
      long until = System.nanoTime() + Duration.ofSeconds(30).toNanos();
      while (isAtTheGate()) {
        assertThat(System.nanoTime() - until)
            .as("the server notices that the process is gone, though its statement waits")
            .isNegative();
      }
    }
    assertThat(migrator.migrate(database.migration(), step -> {}).pending()).isEmpty();
    opens();
  }
}
