/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException.BrokenHistory;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.jpa.postgresql.PostgresServer;
import io.wovyr.persistence.jpa.postgresql.PostgresqlStorageProvider;
import io.wovyr.persistence.jpa.sqlite.SqliteStorageProvider;
import io.wovyr.persistence.metrics.MetricsSnapshot;
import io.wovyr.persistence.state.StateHash;
import io.wovyr.persistence.storage.spi.StorageProvider;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tables that somebody with all rights has damaged by hand: the history that is broken is named,
 * and no state is guessed of it; the others stay readable.
 */
final class BrokenHistoryIT {
  private static final UUID DOUBLED = UUID.fromString("01890000-0000-7000-8000-0000000000d2");
  private static final UUID GAP = UUID.fromString("01890000-0000-7000-8000-0000000000a9");
  private static final UUID WHOLE = UUID.fromString("01890000-0000-7000-8000-0000000000fe");

  @TempDir Path directory;

  private static Persistence open(StorageProvider provider, Map<String, String> storage) {
    Map<String, String> settings = new HashMap<>();
    storage.forEach((key, value) -> settings.put("wovyr.storage." + key, value));
    settings.put("wovyr.sealing.provider", "none");
    return WovyrPersistence.builder().provider(provider).settings(settings).build();
  }

  private static Repositories write(Persistence persistence) {
    Repositories acme = persistence.as(Caller.of("acme", "test", Role.READER, Role.WRITER));
    for (UUID id : new UUID[] {DOUBLED, GAP, WHOLE}) {
      NewExecution execution = NewExecution.of(DefinitionRef.of("order", 1)).withId(id);
      acme.executions().create(execution).orThrow();
      for (int i = 2; i <= 4; i++) {
        acme.events().append(id, Append.signal("s" + i), NewEvent.of("Step")).orThrow();
      }
    }
    return acme;
  }

  private static void isTold(Persistence persistence, Repositories acme, StateHash whole) {
    assertThat(broken(persistence)).isZero();
    isBroken(acme, DOUBLED, "duplicate 3");
    isBroken(acme, GAP, "missing 3");
    assertThat(acme.executions().state(WHOLE).hash()).isEqualTo(whole);
    assertThat(acme.events().read(WHOLE, 1, 100).items()).hasSize(4);
    assertThat(broken(persistence)).as("two histories, each read twice").isEqualTo(4);
  }

  /** What the store's metrics say. */
  private static long broken(Persistence persistence) {
    MetricsSnapshot sample =
        persistence
            .system("test")
            .metrics()
            .sample()
            .orThrow()
            .records(MetricsSnapshot.class)
            .get(0);
    return sample.readings().stream()
        .filter(reading -> reading.startsWith("histories.broken="))
        .mapToLong(reading -> Long.parseLong(reading.substring(reading.indexOf('=') + 1)))
        .findFirst()
        .orElseThrow();
  }

  private static void isBroken(Repositories acme, UUID id, String how) {
    assertThatThrownBy(() -> acme.executions().state(id))
        .isInstanceOf(BrokenHistory.class)
        .hasMessageContaining(id.toString())
        .hasMessageContaining(how);
    assertThatThrownBy(() -> acme.events().read(id, 1, 100))
        .isInstanceOf(BrokenHistory.class)
        .hasMessageContaining(how);
  }

  @Test
  @DisplayName(
      "C012: PostgreSQL: a doubled and a missing event are named, other histories readable")
  void onPostgresql() throws SQLException {
    try (PostgresServer.Database database = PostgresServer.shared().newStore();
        Persistence persistence = open(new PostgresqlStorageProvider(), database.settings())) {
      Repositories acme = write(persistence);
      StateHash whole = acme.executions().state(WHOLE).hash();
      String third = " FROM workflow_event WHERE sequence = 3 AND execution_id = ";
      assertThatThrownBy(
              () -> database.run("INSERT INTO workflow_event SELECT *" + third + quoted(DOUBLED)))
          .as("the table itself allows no second one")
          .isInstanceOf(SQLException.class);
      database.run(
          "ALTER TABLE workflow_event DROP CONSTRAINT workflow_event_pkey",
          "DROP INDEX workflow_event_dedupe",
          "INSERT INTO workflow_event SELECT *" + third + quoted(DOUBLED),
          "ALTER TABLE workflow_event DISABLE TRIGGER workflow_event_append_only",
          "DELETE" + third + quoted(GAP),
          "ALTER TABLE workflow_event ENABLE TRIGGER workflow_event_append_only");
      isTold(persistence, acme, whole);
    }
  }

  private static String quoted(UUID id) {
    return "'" + id + "'";
  }

  @Test
  @DisplayName("C012: SQLite: a doubled and a missing event are named, other histories readable")
  void onSqlite() throws SQLException {
    Map<String, String> settings = Map.of("path", directory.resolve("store.db").toString());
    StorageProvider provider = new SqliteStorageProvider();
    Objects.requireNonNull(provider.migrator()).migrate(settings, step -> {});
    try (Persistence persistence = open(provider, settings)) {
      Repositories acme = write(persistence);
      StateHash whole = acme.executions().state(WHOLE).hash();
      try (Connection connection =
              DriverManager.getConnection("jdbc:sqlite:" + settings.get("path"));
          Statement statement = connection.createStatement()) {
        String third = " FROM workflow_event WHERE sequence = 3 AND execution_id = ";
        statement.execute("CREATE TEMP TABLE third AS SELECT *" + third + blob(DOUBLED));
        statement.execute(
            "UPDATE third SET feed_key = (SELECT max(feed_key) + 1 FROM workflow_event)");
        assertThatThrownBy(
                () -> statement.execute("INSERT INTO workflow_event SELECT * FROM third"))
            .as("the table itself allows no second one")
            .isInstanceOf(SQLException.class);
        statement.execute("DROP INDEX workflow_event_key");
        statement.execute("DROP INDEX workflow_event_dedupe");
        statement.execute("INSERT INTO workflow_event SELECT * FROM third");
        statement.execute("DROP TRIGGER workflow_event_deleted_by_purge_only");
        statement.execute("DELETE" + third + blob(GAP));
      }
      isTold(persistence, acme, whole);
    }
  }

  private static String blob(UUID id) {
    return "x'" + id.toString().replace("-", "") + "'";
  }
}
