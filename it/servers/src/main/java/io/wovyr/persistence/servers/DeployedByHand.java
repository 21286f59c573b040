/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jboss.shrinkwrap.api.Archive;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;

/**
 * Deployed into the running server as people do it who have only its files: on WildFly into the
 * directory that it watches, on Open Liberty by an entry of its configuration. Undeployed when it
 * is closed.
 */
final class DeployedByHand implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final List<Path> files = new ArrayList<>();
  private final Runnable awaitGone;

  private DeployedByHand(Runnable awaitGone) {
    this.awaitGone = awaitGone;
  }

  /**
   * Deploys it.
   *
   * @param libertyElements of the entry in Open Liberty's configuration, its class loader say
   */
  static DeployedByHand deploy(Archive<?> archive, String libertyElements) throws IOException {
    Path home = Path.of(Surroundings.property("wovyr.test.server-home"));
    return Surroundings.property("wovyr.test.server").equals("wildfly")
        ? onWildFly(home, archive)
        : onLiberty(home.resolve("usr/servers/wovyr"), archive, libertyElements);
  }

  private static DeployedByHand onWildFly(Path home, Archive<?> archive) throws IOException {
    Path file = home.resolve("standalone/deployments").resolve(archive.getName());
    Path deployed = marker(file, ".deployed");
    Path failed = marker(file, ".failed");
    Files.deleteIfExists(failed);
    Files.deleteIfExists(deployed);
    DeployedByHand made =
        new DeployedByHand(() -> await("undeployed", () -> !Files.exists(deployed)));
    made.export(archive, file);
    Files.createFile(marker(file, ".dodeploy"));
    try {
      await("deployed", () -> Files.exists(deployed) || Files.exists(failed));
      if (Files.exists(failed)) {
        throw new DeploymentFailed(Files.readString(failed));
      }
    } catch (DeploymentFailed e) {
      made.close();
      Files.deleteIfExists(failed);
      WildFlyHome.undeploy(home, archive.getName());
      throw e;
    } catch (RuntimeException e) {
      made.close();
      throw e;
    }
    return made;
  }

  private static Path marker(Path file, String suffix) {
    return file.resolveSibling(file.getFileName() + suffix);
  }

  private static DeployedByHand onLiberty(Path server, Archive<?> archive, String elements)
      throws IOException {
    String name = archive.getName();
    Path log = server.resolve("logs/messages.log");
    long before = Files.size(log);
    String application = name.substring(0, name.lastIndexOf('.'));
    DeployedByHand made =
        new DeployedByHand(
            () -> await("undeployed", () -> said(log, before, "CWWKZ0009I", application)));
    made.export(archive, Files.createDirectories(server.resolve("apps")).resolve(name));
    Path entry =
        Files.createDirectories(server.resolve("configDropins/overrides")).resolve(name + ".xml");
    made.files.add(entry);
    Path written = Files.createTempFile(server, "entry", ".tmp");
    Files.writeString(
        written,
        "<server><enterpriseApplication id=\"%1$s\" location=\"%1$s\">%2$s</enterpriseApplication></server>"
            .formatted(name, elements));
    Files.move(written, entry, StandardCopyOption.REPLACE_EXISTING);
    try {
      await(
          "deployed",
          () ->
              said(log, before, "CWWKZ0001I", application)
                  || said(log, before, "CWWKZ0002E", application));
      if (said(log, before, "CWWKZ0002E", application)
          || said(log, before, "CWWKZ0106E", application)) {
        throw new DeploymentFailed(since(log, before));
      }
    } catch (RuntimeException e) {
      made.close();
      throw e;
    }
    return made;
  }

  /** Whether there is a line of this message about this application. */
  private static boolean said(Path log, long position, String message, String application)
      throws IOException {
    return since(log, position)
        .lines()
        .anyMatch(line -> line.contains(message) && line.matches(".* " + application + "[ .].*"));
  }

  private static String since(Path log, long position) throws IOException {
    byte[] all = Files.readAllBytes(log);
    return new String(all, (int) position, (int) (all.length - position), StandardCharsets.UTF_8);
  }

  private void export(Archive<?> archive, Path file) {
    files.add(file);
    archive.as(ZipExporter.class).exportTo(file.toFile(), true);
  }

  /** What the server said when it did not deploy it. */
  static final class DeploymentFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DeploymentFailed(String said) {
      super(said);
    }
  }

  private interface Condition {
    boolean holds() throws IOException;
  }

  private static void await(String what, Condition condition) {
    long until = System.nanoTime() + PATIENCE.toNanos();
    try {
      while (!condition.holds()) {
        if (System.nanoTime() - until > 0) {
          throw new IllegalStateException("not " + what + " in time");
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void removeFiles() throws IOException {
    for (Path file : files.stream().sorted(Comparator.reverseOrder()).toList()) {
      Files.deleteIfExists(file);
    }
  }

  @Override
  public void close() throws IOException {
    removeFiles();
    awaitGone.run();
  }
}
