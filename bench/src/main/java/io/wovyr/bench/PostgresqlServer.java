/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

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
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

/**
 * The server under measurement: one that is started for the run, as durable as in production, or
 * one that is there already. Thread-safe.
 */
final class PostgresqlServer implements AutoCloseable {
  private final String administratorUrl;
  private final @Nullable EmbeddedPostgres own;
  private final long pid;

  private PostgresqlServer(String administratorUrl, @Nullable EmbeddedPostgres own)
      throws SQLException {
    this.administratorUrl = administratorUrl;
    this.own = own;
    this.pid = findPid();
  }

  /** A server of this run, its data in this directory. */
  static PostgresqlServer start(Path directory, int connections) throws SQLException {
    try {
      EmbeddedPostgres started =
          EmbeddedPostgres.builder()
              .setOverrideWorkingDirectory(directory.resolve("postgresql").toFile())
              .setDataDirectory(directory.resolve("data"))
              .setCleanDataDirectory(true)
              .setRegisterShutdownHook(false)
              .setServerConfig("fsync", "on")
              .setServerConfig("synchronous_commit", "on")
              .setServerConfig("full_page_writes", "on")
              .setServerConfig("shared_buffers", "256MB")
              .setServerConfig("max_wal_size", "4GB")
              .setServerConfig("max_connections", String.valueOf(connections))
              .setServerConfig("listen_addresses", "127.0.0.1")
              .setServerConfig("hba_file", authentication(directory).toString())
              .setPGStartupWait(Duration.ofMinutes(1))
              .start();
      return new PostgresqlServer(started.getJdbcUrl("postgres", "postgres"), started);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "no PostgreSQL server: is there a free port and room in " + directory + "?", e);
    }
  }

  /** Only the superuser needs no password. */
  private static Path authentication(Path directory) throws IOException {
    return Files.writeString(
        directory.resolve("pg_hba.conf"),
        """
        host all postgres 127.0.0.1/32 trust
        host all all 127.0.0.1/32 scram-sha-256
        """);
  }

  /**
   * @param administratorUrl of the driver, with user and password of a superuser
   */
  static PostgresqlServer at(String administratorUrl) throws SQLException {
    return new PostgresqlServer(administratorUrl, null);
  }

  /** A superuser's connection to a database. */
  Connection administrator(@Nullable String database) throws SQLException {
    return DriverManager.getConnection(
        database == null ? administratorUrl : url(database, null) + parameters());
  }

  private String parameters() {
    int question = administratorUrl.indexOf('?');
    return question < 0 ? "" : administratorUrl.substring(question);
  }

  private Properties parsed() {
    return Driver.parseURL(administratorUrl, new Properties());
  }

  String host() {
    return parsed().getProperty("PGHOST");
  }

  int port() {
    return Integer.parseInt(parsed().getProperty("PGPORT"));
  }

  /** The URL of a database, without user and password; through a wire, when there is one. */
  String url(String database, @Nullable CountingWire wire) {
    return wire == null
        ? "jdbc:postgresql://" + host() + ":" + port() + "/" + database
        : "jdbc:postgresql://127.0.0.1:" + wire.port() + "/" + database;
  }

  String version() throws SQLException {
    return "postgresql "
        + query("SHOW server_version")
        + ", fsync "
        + query("SHOW fsync")
        + ", synchronous_commit "
        + query("SHOW synchronous_commit");
  }

  private String query(String text) throws SQLException {
    try (Connection connection = administrator(null);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(text)) {
      row.next();
      return row.getString(1);
    }
  }

  /** The server's first process; 0 when it runs elsewhere, or does not say. */
  private long findPid() {
    try {
      long found =
          Long.parseLong(query("SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)"));
      String command = Files.readString(Path.of("/proc/" + found + "/comm"));
      return command.startsWith("postgres") ? found : 0;
    } catch (SQLException | IOException | NumberFormatException e) {
      return 0;
    }
  }

  double cpuNanos() {
    return pid == 0 ? Double.NaN : Processes.familyCpuNanos(pid);
  }

  /** Runs statements as the superuser. */
  void run(@Nullable String database, String... statements) throws SQLException {
    try (Connection connection = administrator(database);
        Statement statement = connection.createStatement()) {
      for (String text : statements) {
        statement.execute(text);
      }
    }
  }

  /** Position of the log, and the next transaction id. */
  Map.Entry<Double, Double> position() throws SQLException {
    try (Connection connection = administrator(null);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn,"
                    + " pg_snapshot_xmax(pg_current_snapshot())::text::bigint")) {
      row.next();
      return Map.entry(row.getDouble(1), row.getDouble(2));
    }
  }

  @Override
  public void close() throws IOException {
    if (own != null) {
      own.close();
    }
  }
}
