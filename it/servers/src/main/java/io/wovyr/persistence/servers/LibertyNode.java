/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** An Open Liberty with a user directory of its own. */
final class LibertyNode extends ServerNode {
  private static final String NAME = "orders";

  private final Path user;

  private LibertyNode(Path user, int port) {
    super(user, port);
    this.user = user;
  }

  static LibertyNode in(Path user, StoreCluster store) throws IOException {
    int port = Surroundings.freePorts(1).get(0);
    DeploymentPage page = store.page(port);
    Path server = Files.createDirectories(user.resolve("servers/" + NAME));
    Files.createDirectories(server.resolve("dropins"));
    Files.writeString(server.resolve("server.xml"), page.block("server.xml"));
    Files.writeString(
        server.resolve("bootstrap.properties"), "bootstrap.include=" + store.settings() + "\n");
    Files.writeString(server.resolve("jvm.options"), "-Xmx512m\n");
    return new LibertyNode(user, port);
  }

  @Override
  ProcessBuilder command() {
    Path home = Path.of(Surroundings.property("wovyr.test.server-home"));
    ProcessBuilder builder =
        new ProcessBuilder("sh", home.resolve("bin/server").toString(), "run", NAME);
    builder.environment().put("WLP_USER_DIR", user.toString());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    return builder;
  }

  @Override
  String started() {
    return "CWWKF0011I";
  }

  @Override
  Path deployments() {
    return user.resolve("servers/" + NAME + "/dropins");
  }
}
