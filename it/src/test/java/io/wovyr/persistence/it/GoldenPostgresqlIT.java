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
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Rows of a PostgreSQL store of schema 1, written once: every later version migrates them, reads
 * them, goes on.
 */
final class GoldenPostgresqlIT {
  /** The steps that make schema 1. */
  private static final int STEPS = 13;

  /** A store of schema 1 with the golden rows, then migrated. */
  private static PostgresServer.Database migrated() throws Exception {
    PostgresServer.Database database = PostgresServer.shared().newStoreOfSteps(STEPS);
    try (InputStream script =
        Objects.requireNonNull(
            GoldenPostgresqlIT.class.getResourceAsStream("/golden/postgresql-schema-1.sql"))) {
      database.run(new String(script.readAllBytes(), StandardCharsets.UTF_8));
    }
    Objects.requireNonNull(new PostgresqlStorageProvider().migrator())
        .migrate(database.migration(), step -> {});
    return database;
  }

  @Test
  void keepsEveryRecordAndGoesOn() throws Exception {
    try (PostgresServer.Database database = migrated();
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
