/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jspecify.annotations.Nullable;

/**
 * A server of the kind under test in a process of its own, configured as its page says, which may
 * be killed. Used by one thread, but for requests.
 */
abstract class ServerNode implements AutoCloseable {
  private static final int OK = 200;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration REQUEST = Duration.ofSeconds(60);

  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
  private final Path directory;
  private final int port;
  private @Nullable Process process;

  ServerNode(Path directory, int port) {
    this.directory = directory;
    this.port = port;
  }

  /** A node of the server under test, with a directory of its own, over a store. */
  static ServerNode of(String name, StoreCluster store) throws IOException {
    Path directory =
        Files.createDirectories(Path.of(Surroundings.property("wovyr.test.directory"), name));
    return Surroundings.property("wovyr.test.server").equals("liberty")
        ? LibertyNode.in(directory, store)
        : WildFlyNode.in(directory, store);
  }

  /** Runs the server until it is stopped. */
  abstract ProcessBuilder command();

  /** A word of its console that it has started. */
  abstract String started();

  /** Where an EAR is put to be deployed. */
  abstract Path deployments();

  final void deploy(EnterpriseArchive ear) throws IOException {
    // Beside it first: the server must not see half of it.
    Path whole = directory.resolve("whole.ear");
    ear.as(ZipExporter.class).exportTo(whole.toFile(), true);
    Files.move(whole, deployments().resolve(ear.getName()));
  }

  /** Takes it out of a server that does not run. */
  final void remove(EnterpriseArchive ear) throws IOException {
    undeploy(ear);
    Files.deleteIfExists(deployments().resolve(ear.getName() + ".deployed"));
  }

  final void undeploy(EnterpriseArchive ear) throws IOException {
    Files.delete(deployments().resolve(ear.getName()));
  }

  /** Starts it, and waits until it says that it has started; how long it took. */
  final Elapsed start() throws IOException {
    Elapsed.Reading began = Elapsed.Reading.now();
    run();
    return began.until(Elapsed.Reading.now());
  }

  private void run() throws IOException {
    Path log = directory.resolve("console.log");
    Files.deleteIfExists(log);
    process = command().redirectErrorStream(true).redirectOutput(log.toFile()).start();
    await("it does not say " + started(), () -> console().contains(started()));
  }

  /** What it has said since it was started. */
  final String console() throws IOException {
    return Files.readString(directory.resolve("console.log"));
  }

  /** As {@link #start()}, and waits until what is deployed answers. */
  final Elapsed start(String path) throws IOException {
    Elapsed.Reading began = Elapsed.Reading.now();
    run();
    awaitAnswer(path, OK);
    return began.until(Elapsed.Reading.now());
  }

  /** Waits until a path is answered so. */
  final void awaitAnswer(String path, int status) throws IOException {
    await(path + " is not answered " + status, () -> status(path) == status);
  }

  private int status(String path) {
    try {
      return send("GET", path).statusCode();
    } catch (IOException e) {
      // Not there yet.
      return 0;
    }
  }

  private interface Condition {
    boolean holds() throws IOException;
  }

  private void await(String otherwise, Condition condition) throws IOException {
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() - until > 0 || !Objects.requireNonNull(process).isAlive()) {
        throw new IllegalStateException(otherwise + ": look into " + directory);
      }
      LockSupport.parkNanos(20_000_000);
    }
  }

  /** The answer to a POST. */
  final HttpResponse<String> post(String path) throws IOException {
    return send("POST", path);
  }

  private HttpResponse<String> send(String method, String path) throws IOException {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    try {
      return http.send(
          HttpRequest.newBuilder(uri)
              .method(method, HttpRequest.BodyPublishers.noBody())
              .timeout(REQUEST)
              .build(),
          HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The JVM itself: scripts come before it. */
  private List<ProcessHandle> family() {
    Process started = process;
    return started == null
        ? List.of()
        : Stream.concat(started.descendants(), Stream.of(started.toHandle())).toList();
  }

  /** SIGKILL: no shutdown, no last words. */
  final void kill() {
    List<ProcessHandle> family = family();
    family.forEach(ProcessHandle::destroyForcibly);
    family.forEach(one -> one.onExit().join());
    process = null;
  }

  /** SIGTERM, and waits for the end; what does not end is killed, and that is a failure. */
  final void stop() {
    List<ProcessHandle> family = family();
    family.stream().filter(ServerNode::isJava).forEach(ProcessHandle::destroy);
    try {
      for (ProcessHandle one : family) {
        one.onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      }
      process = null;
    } catch (Exception e) {
      throw new IllegalStateException("the server does not end: look into " + directory, e);
    } finally {
      kill();
    }
  }

  private static boolean isJava(ProcessHandle process) {
    return process
        .info()
        .command()
        .filter(command -> new File(command).getName().equals("java"))
        .isPresent();
  }

  @Override
  public final void close() {
    kill();
  }
}
