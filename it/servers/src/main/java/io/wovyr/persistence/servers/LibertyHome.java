/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A server of an unpacked Open Liberty, configured as its page says. */
final class LibertyHome {
  private LibertyHome() {}

  static void configure(Path home, DeploymentPage page, Path settings) throws IOException {
    Path server = Files.createDirectories(home.resolve("usr/servers/wovyr"));
    Files.writeString(server.resolve("server.xml"), page.block("server.xml"));
    Files.writeString(
        server.resolve("bootstrap.properties"), "bootstrap.include=" + settings + "\n");
    Files.writeString(server.resolve("jvm.options"), "-Xmx512m\n");
  }
}
