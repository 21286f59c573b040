/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import static io.wovyr.persistence.event.Section.VARIABLES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.jpa.sqlite.SqliteStorageProvider;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.secret.SecretRef;
import io.wovyr.persistence.state.WorkflowState;
import io.wovyr.persistence.storage.spi.Storage;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * SQLite stores of each schema there was, written once: every later version migrates them, reads
 * them, goes on.
 */
class GoldenStoreTest {
  /** The newest whose values are in the clear. */
  private static final int NEWEST_UNSEALED = 3;

  private static final Map<String, String> UNSEALED = Map.of("wovyr.sealing.provider", "none");
  private static final Map<String, String> ACCEPTING_CLEAR =
      Map.of("wovyr.sealing.unsealed", "accept");

  @TempDir Path directory;
  private String path = "";

  private void migrateACopy(int schema) throws Exception {
    migrateACopy("schema-" + schema);
  }

  private void migrateACopy(String which) throws Exception {
    path = SqliteFile.migrated(copy(which));
  }

  private Persistence open(int schema) {
    return GoldenStore.open(path, schema <= NEWEST_UNSEALED ? UNSEALED : Map.of());
  }

  private Path copy(int schema) throws Exception {
    return copy("schema-" + schema);
  }

  private Path copy(String which) throws Exception {
    Path copy = directory.resolve("golden-" + which + ".db");
    String name = "/golden/sqlite-" + which + ".db";
    try (InputStream golden =
        Objects.requireNonNull(getClass().getResourceAsStream(name), "golden store")) {
      Files.copy(golden, copy);
    }
    for (String beside : List.of(".keystore", ".keystore.password")) {
      // Stores of the first schemas are not sealed.
      try (InputStream golden = getClass().getResourceAsStream(name + beside)) {
        if (golden != null) {
          Files.copy(golden, directory.resolve(copy.getFileName() + beside));
        }
      }
    }
    return copy;
  }

  private List<String> query(String sql) throws Exception {
    List<String> rows = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + path);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        rows.add(row.getString(1));
      }
    }
    return rows;
  }

  @Test
  void anOlderStoreIsRefusedUntilItIsMigrated() throws Exception {
    String older = copy(1).toString();
    assertThatThrownBy(() -> GoldenStore.open(older))
        .isInstanceOf(PersistenceException.Unavailable.class)
        .hasMessageContaining("wovyr migrate up");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 6, 7, 8})
  void findsOldExecutionsByEveryQuery(int schema) throws Exception {
    migrateACopy(schema);
    try (Persistence persistence = GoldenStore.open(path)) {
      GoldenStore.verifyQueries(persistence.as(GoldenStore.caller()), schema < 3);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 5, 6, 7, 8})
  void keepsEveryValueOfEveryRecord(int schema) throws Exception {
    migrateACopy(schema);
    GoldenText.verify(
        new SqliteStorageProvider(),
        Map.of("path", path),
        "/golden/sqlite-schema-" + schema + ".txt");
    try (Persistence persistence = open(schema);
        Storage storage = new SqliteStorageProvider().open(Map.of("path", path))) {
      GoldenRecords.verify(persistence, storage, schema >= 6, schema >= 7);
      if (schema >= 6) {
        GoldenRecords.verifyNewer(persistence);
      }
      if (schema >= 8) {
        GoldenStore.verifyLarge(persistence.as(GoldenStore.caller()));
      }
    }
  }

  /** Schema 5, written when values were bound to the key of their record. */
  @Test
  void keepsValuesThatAreBoundToTheKeyOfTheirRecord() throws Exception {
    migrateACopy("sealing-2");
    GoldenText.verify(
        new SqliteStorageProvider(), Map.of("path", path), "/golden/sqlite-sealing-2.txt");
    try (Persistence persistence = GoldenStore.open(path);
        Storage storage = new SqliteStorageProvider().open(Map.of("path", path))) {
      GoldenRecords.verify(persistence, storage, false, false);
      GoldenRecords.verifyNewer(persistence);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 6, 7, 8})
  void keepsEveryRecord(int schema) throws Exception {
    migrateACopy(schema);
    try (Persistence persistence = open(schema)) {
      Repositories golden = persistence.as(GoldenStore.caller());
      WorkflowExecution completed = golden.executions().find(GoldenStore.COMPLETED).orElseThrow();
      assertThat(completed.status()).isEqualTo(ExecutionStatus.COMPLETED);
      assertThat(completed.searchAttributes()).containsExactly("city=Zürich");
      assertThat(golden.executions().outcome(completed)).contains(Payload.json("{\"ok\":true}"));
      assertThat(golden.executions().input(completed))
          .contains(Payload.json("{\"name\":\"completed\"}"));
      List<WorkflowEvent> events = golden.events().read(GoldenStore.RUNNING, 1, 100).items();
      assertThat(events)
          .extracting(WorkflowEvent::type)
          .containsExactly("wovyr.ExecutionCreated", "Noted", "Forgotten", "Removed", "Approved");
      assertThat(golden.events().payload(events.get(1)))
          .contains(Payload.text(GoldenStore.FREE_TEXT));
      assertThat(golden.feed().cursors().find("projection")).isPresent();
      assertThat(golden.leases().findName("sealer").orElseThrow().owner()).contains("node-1");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1:717ae29816d991b511862393e3d42f57ebae74c4fcc1f0c70fb7df344871f340",
    "2, 1:17a8ca10ffc617888f0591657701a29eade60ce0c6cdaa7fae99e7da68c98919"
  })
  void keepsStateAndHashes(int schema, String stateHash) throws Exception {
    migrateACopy(schema);
    try (Persistence persistence = GoldenStore.open(path, ACCEPTING_CLEAR)) {
      Repositories golden = persistence.as(GoldenStore.caller());
      WorkflowState state = golden.executions().state(GoldenStore.RUNNING);
      assertThat(golden.open(state.get(VARIABLES, "note").orElseThrow()))
          .isEqualTo(Payload.text(GoldenStore.FREE_TEXT));
      assertThat(state.get(VARIABLES, "gone")).isEmpty();
      assertThat(state.contentHash(golden::open)).hasToString(GoldenStore.CONTENT_HASH);
      assertThat(state.hash()).hasToString(stateHash);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void goesOnWhereItWas(int schema) throws Exception {
    migrateACopy(schema);
    try (Persistence persistence = GoldenStore.open(path)) {
      Repositories golden = persistence.as(GoldenStore.caller());
      NewEvent approved = NewEvent.of("Approved");
      // The same signal again changes nothing, another one is the next event of the same history.
      golden.events().append(GoldenStore.RUNNING, Append.signal("approval-1"), approved).orThrow();
      golden.events().append(GoldenStore.RUNNING, Append.signal("approval-2"), approved).orThrow();
      assertThat(golden.executions().head(GoldenStore.RUNNING).orElseThrow().lastSequence())
          .isEqualTo(6);
      assertThat(golden.feed().read(Optional.empty(), 100).entries()).hasSize(9);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "2, 4"})
  void historyBeginsWithTheMigrationAndKeepsWhatItHad(int schema, int had) throws Exception {
    migrateACopy(schema);
    assertThat(query("SELECT rev FROM execution_aud")).hasSize(had);
    try (Persistence persistence = GoldenStore.open(path)) {
      Repositories golden = persistence.as(GoldenStore.caller());
      WorkflowExecution running = golden.executions().find(GoldenStore.RUNNING).orElseThrow();
      golden
          .executions()
          .transition(running, Transition.to(ExecutionStatus.CANCELLED), Append.signal("cancelled"))
          .orThrow();
    }
    assertThat(query("SELECT status FROM execution_aud ORDER BY rev"))
        .hasSize(had + 1)
        .endsWith("CANCELLED");
    assertThat(
            query(
                "SELECT coalesce(nullif(actor, ''), 'sealed in ' || (length(sealed_actor) - 61)"
                    + " || ' bytes') FROM revision ORDER BY rev"))
        .as("old revisions stay in clear, new ones are sealed")
        .containsExactlyElementsOf(
            Stream.concat(
                    Collections.nCopies(had, "golden-writer").stream(),
                    Stream.of("sealed in 13 bytes"))
                .toList());
  }

  @Test
  void aStoreOlderThanItsSealingIsReadWhereTheSettingsSaySo() throws Exception {
    migrateACopy(NEWEST_UNSEALED);
    SecretRef secret = new SecretRef("card-api", 1);
    try (Persistence persistence = GoldenStore.open(path)) {
      Repositories golden = GoldenRecords.officer(persistence);
      WorkflowExecution completed = golden.executions().find(GoldenStore.COMPLETED).orElseThrow();
      assertThatThrownBy(() -> golden.executions().input(completed))
          .isInstanceOf(PersistenceException.Corrupt.class)
          .hasMessageContainingAll(
              completed.id().toString(), "not sealed", "wovyr.sealing.unsealed to accept");
    }
    Payload value;
    try (Persistence persistence = GoldenStore.open(path, ACCEPTING_CLEAR)) {
      Repositories golden = GoldenRecords.officer(persistence);
      WorkflowExecution completed = golden.executions().find(GoldenStore.COMPLETED).orElseThrow();
      assertThat(golden.executions().input(completed)).isPresent();
      assertThatThrownBy(() -> golden.secrets().open(secret))
          .isInstanceOf(PersistenceException.Corrupt.class)
          .hasMessageContainingAll("not sealed", "wovyr.sealing.provider was none");
    }
    try (Persistence persistence = GoldenStore.open(path, UNSEALED)) {
      value = GoldenRecords.officer(persistence).secrets().open(secret);
    }
    try (Persistence persistence = GoldenStore.open(path)) {
      Repositories golden = GoldenRecords.officer(persistence);
      golden.secrets().put("card-api", value).orThrow();
      assertThat(golden.secrets().open(golden.secrets().latest("card-api").orElseThrow()))
          .isEqualTo(value);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 6, 7, 8})
  void whatWasSealedOpensWithItsKeystoreOnly(int schema) throws Exception {
    migrateACopy(schema);
    assertThat(query("SELECT scope FROM data_key WHERE tenant_id = 'golden'"))
        .containsExactlyInAnyOrder("DATA", "SECRET");
    assertThat(query("SELECT actor FROM revision ORDER BY rev"))
        .as("all but the schedule's, which was written past core")
        .hasSizeGreaterThan(5)
        .endsWith("", "golden-writer")
        .containsOnlyOnce("golden-writer")
        .containsOnly("", "golden-writer");
    Files.delete(Path.of(path + ".keystore"));
    try (Persistence persistence = GoldenStore.open(path)) {
      Repositories golden = persistence.as(GoldenStore.caller());
      WorkflowExecution completed = golden.executions().find(GoldenStore.COMPLETED).orElseThrow();
      assertThatThrownBy(() -> golden.executions().input(completed))
          .isInstanceOf(PersistenceException.Unavailable.class);
    }
  }
}
