/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.jpa.postgresql.PostgresServer;
import io.wovyr.persistence.jpa.postgresql.PostgresqlStorageProvider;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.storage.spi.Storage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rows of PostgreSQL stores of each schema there was, written once: every later version migrates
 * them, reads them, goes on.
 */
final class GoldenPostgresqlIT {
  /** The steps that make each schema. */
  private static final Map<Integer, Integer> STEPS =
      Map.of(1, 13, 2, 33, 4, 37, 5, 39, 6, 41, 7, 44);

  /** A store of this schema with its golden rows, then migrated. */
  private static PostgresServer.Database migrated(int schema) throws Exception {
    return migrated("schema-" + schema, Objects.requireNonNull(STEPS.get(schema)));
  }

  private static PostgresServer.Database migrated(String which, int steps) throws Exception {
    PostgresServer.Database database = PostgresServer.shared().newStoreOfSteps(steps);
    try (InputStream script =
        Objects.requireNonNull(
            GoldenPostgresqlIT.class.getResourceAsStream("/golden/postgresql-" + which + ".sql"))) {
      database.run(new String(script.readAllBytes(), StandardCharsets.UTF_8));
    }
    Objects.requireNonNull(new PostgresqlStorageProvider().migrator())
        .migrate(database.migration(), step -> {});
    return database;
  }

  /**
   * A step that changed in one character, a comment's too, would stop every migration of old
   * stores.
   */
  @Test
  void theStepsOfEverySchemaAreAsTheyWereReleased() throws Exception {
    try (PostgresServer.Database database = PostgresServer.shared().newStore();
        InputStream steps =
            Objects.requireNonNull(
                GoldenPostgresqlIT.class.getResourceAsStream("/golden/postgresql-steps.txt"))) {
      List<String> released =
          new String(steps.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      assertThat(
              database.query(
                  "SELECT id || ' ' || md5sum FROM databasechangelog ORDER BY orderexecuted"))
          .startsWith(released.toArray(String[]::new));
    }
  }

  @TempDir Path directory;

  private Persistence open(PostgresServer.Database database, int schema) throws IOException {
    return schema < 4 ? GoldenPostgresql.open(database) : open(database, "schema-" + schema);
  }

  private Persistence open(PostgresServer.Database database, String which) throws IOException {
    Path keystore = directory.resolve("keys");
    for (String beside : List.of("", ".password")) {
      try (InputStream golden =
          Objects.requireNonNull(
              GoldenPostgresqlIT.class.getResourceAsStream(
                  "/golden/postgresql-" + which + ".sql.keystore" + beside))) {
        Files.copy(golden, directory.resolve("keys" + beside));
      }
    }
    return GoldenPostgresql.open(database, keystore);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 5, 6, 7})
  void findsOldExecutionsByEveryQuery(int schema) throws Exception {
    try (PostgresServer.Database database = migrated(schema);
        Persistence persistence = open(database, schema)) {
      GoldenStore.verifyQueries(persistence.as(GoldenStore.caller()), schema < 2);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 5, 6, 7})
  void keepsEveryValueOfEveryRecord(int schema) throws Exception {
    try (PostgresServer.Database database = migrated(schema)) {
      GoldenText.verify(
          new PostgresqlStorageProvider(),
          database.settings(),
          "/golden/postgresql-schema-" + schema + ".txt");
      try (Persistence persistence = open(database, schema);
          Storage storage = new PostgresqlStorageProvider().open(database.settings())) {
        GoldenRecords.verify(persistence, storage, schema >= 5, schema >= 6);
        if (schema >= 5) {
          GoldenRecords.verifyNewer(persistence);
        }
        if (schema >= 7) {
          GoldenStore.verifyLarge(persistence.as(GoldenStore.caller()));
        }
      }
    }
  }

  /** Schema 4, written when values were bound to the key of their record. */
  @Test
  void keepsValuesThatAreBoundToTheKeyOfTheirRecord() throws Exception {
    try (PostgresServer.Database database = migrated("sealing-2", 37)) {
      GoldenText.verify(
          new PostgresqlStorageProvider(), database.settings(), "/golden/postgresql-sealing-2.txt");
      try (Persistence persistence = open(database, "sealing-2");
          Storage storage = new PostgresqlStorageProvider().open(database.settings())) {
        GoldenRecords.verify(persistence, storage, false, false);
        GoldenRecords.verifyNewer(persistence);
      }
    }
  }

  @Test
  void keepsEveryRecordAndGoesOn() throws Exception {
    try (PostgresServer.Database database = migrated(1);
        Persistence persistence = GoldenPostgresql.open(database)) {
      Repositories golden = persistence.as(GoldenStore.caller());
      WorkflowExecution completed = golden.executions().find(GoldenStore.COMPLETED).orElseThrow();
      assertThat(completed.status()).isEqualTo(ExecutionStatus.COMPLETED);
      assertThat(completed.searchAttributes()).containsExactly("city=Z\u00fcrich");
      assertThat(golden.executions().outcome(completed)).contains(Payload.json("{\"ok\":true}"));
      List<WorkflowEvent> events = golden.events().read(GoldenStore.RUNNING, 1, 100).items();
      assertThat(events)
          .extracting(WorkflowEvent::type)
          .containsExactly("wovyr.ExecutionCreated", "Noted", "Forgotten", "Removed", "Approved");
      assertThat(golden.events().payload(events.get(1)))
          .contains(Payload.text(GoldenStore.FREE_TEXT));
      assertThat(golden.executions().state(GoldenStore.RUNNING).contentHash(golden::open))
          .hasToString(GoldenStore.CONTENT_HASH);
      assertThat(golden.feed().cursors().find("projection")).isPresent();
      assertThat(golden.leases().findName("sealer").orElseThrow().owner()).contains("node-1");
      assertThat(golden.feed().read(Optional.empty(), 100).entries()).hasSize(8);

      NewEvent approved = NewEvent.of("Approved");
      golden.events().append(GoldenStore.RUNNING, Append.signal("approval-1"), approved).orThrow();
      golden.events().append(GoldenStore.RUNNING, Append.signal("approval-2"), approved).orThrow();
      WorkflowExecution running = golden.executions().find(GoldenStore.RUNNING).orElseThrow();
      golden
          .executions()
          .transition(running, Transition.to(ExecutionStatus.CANCELLED), Append.signal("cancel"))
          .orThrow();
      assertThat(golden.executions().head(GoldenStore.RUNNING).orElseThrow().lastSequence())
          .isEqualTo(7);
      assertThat(database.query("SELECT status FROM execution_aud ORDER BY rev"))
          .hasSize(5)
          .endsWith("CANCELLED");
    }
  }
}
