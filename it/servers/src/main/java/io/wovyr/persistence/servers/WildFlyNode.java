/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** A WildFly with a base directory of its own. */
final class WildFlyNode extends ServerNode {
  private static final String CONFIGURATION = "standalone-microprofile.xml";

  private final Path base;
  private final Path settings;
  private final List<Integer> ports;

  private WildFlyNode(Path base, Path settings, List<Integer> ports) {
    super(base, ports.get(0));
    this.base = base;
    this.settings = settings;
    this.ports = ports;
  }

  /** The home is configured as the page says; the DataSources of a node are those of its store. */
  static WildFlyNode in(Path base, StoreCluster store) throws IOException {
    Path home = Path.of(Surroundings.property("wovyr.test.server-home"));
    Path from = home.resolve("standalone/configuration");
    Path to = Files.createDirectories(base.resolve("configuration"));
    try (var files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = to.resolve(from.relativize(file).toString());
        Files.createDirectories(Objects.requireNonNull(copy.getParent()));
        Files.write(copy, Files.readAllBytes(file));
      }
    }
    Files.createDirectories(base.resolve("deployments"));
    Files.createDirectories(base.resolve("lib/ext"));
    WildFlyHome.configure(home, base, store.page(0).block("tls.cli"), base.resolve("tls.cli"));
    return new WildFlyNode(base, store.settings(), Surroundings.freePorts(4));
  }

  @Override
  ProcessBuilder command() {
    Path home = Path.of(Surroundings.property("wovyr.test.server-home"));
    ProcessBuilder builder =
        new ProcessBuilder(
            "bash",
            home.resolve("bin/standalone.sh").toString(),
            "-c",
            CONFIGURATION,
            "--properties=" + settings,
            "-Djboss.server.base.dir=" + base,
            "-Djboss.node.name=" + base.getFileName(),
            "-Djboss.tx.node.id=" + base.getFileName(),
            "-Djboss.bind.address=127.0.0.1",
            "-Djboss.http.port=" + ports.get(0),
            "-Djboss.https.port=" + ports.get(1),
            "-Djboss.management.http.port=" + ports.get(2),
            "-Djboss.management.https.port=" + ports.get(3));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    return builder;
  }

  @Override
  String started() {
    return "WFLYSRV0025";
  }

  @Override
  Path deployments() {
    return base.resolve("deployments");
  }
}
