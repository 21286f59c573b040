/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.lease.AcquireResult;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.storage.spi.StorageProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A migrated store of its own, with the layer open on it: it makes the executions that a column
 * then works on, so that all columns begin with the same rows. Thread-safe.
 */
abstract class Ground implements AutoCloseable {
  /** The ways in the order of a round's turns. */
  static final List<Way> WAYS = List.of(Way.FLOOR, Way.STORAGE, Way.REPOSITORIES);

  private final StorageProvider provider;
  private final Map<String, String> settings;
  private Persistence persistence;
  private Repositories repositories;
  private @Nullable Path keys;

  /**
   * @param settings of the storage provider, without prefix
   */
  Ground(StorageProvider provider, Map<String, String> settings) {
    this.provider = provider;
    this.settings = settings;
    this.persistence = open(Map.of("wovyr.sealing.provider", "none"));
    this.repositories = repositories(persistence);
  }

  /** As the floors do not seal, what stands beside them is done in clear. */
  private Persistence open(Map<String, String> sealing) {
    Map<String, String> prefixed = new HashMap<>(sealing);
    settings.forEach((key, value) -> prefixed.put("wovyr.storage." + key, value));
    return WovyrPersistence.builder().provider(provider).settings(prefixed).build();
  }

  /** From now on values are sealed, by a keystore of this ground's own. */
  final void seal() throws IOException {
    Path directory = Files.createTempDirectory("wovyr-bench-keys-");
    keys = directory;
    persistence.close();
    persistence =
        open(
            Map.of(
                "wovyr.sealing.keystore.path",
                directory.resolve("keys.p12").toString(),
                "wovyr.sealing.keystore.create",
                "true"));
    repositories = repositories(persistence);
  }

  private static Repositories repositories(Persistence persistence) {
    return persistence.as(Caller.of(Step.TENANT, Step.ACTOR, Role.WRITER, Role.ADMIN));
  }

  /** An execution that runs, and is leased. */
  record Held(UUID id, Lease lease) {}

  /** Makes an execution, leases it, lets it run. */
  final Held create() {
    UUID id = UUID.randomUUID();
    repositories.executions().create(NewExecution.of(DefinitionRef.of("bench", 1)).withId(id));
    Lease lease = lease(id);
    WorkflowExecution created = repositories.executions().find(id).orElseThrow();
    repositories
        .executions()
        .transition(created, Transition.to(ExecutionStatus.RUNNING), Append.next(lease))
        .orThrow();
    return new Held(id, lease);
  }

  /** The layer over this ground. */
  final Persistence persistence() {
    return persistence;
  }

  final Repositories repositories() {
    return repositories;
  }

  final Lease lease(UUID id) {
    AcquireResult acquired = repositories.leases().acquire(id, Step.WORKER, Step.TTL);
    if (acquired instanceof AcquireResult.Acquired taken) {
      return taken.lease();
    }
    throw new IllegalStateException("nobody else takes this execution: " + acquired);
  }

  /** The ways of doing the work, the floor first. Another one is one more line here. */
  enum Way {
    FLOOR,
    STORAGE,
    REPOSITORIES,
    SEALED
  }

  /** Opens a way of doing the work. */
  final Column column(Way way) throws SQLException {
    return switch (way) {
      case FLOOR -> floor();
      case STORAGE -> new StorageColumn(provider.open(settings));
      case REPOSITORIES -> new CoreColumn("repositories", repositories);
      case SEALED -> new CoreColumn("repositories, sealed", repositories);
    };
  }

  /** By hand, over the same tables. */
  abstract Column floor() throws SQLException;

  /** A connection that sees all rows of all tenants. */
  abstract Connection administrator() throws SQLException;

  /**
   * What the store says of itself.
   *
   * @param schemaVersion goes into every row
   */
  record Identity(long epoch, int schemaVersion) {}

  final Identity identity() throws SQLException {
    try (Connection connection = administrator();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT epoch, schema_version FROM wovyr_store")) {
      row.next();
      return new Identity(row.getLong(1), row.getInt(2));
    }
  }

  /** Copies a row so often, as SQL does it; the ids of the copies. */
  abstract List<UUID> copies(List<Copy> rows, Object original, int count) throws SQLException;

  /** How often the server read whole tables of this ground so far; NaN when it does not tell. */
  abstract double fullScans() throws SQLException;

  /** What the server's statistics say about updates of heads, once all columns are closed. */
  abstract HeadUpdates headUpdates() throws SQLException;

  /**
   * Updates of the head's table.
   *
   * @param heapOnly those that touched no index; of a store that does not tell, both are 0
   */
  record HeadUpdates(long all, long heapOnly) {
    static final HeadUpdates UNKNOWN = new HeadUpdates(0, 0);
  }

  @Override
  public void close() throws SQLException, IOException {
    persistence.close();
    Path directory = keys;
    if (directory != null) {
      Bench.delete(directory);
    }
  }
}
