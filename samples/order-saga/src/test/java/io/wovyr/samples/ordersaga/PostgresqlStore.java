/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A migrated PostgreSQL store for tests, to be opened as the plain roles: on a server of our own,
 * or on the one that {@code WOVYR_TEST_POSTGRES_URL} names (a URL of the driver, with a superuser's
 * user and password).
 */
final class PostgresqlStore implements AutoCloseable {
  private static final String VARIABLE = "WOVYR_TEST_POSTGRES_URL";
  private static final String DATABASE = "wovyr_test_demo";

  private final Map<String, String> settings;
  private final @Nullable EmbeddedServer server;

  private PostgresqlStore(Map<String, String> settings, @Nullable EmbeddedServer server) {
    this.settings = settings;
    this.server = server;
  }

  static PostgresqlStore start() {
    @Nullable String outside = System.getenv(VARIABLE);
    try {
      if (outside == null) {
        EmbeddedServer server = EmbeddedServer.start(Files.createTempDirectory("wovyr-demo"));
        return new PostgresqlStore(server.settings(), server);
      }
      PostgresqlSetup setup = new PostgresqlSetup("wovyr_test", "test");
      String url = outside.replaceFirst("/[^/?]*(\\?.*)?$", "/" + DATABASE);
      try (Connection administrator = DriverManager.getConnection(outside)) {
        setup.prepare(administrator, url, DATABASE);
      }
      return new PostgresqlStore(setup.settings(url), null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** For a run with a tenant of its own. */
  DemoStore.Server store() {
    return new DemoStore.Server(
        "postgresql", settings, Map.of(), "the server of the tests", Optional.empty());
  }

  /** For a run whose values are sealed under a keystore of its own. */
  DemoStore.Server sealed(Path keystore) {
    Map<String, String> sealing =
        Map.of(
            "wovyr.sealing.keystore.path",
            keystore.toString(),
            "wovyr.sealing.keystore.create",
            "true");
    return new DemoStore.Server(
        "postgresql", settings, sealing, "the server of the tests", Optional.empty());
  }

  /** As {@link #store()}, one setting changed. */
  DemoStore.Server with(String setting, String value) {
    Map<String, String> changed = new java.util.HashMap<>(settings);
    changed.put(setting, value);
    return new DemoStore.Server(
        "postgresql", changed, Map.of(), "the server of the tests", Optional.empty());
  }

  /** The files of the server, when it is our own. */
  static Optional<ProcessHandle> serverIn(Path run) {
    try {
      Path file = run.resolve("postgresql/data/postmaster.pid");
      return Files.exists(file)
          ? ProcessHandle.of(Long.parseLong(Files.readAllLines(file).get(0).strip()))
          : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
  }
}
