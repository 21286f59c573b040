/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.storage.spi.Migrator;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Migrations that are killed, and migrations that meet. */
class MigrationIT {
  @TempDir Path directory;
  private SqliteStore store;
  private final Migrator migrator = new SqliteStorageProvider().migrator();

  @BeforeEach
  void name() {
    store = SqliteStore.at(directory.resolve("store.db"));
  }

  /** Migrates; stops for ever at the line it is told, or goes on when it is told none. */
  public static final class Migrating {
    public static void main(String[] arguments) {
      String hang = arguments.length > 1 ? arguments[1] : "";
      String wait = arguments.length > 2 ? arguments[2] : "PT2M";
      try {
        new SqliteStorageProvider()
            .migrator()
            .migrate(
                Map.of("path", arguments[0], "migrate-wait", wait),
                line -> {
                  System.out.println(line);
                  while (line.equals(hang)) {
                    LockSupport.park();
                  }
                });
        System.out.println("done");
      } catch (PersistenceException e) {
        System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
        System.exit(3);
      }
    }
  }

  private boolean lockedByLiquibase() throws Exception {
    try (Connection connection = store.foreign();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT LOCKED FROM DATABASECHANGELOGLOCK")) {
      return row.next() && row.getBoolean(1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "applying 0001-store",
        "applying 0005-purge-permit",
        "applied 0005-purge-permit",
        "applied 0011-schema-version-1",
        "applying 0013-execution-aud",
        "applied 0018-schema-version-2"
      })
  @DisplayName("C106: a migration killed in the middle leaves nothing stuck; two go on at once")
  void aKilledMigrationIsSimplyRunAgain(String at) throws Exception {
    try (OtherProcess killed = OtherProcess.start(Migrating.class, store.path(), at)) {
      killed.lineThatBegins(at);
      killed.kill();
    }
    assertThat(lockedByLiquibase()).as("what others would wait for in vain").isTrue();

    Instant began = Instant.now();
    try (OtherProcess one = OtherProcess.start(Migrating.class, store.path());
        OtherProcess two = OtherProcess.start(Migrating.class, store.path())) {
      assertThat(one.rest()).contains("done");
      assertThat(two.rest()).contains("done");
    }
    assertThat(Duration.between(began, Instant.now())).isLessThan(Duration.ofSeconds(150));
    assertThat(migrator.status(store.settings()).pending()).isEmpty();
    store.open().close();
  }

  @Test
  @DisplayName("C106: killed at any moment, a migration completes when it is run again")
  void aMigrationKilledAtAnyMomentCompletes() throws Exception {
    for (int round = 0; round < 8; round++) {
      SqliteStore next = SqliteStore.at(directory.resolve("round" + round + ".db"));
      try (OtherProcess killed = OtherProcess.start(Migrating.class, next.path())) {
        killed.lineThatBegins("applying");
        LockSupport.parkNanos(Duration.ofMillis(2L * round).toNanos());
        killed.kill();
      }
      assertThat(migrator.migrate(next.settings(), step -> {}).pending()).isEmpty();
      next.open().close();
    }
  }

  @Test
  @DisplayName("C106: a slow but living migration is waited for, not broken")
  void aSlowMigrationIsNotBroken() throws Exception {
    String slow = "applied 0004-workflow-event";
    try (OtherProcess living = OtherProcess.start(Migrating.class, store.path(), slow)) {
      living.lineThatBegins(slow);
      List<String> told = new ArrayList<>();
      assertThatThrownBy(
              () -> migrator.migrate(store.with("migrate-wait", "PT1S").settings(), told::add))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("another process is migrating");
      assertThat(told).anyMatch(line -> line.contains("waiting"));
      assertThat(migrator.status(store.settings()).pending()).hasSizeGreaterThan(5);
      living.kill();
    }
    assertThat(migrator.migrate(store.settings(), step -> {}).pending()).isEmpty();
  }

  @Test
  void twoProcessesThatMigrateAtOnceShareOneMigration() throws Exception {
    List<OtherProcess> processes = new ArrayList<>();
    List<String> applied = new ArrayList<>();
    try {
      for (int i = 0; i < 3; i++) {
        processes.add(OtherProcess.start(Migrating.class, store.path()));
      }
      for (OtherProcess process : processes) {
        List<String> lines = process.rest();
        assertThat(lines).contains("done");
        lines.stream().filter(line -> line.startsWith("applied")).forEach(applied::add);
      }
    } finally {
      for (OtherProcess process : processes) {
        process.close();
      }
    }
    assertThat(applied)
        .as("each step once, whoever ran it")
        .containsExactlyInAnyOrderElementsOf(
            SqliteMigrator.steps().stream().map(step -> "applied " + step).toList());
    store.open().close();
  }

  @Test
  void twoThreadsThatMigrateAtOnceShareOneMigration() throws Exception {
    List<Thread> threads = new ArrayList<>();
    List<Throwable> failed = java.util.Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < 4; i++) {
      Thread thread = new Thread(() -> migrator.migrate(store.settings(), step -> {}));
      thread.setUncaughtExceptionHandler((which, e) -> failed.add(e));
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join(180_000);
    }
    assertThat(failed).isEmpty();
    assertThat(migrator.status(store.settings()).pending()).isEmpty();
  }
}
