/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.persistence.internal.FileReasons;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL server of a run's own: on a free port of this machine's loopback, as durable as in
 * production, every login with a password, all it writes in one directory. It does not outlive the
 * run: it is stopped with it, on Ctrl-C too, and by a watchman when this process is killed.
 * Thread-safe.
 */
final class EmbeddedServer implements AutoCloseable {
  private static final String DATABASE = "orders";
  private static final String LOGINS = "orders";
  private static final Duration START_WITHIN = Duration.ofSeconds(60);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(30);
  private static final int PASSWORD_BYTES = 24;

  private final EmbeddedPostgres server;
  private final PostgresqlSetup setup;
  private final @Nullable Process watchman;
  private boolean stopped;

  private EmbeddedServer(
      EmbeddedPostgres server, PostgresqlSetup setup, @Nullable Process watchman) {
    this.server = server;
    this.setup = setup;
    this.watchman = watchman;
  }

  /**
   * Starts the server of this directory, which is made when there is none, and prepares a store.
   *
   * @throws CannotGoOn when it does not start
   */
  static EmbeddedServer start(Path directory) {
    try {
      Files.createDirectories(directory);
      stopLeftover(directory);
      String password = password(directory.resolve("password"));
      EmbeddedPostgres server = start(directory, password);
      EmbeddedServer started =
          new EmbeddedServer(
              server, new PostgresqlSetup(LOGINS, password), watchman(data(directory)));
      try {
        started.prepare(password);
        return started;
      } catch (SQLException | RuntimeException e) {
        started.close();
        throw e;
      }
    } catch (IOException | SQLException | IllegalStateException e) {
      throw new CannotGoOn(
          "the PostgreSQL server in %s does not start (%s): look into %s"
              .formatted(
                  directory,
                  e instanceof IOException file ? FileReasons.withPath(file) : e.getMessage(),
                  log(directory)),
          e);
    }
  }

  private static EmbeddedPostgres start(Path directory, String password) throws IOException {
    ProcessBuilder.Redirect log = ProcessBuilder.Redirect.appendTo(log(directory).toFile());
    return EmbeddedPostgres.builder()
        .setDataDirectory(data(directory))
        .setCleanDataDirectory(false)
        .setRegisterShutdownHook(false)
        .setPGStartupWait(START_WITHIN)
        .setLocaleConfig("auth", "scram-sha-256")
        .setLocaleConfig("pwfile", directory.resolve("password").toString())
        .setConnectConfig("password", password)
        .setServerConfig("fsync", "on")
        .setServerConfig("synchronous_commit", "on")
        .setServerConfig("listen_addresses", "127.0.0.1")
        .setServerConfig("unix_socket_directories", "")
        .setOutputRedirector(log)
        .setErrorRedirector(log)
        .start();
  }

  private void prepare(String password) throws SQLException {
    try (Connection administrator =
        server.getPostgresDatabase(java.util.Map.of("password", password)).getConnection()) {
      setup.prepare(administrator, url(), DATABASE);
    }
  }

  private static Path data(Path directory) {
    return directory.resolve("data");
  }

  private static Path log(Path directory) {
    return directory.resolve("server.log");
  }

  /** Made on the first start, and readable for this user only. */
  private static String password(Path file) throws IOException {
    if (Files.exists(file)) {
      return Files.readString(file).strip();
    }
    byte[] random = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(random);
    String password = HexFormat.of().formatHex(random);
    Files.createFile(file, privately(file.getFileSystem()));
    Files.writeString(file, password, StandardOpenOption.WRITE);
    return password;
  }

  private static FileAttribute<?>[] privately(FileSystem system) {
    return system.supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  /**
   * Stops the server of a process that was killed with its watchman. It is asked by its id, which
   * is taken for a server's only as long as the server's own file names it.
   */
  static void stopLeftover(Path directory) throws IOException {
    Optional<ProcessHandle> leftover = process(data(directory));
    if (leftover.isEmpty()) {
      return;
    }
    signal(leftover.get().pid());
    try {
      leftover.get().onExit().get(STOP_WITHIN.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw new IOException("process " + leftover.get().pid() + " does not end", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** The server at work on this data, as its own file has it. */
  private static Optional<ProcessHandle> process(Path data) throws IOException {
    Path file = data.resolve("postmaster.pid");
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    return lines.isEmpty()
        ? Optional.empty()
        : ProcessHandle.of(Long.parseLong(lines.get(0).strip()))
            .filter(ProcessHandle::isAlive)
            .filter(process -> isServer(process));
  }

  private static boolean isServer(ProcessHandle process) {
    return process.info().command().map(command -> command.endsWith("postgres")).orElse(true);
  }

  /** SIGINT: connections are closed, everything is written, and it ends. */
  private static void signal(long process) throws IOException {
    new ProcessBuilder("kill", "-INT", String.valueOf(process)).start();
  }

  /** A shell that stops the server when its standard input ends without a word. */
  private static @Nullable Process watchman(Path data) throws IOException {
    Optional<ProcessHandle> server = process(data);
    if (server.isEmpty()) {
      return null;
    }
    String script = "trap '' INT TERM HUP; read word && exit 0; kill -INT " + server.get().pid();
    return new ProcessBuilder("sh", "-c", script)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /** Where its store is. */
  String url() {
    return "jdbc:postgresql://127.0.0.1:" + server.getPort() + "/" + DATABASE;
  }

  /** How the plain roles open it. */
  java.util.Map<String, String> settings() {
    return setup.settings(url());
  }

  /** Stops the server, its data stays. Idempotent. */
  @Override
  public synchronized void close() {
    if (stopped) {
      return;
    }
    stopped = true;
    try {
      server.close();
      if (watchman != null) {
        watchman.getOutputStream().write('\n');
        watchman.getOutputStream().close();
      }
    } catch (IOException e) {
      throw new CannotGoOn("the PostgreSQL server does not stop: " + e.getMessage(), e);
    }
  }
}
