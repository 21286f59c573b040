/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import static io.wovyr.persistence.event.Section.VARIABLES;
import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.ExecutionQuery;
import io.wovyr.persistence.execution.ExecutionQuery.By;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.feed.RegisteredCursor;
import io.wovyr.persistence.jpa.sqlite.SqliteStorageProvider;
import io.wovyr.persistence.lease.AcquireResult.Acquired;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload.Body;
import io.wovyr.persistence.storage.spi.Storage;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;

/**
 * Writes the store that every later version must read, sealed, with its keystore beside it. Run
 * once for a schema version; it never overwrites one.
 */
final class GoldenStore {
  static final UUID RUNNING = UUID.fromString("01890000-0000-7000-8000-000000000001");
  static final UUID COMPLETED = UUID.fromString("01890000-0000-7000-8000-000000000002");
  static final UUID LARGE = UUID.fromString("01890000-0000-7000-8000-0000000000ff");

  /** So that a value in chunks needs no megabyte. */
  static final Map<String, String> SMALL_RECORDS = Map.of("wovyr.payload.inline-limit", "8192");

  static final String TENANT = "golden";
  static final String FREE_TEXT = "tab\tNUL\u0000 emoji \uD83D\uDE80";

  /** Of the state of the running execution, whatever store keeps it. */
  static final String CONTENT_HASH =
      "1:8405a8ce3d566a206be1c879fe6b2e291b243e77cf2aa2ea64241eab8b876032";

  private GoldenStore() {}

  public static void main(String[] arguments) throws Exception {
    Path store = Path.of(arguments[0]);
    if (Files.exists(store)) {
      throw new FileAlreadyExistsException(store + " is golden: it is never written again");
    }
    String path = SqliteFile.migrated(store);
    try (Persistence persistence = open(path, SMALL_RECORDS);
        Storage storage = new SqliteStorageProvider().open(Map.of("path", path))) {
      write(persistence.as(caller()));
      writeLarge(persistence.as(caller()));
      GoldenRecords.write(persistence, storage);
      Files.write(Path.of(arguments[1]), GoldenText.of(storage));
    }
  }

  static Persistence open(String path) {
    return open(path, Map.of());
  }

  static Persistence open(String path, Map<String, String> settings) {
    return SqliteFile.open(path, settings);
  }

  static Caller caller() {
    return Caller.of(TENANT, "golden-writer", Role.WRITER, Role.OPERATOR);
  }

  static void write(Repositories repositories) {
    Lease running = create(repositories, RUNNING, "running");
    repositories
        .events()
        .append(
            RUNNING,
            Append.after(running, 1),
            List.of(
                NewEvent.of("Noted")
                    .withCorrelationId(RUNNING)
                    .withCausationId(COMPLETED)
                    .withPayload(Payload.text(FREE_TEXT))
                    .putPayload(VARIABLES, "note"),
                NewEvent.of("Forgotten").put(VARIABLES, "gone", Payload.text("soon"))))
        .orThrow();
    repositories
        .events()
        .append(RUNNING, Append.next(running), NewEvent.of("Removed").remove(VARIABLES, "gone"))
        .orThrow();
    repositories
        .events()
        .append(RUNNING, Append.signal("approval-1"), NewEvent.of("Approved"))
        .orThrow();
    Lease completed = create(repositories, COMPLETED, "completed");
    WorkflowExecution execution = repositories.executions().find(COMPLETED).orElseThrow();
    repositories
        .unitOfWork()
        .transition(execution, Transition.to(ExecutionStatus.RUNNING), Append.next(completed))
        .commit()
        .orThrow();
    execution = repositories.executions().find(COMPLETED).orElseThrow();
    repositories
        .executions()
        .transition(
            execution,
            Transition.to(ExecutionStatus.COMPLETED).withOutcome(Payload.json("{\"ok\":true}")),
            Append.next(completed))
        .orThrow();
    repositories
        .feed()
        .cursors()
        .insert(
            RegisteredCursor.of(
                "projection", repositories.feed().read(Optional.empty(), 3).next().orElseThrow()))
        .orThrow();
    if (repositories.leases().acquireName("sealer", "node-1", Duration.ofMinutes(1)).isEmpty()) {
      throw new IllegalStateException("the name is free");
    }
  }

  private static Lease create(Repositories repositories, UUID id, String name) {
    NewExecution execution =
        NewExecution.of(new DefinitionRef("golden", 2, "ab".repeat(32)))
            .withId(id)
            .withWorkflowId(name)
            .withSearchAttribute("city", "Zürich")
            .withInput(Payload.json("{\"name\":\"" + name + "\"}"));
    repositories.executions().create(execution).orThrow();
    Acquired acquired =
        (Acquired) repositories.leases().acquire(id, "worker", Duration.ofMinutes(5));
    return acquired.lease();
  }

  /** Values in chunks, since SQLite schema 8 and PostgreSQL schema 7. */
  static void writeLarge(Repositories repositories) {
    repositories
        .executions()
        .create(NewExecution.of(new DefinitionRef("large", 1, "cd".repeat(32))).withId(LARGE))
        .orThrow();
    repositories
        .events()
        .append(
            LARGE,
            Append.signal("scan-1"),
            NewEvent.of("Scanned").withPayload(noise(1)).put(VARIABLES, "scan", noise(2)))
        .orThrow();
  }

  static void verifyLarge(Repositories golden) {
    WorkflowEvent scanned = golden.events().find(LARGE, 2).orElseThrow();
    assertThat(golden.events().payload(scanned)).contains(noise(1));
    assertThat(scanned.payload().orElseThrow().body()).isInstanceOf(Body.Chunked.class);
    assertThat(golden.open(golden.executions().state(LARGE).get(VARIABLES, "scan").orElseThrow()))
        .isEqualTo(noise(2));
  }

  private static Payload noise(int seed) {
    byte[] noise = new byte[10_000];
    new Random(seed).nextBytes(noise);
    return Payload.of("application/octet-stream", noise);
  }

  /** Whatever schema wrote them, executions are found by what they are. */
  static void verifyQueries(Repositories golden, boolean migrated) {
    WorkflowExecution completed = golden.executions().find(COMPLETED).orElseThrow();
    if (migrated) {
      assertThat(completed.startedAt()).isEqualTo(completed.header().createdAt());
    }
    assertThat(found(golden, ExecutionQuery.all().oldestFirst())).startsWith(RUNNING, COMPLETED);
    assertThat(found(golden, ExecutionQuery.by(new By.Status(ExecutionStatus.COMPLETED))))
        .containsExactly(COMPLETED);
    assertThat(found(golden, ExecutionQuery.by(new By.Definition("golden"))))
        .containsExactly(COMPLETED, RUNNING);
    assertThat(found(golden, ExecutionQuery.by(new By.WorkflowId("running"))))
        .containsExactly(RUNNING);
    assertThat(found(golden, ExecutionQuery.by(new By.Attribute("city", "Zürich")).oldestFirst()))
        .startsWith(RUNNING, COMPLETED);
    assertThat(found(golden, ExecutionQuery.all().to(completed.startedAt())))
        .containsExactly(RUNNING);
  }

  private static List<UUID> found(Repositories golden, ExecutionQuery query) {
    return golden.executions().find(query, 10, Optional.empty()).items().stream()
        .map(WorkflowExecution::id)
        .toList();
  }
}
