/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A server of a test's own, which it may copy, kill and promote. Holds one store. */
public final class TestCluster implements AutoCloseable {
  private final EmbeddedPostgres server;
  private final Path data;
  private boolean gone;

  private TestCluster(EmbeddedPostgres server, Path data) {
    this.server = server;
    this.data = data;
  }

  /**
   * Starts a server on a data directory, a new one if there is none.
   *
   * @param port 0: a free one
   */
  public static TestCluster start(Path data, int port) throws IOException {
    return start(data, port, Map.of());
  }

  /** As {@link #start(Path, int)}, with more settings of the server. */
  public static TestCluster start(Path data, int port, Map<String, String> more)
      throws IOException {
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setDataDirectory(data)
            .setCleanDataDirectory(false)
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("listen_addresses", "127.0.0.1")
            .setServerConfig("hot_standby", "on")
            // See PostgresServer.
            .setServerConfig("autovacuum", "off")
            .setPGStartupWait(PostgresServer.START_WITHIN);
    more.forEach(builder::setServerConfig);
    if (port != 0) {
      builder.setPort(port);
    }
    return new TestCluster(builder.start(), data);
  }

  public int port() {
    return server.getPort();
  }

  public Connection admin() throws SQLException {
    return DriverManager.getConnection(server.getJdbcUrl("postgres", "postgres"));
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

  /** The one number that a query returns, as the superuser. */
  public long count(String query) throws SQLException {
    try (Connection connection = admin();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Creates the roles and a migrated store. */
  public void prepare() throws SQLException {
    run(
        "CREATE ROLE wovyr_test_owner LOGIN CREATEROLE",
        "CREATE ROLE wovyr_test_runtime LOGIN",
        "CREATE ROLE wovyr_test_system LOGIN",
        "CREATE DATABASE wovyr OWNER wovyr_test_owner");
    new PostgresqlStorageProvider()
        .migrator()
        .migrate(Map.of("url", url(), "user", "wovyr_test_owner"), step -> {});
    run("GRANT wovyr_runtime TO wovyr_test_runtime", "GRANT wovyr_system TO wovyr_test_system");
  }

  private String url() {
    return "jdbc:postgresql://127.0.0.1:" + port() + "/wovyr";
  }

  public Map<String, String> settings() {
    return Map.of(
        "url", url(),
        "user", "wovyr_test_runtime",
        "system-user", "wovyr_test_system",
        "connect-timeout", "PT10S");
  }

  /** Makes a standby of a base backup: it has what was committed by now, and nothing later. */
  public void copyTo(Path standby) throws SQLException, IOException {
    try (Connection connection = admin();
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_backup_start('test', true)");
      copy(data, standby);
      try (ResultSet row = statement.executeQuery("SELECT labelfile FROM pg_backup_stop(false)")) {
        row.next();
        Files.writeString(standby.resolve("backup_label"), row.getString(1));
      }
      // The log of the backup itself; the copy was made while it was written.
      Path log = standby.resolve("pg_wal");
      try (var segments = Files.list(data.resolve("pg_wal"))) {
        for (Path segment : segments.filter(Files::isRegularFile).toList()) {
          Files.write(log.resolve(segment.getFileName().toString()), Files.readAllBytes(segment));
        }
      }
    }
    Files.write(standby.resolve("standby.signal"), "".getBytes(StandardCharsets.UTF_8));
    Files.setPosixFilePermissions(standby, PosixFilePermissions.fromString("rwx------"));
  }

  /** Makes a standby a primary, on a timeline of its own. */
  public void promote() throws SQLException {
    run("SELECT pg_promote()");
    long until = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (true) {
      try (Connection connection = admin();
          PreparedStatement statement = connection.prepareStatement("SELECT pg_is_in_recovery()");
          ResultSet row = statement.executeQuery()) {
        row.next();
        if (!row.getBoolean(1)) {
          return;
        }
      }
      if (System.nanoTime() - until > 0) {
        throw new IllegalStateException("the standby does not become a primary");
      }
    }
  }

  /** Kills the server's processes: no shutdown, no last words. */
  public void kill() throws IOException {
    long postmaster =
        Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip());
    ProcessHandle process = ProcessHandle.of(postmaster).orElseThrow();
    List<ProcessHandle> sessions = process.descendants().toList();
    process.destroyForcibly();
    process.onExit().join();
    sessions.forEach(TestCluster::killAndAwait);
    close();
  }

  /** While a session lives, no server can be started on its directory again. */
  private static void killAndAwait(ProcessHandle session) {
    session.destroyForcibly();
    session.onExit().completeOnTimeout(session, 10, TimeUnit.SECONDS).join();
  }

  /** Kills what is left of the server, and starts it again where it was. */
  public TestCluster restarted() throws IOException {
    int port = port();
    try {
      kill();
    } catch (IOException | java.util.NoSuchElementException e) {
      close();
    }
    return start(data, port);
  }

  @Override
  public void close() throws IOException {
    if (!gone) {
      gone = true;
      server.close();
    }
  }

  private static void copyIfItIsStillThere(Path file, Path to) throws IOException {
    try {
      Files.copy(file, to, StandardCopyOption.COPY_ATTRIBUTES);
    } catch (NoSuchFileException e) {
      // The server has removed it meanwhile: a backup does without it.
    }
  }

  /** Copies a data directory while the server writes to it. */
  private static void copy(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes)
              throws IOException {
            Path target = to.resolve(from.relativize(dir).toString());
            Files.createDirectories(target);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (!file.getFileName().toString().startsWith("postmaster.")) {
              copyIfItIsStillThere(file, to.resolve(from.relativize(file).toString()));
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }
        });
  }
}
