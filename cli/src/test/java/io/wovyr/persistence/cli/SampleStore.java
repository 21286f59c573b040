/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.lease.AcquireResult;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.payload.Payload;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;

/** A migrated SQLite store and a program that writes to it. */
final class SampleStore implements AutoCloseable {
  /** Stands in every payload, so that a test can see whether one was shown. */
  static final String SECRET = "4111-1111-1111-1111";

  static final Duration TTL = Duration.ofSeconds(30);

  private final Path path;
  private final Persistence persistence;

  private SampleStore(Path path, String provider, Map<String, String> settings) {
    this.path = path;
    this.persistence =
        WovyrPersistence.builder().provider(Providers.named(provider)).settings(settings).build();
  }

  /** A store that was made before. */
  static SampleStore open(String provider, Map<String, String> settings) {
    return new SampleStore(Path.of("nowhere"), provider, settings);
  }

  /** Makes a store at this place and opens it. */
  static SampleStore create(Path path) {
    Providers.named("sqlite").migrator().migrate(Map.of("path", path.toString()), step -> {});
    return new SampleStore(path, "sqlite", Map.of("wovyr.storage.path", path.toString()));
  }

  Path path() {
    return path;
  }

  Persistence persistence() {
    return persistence;
  }

  Repositories orders() {
    return tenant(GlobalOptions.DEFAULT_TENANT);
  }

  Repositories tenant(String tenant) {
    return persistence.as(
        Caller.of(tenant, "order-service", Role.READER, Role.WRITER, Role.OPERATOR));
  }

  /** A new execution with an input that holds the secret. */
  UUID createOrder(String workflowId) {
    return createOrder(orders(), workflowId);
  }

  static UUID createOrder(Repositories repositories, String workflowId) {
    NewExecution order =
        NewExecution.of(DefinitionRef.of("order", 2))
            .withWorkflowId(workflowId)
            .withSearchAttribute("country", "GB")
            .withInput(Payload.json("{\"card\": \"" + SECRET + "\"}"));
    CommitResult.Applied created = repositories.executions().create(order).orThrow();
    return created.records(WorkflowExecution.class).get(0).id();
  }

  Lease acquire(UUID id, String worker) {
    AcquireResult result = orders().leases().acquire(id, worker, TTL);
    return ((AcquireResult.Acquired) result).lease();
  }

  void release(Lease lease) {
    orders().leases().release(lease, Wake.now());
  }

  /** One event with a payload and a state change, both holding the secret. */
  void charge(Lease lease, int attempt) {
    orders()
        .events()
        .append(
            lease.executionId(),
            Append.next(lease),
            NewEvent.of("Charged")
                .withPayload(
                    Payload.json("{\"attempt\":" + attempt + ",\"card\":\"" + SECRET + "\"}"))
                .putPayload(Section.ACTIVITIES, "charge")
                .put(Section.VARIABLES, "receipt", Payload.text("paid with " + SECRET)))
        .orThrow();
  }

  void transition(Lease lease, ExecutionStatus to) {
    WorkflowExecution before = orders().executions().find(lease.executionId()).orElseThrow();
    Transition transition = Transition.to(to);
    if (to.isFinal()) {
      transition = transition.withOutcome(Payload.json("{\"card\":\"" + SECRET + "\"}"));
    }
    orders().executions().transition(before, transition, Append.next(lease)).orThrow();
  }

  /** An order that went through: 4 events of its own, COMPLETED. */
  UUID completeOrder(String workflowId) {
    UUID id = createOrder(workflowId);
    Lease lease = acquire(id, "worker-1");
    transition(lease, ExecutionStatus.RUNNING);
    charge(lease, 1);
    transition(lease, ExecutionStatus.COMPLETED);
    return id;
  }

  /** Does to the file what no program of ours does. */
  void tamper(String... statements) throws SQLException {
    tamper(path, statements);
  }

  /** Does to this file what no program of ours does. */
  static void tamper(Path path, String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + path);
        Statement statement = connection.createStatement()) {
      statement.execute("BEGIN IMMEDIATE");
      for (String sql : statements) {
        statement.execute(sql);
      }
      statement.execute("COMMIT");
    }
  }

  @Override
  public void close() {
    persistence.close();
  }
}
