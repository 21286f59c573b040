/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

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
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL server for these tests: of our own, or the one that {@code WOVYR_TEST_POSTGRES_URL}
 * names (a URL of the driver, with a superuser's user and password). Its logins have the password
 * {@code test}.
 */
final class PostgresqlServer implements AutoCloseable {
  static final String PASSWORD = "test";
  private static final String VARIABLE = "WOVYR_TEST_POSTGRES_URL";

  private final String adminUrl;
  private final @Nullable EmbeddedPostgres own;

  private PostgresqlServer(String adminUrl, @Nullable EmbeddedPostgres own) {
    this.adminUrl = adminUrl;
    this.own = own;
  }

  static PostgresqlServer start() {
    @Nullable String outside = System.getenv(VARIABLE);
    if (outside != null) {
      return new PostgresqlServer(outside, null);
    }
    try {
      Path rules = Files.createTempFile("wovyr-pg_hba", ".conf");
      rules.toFile().deleteOnExit();
      Files.writeString(
          rules, "host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n");
      EmbeddedPostgres server =
          EmbeddedPostgres.builder()
              .setServerConfig("fsync", "on")
              .setServerConfig("synchronous_commit", "on")
              .setServerConfig("listen_addresses", "127.0.0.1")
              .setServerConfig("hba_file", rules.toString())
              // A transaction of the server's own would hold the feed back for a moment.
              .setServerConfig("autovacuum", "off")
              .setPGStartupWait(Duration.ofMinutes(2))
              .start();
      return new PostgresqlServer(server.getJdbcUrl("postgres", "postgres"), server);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A superuser's connection. */
  Connection admin() throws SQLException {
    return DriverManager.getConnection(adminUrl);
  }

  /** A superuser's connection to this database. */
  Connection admin(String database) throws SQLException {
    String path = url(database);
    int options = adminUrl.indexOf('?');
    return DriverManager.getConnection(options < 0 ? path : path + adminUrl.substring(options));
  }

  /** Runs statements as a superuser. */
  void run(String... statements) throws SQLException {
    try (Connection connection = admin();
        Statement statement = connection.createStatement()) {
      for (String text : statements) {
        statement.execute(text);
      }
    }
  }

  /** A login, made when there is none. */
  void login(String name, String more) throws SQLException {
    try (Connection connection = admin();
        Statement statement = connection.createStatement()) {
      try (ResultSet row =
          statement.executeQuery("SELECT 1 FROM pg_roles WHERE rolname = '" + name + "'")) {
        if (row.next()) {
          return;
        }
      }
      statement.execute("CREATE ROLE %s LOGIN PASSWORD '%s' %s".formatted(name, PASSWORD, more));
    }
  }

  /** An empty database of this owner. */
  void database(String name, String owner) throws SQLException {
    run(
        "DROP DATABASE IF EXISTS " + name + " WITH (FORCE)",
        "CREATE DATABASE " + name + " OWNER " + owner + " ENCODING 'UTF8' TEMPLATE template0");
  }

  /** Where a database is, without user and password. */
  String url(String database) {
    return adminUrl.replaceFirst("/[^/?]*(\\?.*)?$", "/" + database);
  }

  @Override
  public void close() {
    if (own != null) {
      try {
        own.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
