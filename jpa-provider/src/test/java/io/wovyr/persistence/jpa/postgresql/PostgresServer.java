/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.conformance.fault.FaultyWire;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

/**
 * The PostgreSQL server of the tests, as durable as in production: one of our own for each JVM,
 * started when it is first needed, or the one that {@code WOVYR_TEST_POSTGRES_URL} names (a URL of
 * the driver, with a superuser's user and password). Tests connect as the plain roles.
 */
public final class PostgresServer {
  private static final String VARIABLE = "WOVYR_TEST_POSTGRES_URL";
  private static final String PASSWORD = "test";

  /** On a slow machine a server that was killed takes its time. */
  static final Duration START_WITHIN = Duration.ofMinutes(2);

  private static final AtomicInteger DATABASES = new AtomicInteger();
  private static @Nullable PostgresServer shared;

  private final String adminUrl;

  private PostgresServer(String adminUrl) {
    this.adminUrl = adminUrl;
  }

  /** The server of this JVM. */
  public static synchronized PostgresServer shared() {
    if (shared == null) {
      String outside = System.getenv(VARIABLE);
      shared =
          new PostgresServer(
              outside != null ? outside : start().getJdbcUrl("postgres", "postgres"));
      shared.createRoles();
    }
    return shared;
  }

  /** A server of the caller's own, beside the shared one; as durable. */
  static EmbeddedPostgres start() {
    try {
      return EmbeddedPostgres.builder()
          .setServerConfig("fsync", "on")
          .setServerConfig("synchronous_commit", "on")
          .setServerConfig("listen_addresses", "127.0.0.1")
          .setServerConfig("max_prepared_transactions", "10")
          // Any transaction of the cluster that writes holds the feed of a store back for a moment,
          // one of the server's own as well.
          .setServerConfig("autovacuum", "off")
          // Into one file in its data directory, so that tests can look at it.
          .setServerConfig("logging_collector", "on")
          .setServerConfig("log_rotation_age", "0")
          .setServerConfig("log_rotation_size", "0")
          .setServerConfig("hba_file", authentication().toString())
          .setPGStartupWait(START_WITHIN)
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(
          "no PostgreSQL server: is there a free port and room in /tmp?", e);
    }
  }

  /** Only the superuser needs no password. */
  private static Path authentication() throws IOException {
    Path file = Files.createTempFile("wovyr-pg_hba", ".conf");
    file.toFile().deleteOnExit();
    return Files.writeString(
        file,
        """
        host all postgres 127.0.0.1/32 trust
        host replication postgres 127.0.0.1/32 trust
        host all all 127.0.0.1/32 scram-sha-256
        """);
  }

  private void createRoles() {
    try (Connection connection = admin();
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_advisory_lock(4711)");
      for (String group : new String[] {"runtime", "system", "purge"}) {
        create(statement, "wovyr_" + group, "NOLOGIN");
        create(statement, "wovyr_test_" + group, "LOGIN PASSWORD '" + PASSWORD + "'");
        statement.execute("GRANT wovyr_" + group + " TO wovyr_test_" + group);
      }
      create(statement, "wovyr_test_owner", "LOGIN PASSWORD '" + PASSWORD + "'");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void create(Statement statement, String role, String how) throws SQLException {
    try (ResultSet row =
        statement.executeQuery("SELECT 1 FROM pg_roles WHERE rolname = '" + role + "'")) {
      if (row.next()) {
        return;
      }
    }
    statement.execute("CREATE ROLE " + role + " NOSUPERUSER NOBYPASSRLS NOCREATEROLE " + how);
  }

  /** A superuser's connection to the server. */
  Connection admin() throws SQLException {
    return DriverManager.getConnection(adminUrl);
  }

  /** An empty database, owned by the migration role. */
  public Database newDatabase() {
    String name = "wovyr_test_" + ProcessHandle.current().pid() + "_" + DATABASES.incrementAndGet();
    try (Connection connection = admin();
        Statement statement = connection.createStatement()) {
      statement.execute("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
      statement.execute(
          "CREATE DATABASE " + name + " OWNER wovyr_test_owner ENCODING 'UTF8' TEMPLATE template0");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return new Database(this, name);
  }

  /** A migrated database. */
  public Database newStore() {
    Database database = newDatabase();
    new PostgresqlStorageProvider().migrator().migrate(database.migration(), step -> {});
    return database;
  }

  /** A database with the first steps of the schema only, as an older version left it. */
  public Database newStoreOfSteps(int count) throws Exception {
    Database database = newStore();
    try (Connection connection = database.as("owner")) {
      PostgresqlMigrator.CHANGELOG.rollback(connection, PostgresqlMigrator.steps().size() - count);
      connection.rollback();
    }
    return database;
  }

  private String url(String database) {
    String url = adminUrl.replaceFirst("/[^/?]*(\\?.*)?$", "/" + database);
    return url;
  }

  /** A database of the server and how each role reaches it. */
  public record Database(PostgresServer server, String name) implements AutoCloseable {
    /** The URL, without user and password. */
    public String url() {
      return server.url(name);
    }

    /** Settings of the runtime role, with the system and purge roles beside it. */
    public Map<String, String> settings() {
      Map<String, String> settings = new HashMap<>();
      settings.put("url", url());
      settings.put("user", "wovyr_test_runtime");
      settings.put("password", PASSWORD);
      settings.put("system-user", "wovyr_test_system");
      settings.put("system-password", PASSWORD);
      settings.put("purge-user", "wovyr_test_purge");
      settings.put("purge-password", PASSWORD);
      return settings;
    }

    /** As {@link #settings()}, one changed. */
    Map<String, String> with(String key, String value) {
      Map<String, String> changed = settings();
      changed.put(key, value);
      return changed;
    }

    /** A wire to the server, to be broken. */
    public FaultyWire wire() {
      Properties parsed = Driver.parseURL(url(), new Properties());
      return FaultyWire.to(
          parsed.getProperty("PGHOST"), Integer.parseInt(parsed.getProperty("PGPORT")));
    }

    /** As {@link #settings()}, over this wire. */
    public Map<String, String> through(FaultyWire wire) {
      return with("url", "jdbc:postgresql://127.0.0.1:" + wire.port() + "/" + name);
    }

    /** Settings of the migration role. */
    public Map<String, String> migration() {
      return Map.of("url", url(), "user", "wovyr_test_owner", "password", PASSWORD);
    }

    /**
     * A plain connection as this role: {@code runtime}, {@code system}, {@code purge}, {@code
     * owner}.
     */
    Connection as(String role) throws SQLException {
      return DriverManager.getConnection(url(), "wovyr_test_" + role, PASSWORD);
    }

    /** The URL with which the superuser connects. */
    public String adminUrl() {
      String parameters =
          server.adminUrl.contains("?")
              ? server.adminUrl.substring(server.adminUrl.indexOf('?'))
              : "";
      return url() + parameters;
    }

    /** A superuser's connection. */
    public Connection admin() throws SQLException {
      return DriverManager.getConnection(adminUrl());
    }

    /** Runs statements as the superuser. */
    public void run(String... statements) throws SQLException {
      try (Connection connection = admin();
          Statement statement = connection.createStatement()) {
        for (String text : statements) {
          statement.execute(text);
        }
      }
    }

    /** The first column of a query of the superuser. */
    public List<String> query(String sql) throws SQLException {
      List<String> values = new ArrayList<>();
      try (Connection connection = admin();
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery(sql)) {
        while (row.next()) {
          values.add(row.getString(1));
        }
      }
      return values;
    }

    /** Drops the database, whoever is still connected. */
    @Override
    public void close() {
      try (Connection connection = server.admin();
          Statement statement = connection.createStatement()) {
        statement.execute("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
