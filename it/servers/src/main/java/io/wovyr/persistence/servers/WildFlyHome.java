/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An unpacked WildFly, configured as its page says. */
final class WildFlyHome {
  private static final long PATIENCE_SECONDS = 120;

  /** Five seconds are for people; tests that deploy by hand wait for it again and again. */
  private static final String LOOK_OFTEN =
      """
      embed-server --server-config=standalone-microprofile.xml --std-out=discard
      /subsystem=deployment-scanner/scanner=default:write-attribute(name=scan-interval,value=500)
      stop-embedded-server
      """;

  private WildFlyHome() {}

  static void configure(Path home, DeploymentPage page, Path directory) throws IOException {
    asUnpacked(home);
    String mask = masked(home, page.block("mask.sh"), directory.resolve("mask.log"));
    String passwords = page.block("passwords.cli").replace("store-secret", '"' + mask + '"');
    // In one go: each start of the command line takes seconds.
    String commands = page.block("wovyr.cli") + passwords + page.block("users.cli") + LOOK_OFTEN;
    configure(home, home.resolve("standalone"), commands, directory.resolve("wovyr.cli"));
  }

  /** What the page's command prints for the password of the credential store. */
  private static String masked(Path home, String command, Path log) throws IOException {
    run(new ProcessBuilder("bash", "-c", command).directory(home.toFile()), log);
    String printed = Files.readString(log).strip();
    if (!printed.startsWith("MASK-")) {
      throw new IllegalStateException(command + " printed: " + printed);
    }
    return printed;
  }

  /**
   * Changes the configuration of a server that does not run.
   *
   * @param base its base directory
   * @param script where the commands are written
   */
  static void configure(Path home, Path base, String commands, Path script) throws IOException {
    Files.writeString(script, commands);
    run(home, script, "-Djboss.server.base.dir=" + base);
  }

  /** Removes from a running server what it did not deploy, and keeps a name for all the same. */
  static void undeploy(Path home, String name) throws IOException {
    Path directory = Path.of(Surroundings.property("wovyr.test.directory"));
    String commands =
        "connect 127.0.0.1:%s%nundeploy %s%n"
            .formatted(Surroundings.property("wovyr.test.management-port"), name);
    Path script = Files.writeString(directory.resolve("undeploy.cli"), commands);
    run(home, script, "");
  }

  private static void run(Path home, Path script, String javaOptions) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder("bash", home.resolve("bin/jboss-cli.sh").toString(), "--file=" + script);
    builder.environment().put("JAVA_OPTS", javaOptions);
    run(builder, script.resolveSibling(script.getFileName() + ".log"));
  }

  private static void run(ProcessBuilder builder, Path log) throws IOException {
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IllegalStateException(
            String.join(" ", builder.command()) + " failed: " + Files.readString(log));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } finally {
      process.destroyForcibly();
    }
  }

  /** Takes back what an earlier run configured. */
  private static void asUnpacked(Path home) throws IOException {
    Path configuration = home.resolve("standalone/configuration/standalone-microprofile.xml");
    Path kept = configuration.resolveSibling("standalone-microprofile.xml.unpacked");
    if (Files.exists(kept)) {
      Files.copy(kept, configuration, StandardCopyOption.REPLACE_EXISTING);
    } else {
      Files.copy(configuration, kept);
    }
    delete(home.resolve("modules/org/postgresql"));
    delete(configuration.resolveSibling("orders-users"));
    Files.deleteIfExists(configuration.resolveSibling("orders-passwords.p12"));
  }

  private static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (var files = Files.walk(directory)) {
        List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
        for (Path file : deepestFirst) {
          Files.delete(file);
        }
      }
    }
  }
}
