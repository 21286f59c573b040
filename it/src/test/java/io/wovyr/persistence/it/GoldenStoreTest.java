/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import static io.wovyr.persistence.event.Section.VARIABLES;
import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.jpa.sqlite.SqliteStorageProvider;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.state.WorkflowState;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A SQLite store of schema 1, written once: every later version migrates it, reads it, goes on. */
class GoldenStoreTest {
  private static final String CONTENT_HASH =
      "1:8405a8ce3d566a206be1c879fe6b2e291b243e77cf2aa2ea64241eab8b876032";
  private static final String STATE_HASH =
      "1:717ae29816d991b511862393e3d42f57ebae74c4fcc1f0c70fb7df344871f340";

  @TempDir Path directory;
  private String path = "";

  @BeforeEach
  void migrateACopy() throws Exception {
    Path copy = directory.resolve("golden.db");
    try (InputStream golden =
        Objects.requireNonNull(
            getClass().getResourceAsStream("/golden/sqlite-schema-1.db"), "golden store")) {
      Files.copy(golden, copy);
    }
    path = copy.toString();
    Objects.requireNonNull(new SqliteStorageProvider().migrator())
        .migrate(Map.of("path", path), step -> {});
  }

  @Test
  void keepsEveryRecord() {
    try (Persistence persistence = GoldenStore.open(path)) {
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

  @Test
  void keepsStateAndHashes() {
    try (Persistence persistence = GoldenStore.open(path)) {
      Repositories golden = persistence.as(GoldenStore.caller());
      WorkflowState state = golden.executions().state(GoldenStore.RUNNING);
      assertThat(golden.open(state.get(VARIABLES, "note").orElseThrow()))
          .isEqualTo(Payload.text(GoldenStore.FREE_TEXT));
      assertThat(state.get(VARIABLES, "gone")).isEmpty();
      assertThat(state.contentHash(golden::open)).hasToString(CONTENT_HASH);
      assertThat(state.hash()).hasToString(STATE_HASH);
    }
  }

  @Test
  void goesOnWhereItWas() {
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
}
