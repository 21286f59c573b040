/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.dynamodb;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A server that speaks DynamoDB, for tests of any module: dynoxide on a free port of this machine,
 * whose process is this one's to end.
 *
 * <p>Its program is looked for where the environment variable {@value #PROGRAM} says, else in
 * {@code target/servers} of the project, where {@code .ci/run} installs it.
 */
public final class DynoxideServer implements AutoCloseable {
  /** Names the program. */
  public static final String PROGRAM = "WOVYR_TEST_DYNOXIDE";

  /** Names the endpoint of a DynamoDB of somebody else's, in the place of a server. */
  public static final String ENDPOINT = "WOVYR_TEST_DYNAMODB_ENDPOINT";

  /** What installs it. */
  public static final String INSTALL =
      "npm install --no-audit --no-fund --prefix target/servers @dynoxide/linux-x64@1.2.1";

  private static final Duration STARTING = Duration.ofSeconds(20);
  private static final String INSTALLED =
      "target/servers/node_modules/@dynoxide/linux-x64/dynoxide";

  private final @Nullable Path file;
  private final Path program;
  private final int port;
  private @Nullable Process process;

  private DynoxideServer(Path program, @Nullable Path file, int port) {
    this.program = program;
    this.file = file;
    this.port = port;
  }

  /** One in memory; aborts the test, and says so, where there is none. */
  public static DynoxideServer start() {
    return start(null);
  }

  /** One that keeps everything in a file; aborts the test, and says so, where there is none. */
  public static DynoxideServer start(@Nullable Path file) {
    Optional<Path> program = program();
    if (program.isEmpty()) {
      System.out.println("NOT RUN: DynamoDB: no dynoxide: set " + PROGRAM + ", or: " + INSTALL);
    }
    assumeTrue(program.isPresent(), "no dynoxide");
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = free.getLocalPort();
      free.close();
      DynoxideServer server = new DynoxideServer(program.get(), file, port);
      server.begin();
      return server;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Optional<Path> program() {
    String named = System.getenv(PROGRAM);
    if (named != null) {
      return Optional.of(Path.of(named)).filter(Files::isExecutable);
    }
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      Path found = at.resolve(INSTALLED);
      if (Files.isExecutable(found)) {
        return Optional.of(found);
      }
    }
    return Optional.empty();
  }

  /** Begins it, again after {@link #kill}. */
  public void begin() {
    List<String> command = new ArrayList<>();
    command.addAll(
        List.of(program.toString(), "--host", "127.0.0.1", "--port", Integer.toString(port)));
    if (file != null) {
      command.addAll(List.of("--db-path", file.toString()));
    }
    try {
      Process started =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      process = started;
      awaitListening(started);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * A listener alone might be somebody else's: then this process cannot have the port, and ends.
   */
  private void awaitListening(Process started) throws IOException {
    long end = System.nanoTime() + STARTING.toNanos();
    while (System.nanoTime() < end) {
      if (!started.isAlive()) {
        throw new IOException("dynoxide ended with " + started.exitValue());
      }
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        if (socket.isConnected() && isListeningItself(started)) {
          return;
        }
      } catch (IOException e) {
        LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
      }
    }
    close();
    throw new IOException("dynoxide does not listen");
  }

  /** Whether the socket on the port belongs to the process, where that can be told. */
  private boolean isListeningItself(Process started) throws IOException {
    Path descriptors = Path.of("/proc", Long.toString(started.pid()), "fd");
    if (!Files.isDirectory(descriptors)) {
      return started.isAlive();
    }
    String hexPort = "%04X".formatted(port);
    List<String> own = new ArrayList<>();
    try (var links = Files.list(descriptors)) {
      for (Path link : links.toList()) {
        own.add(Files.readSymbolicLink(link).toString());
      }
    }
    return Files.readAllLines(Path.of("/proc/net/tcp")).stream()
        .map(line -> line.trim().split("\\s+"))
        .filter(columns -> columns[1].endsWith(":" + hexPort) && columns[3].equals("0A"))
        .anyMatch(columns -> own.contains("socket:[" + columns[9] + "]"));
  }

  /** SIGKILL. */
  public void kill() {
    Process running = process;
    if (running == null) {
      return;
    }
    running.destroyForcibly();
    try {
      if (!running.waitFor(20, TimeUnit.SECONDS)) {
        throw new IllegalStateException("dynoxide does not die");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Where it is. */
  public String endpoint() {
    return "http://127.0.0.1:" + port;
  }

  /** The settings of a store with a table of its own that is not there yet. */
  public Map<String, String> freshTable() {
    return table("wovyr-test-" + UUID.randomUUID());
  }

  /** The settings of a store in this table, of few partitions, so that tests take less time. */
  public Map<String, String> table(String table) {
    Map<String, String> settings = new HashMap<>();
    settings.put("endpoint", endpoint());
    settings.put("table", table);
    settings.put("access-key-id", "test");
    settings.put("secret-access-key", "test");
    settings.put("shards", "2");
    return settings;
  }

  /** The settings of a migrated store of its own. */
  public Map<String, String> freshStore() {
    Map<String, String> settings = freshTable();
    new DynamoDbStorageProvider().migrator().migrate(settings, step -> {});
    return settings;
  }

  @Override
  public void close() {
    kill();
  }
}
