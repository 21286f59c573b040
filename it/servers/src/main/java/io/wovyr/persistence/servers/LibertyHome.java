/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A server of an unpacked Open Liberty, configured as its page says. */
final class LibertyHome {
  private LibertyHome() {}

  static void configure(Path home, DeploymentPage page, Path settings) throws IOException {
    Path server = Files.createDirectories(home.resolve("usr/servers/wovyr"));
    Files.writeString(server.resolve("server.xml"), encoded(home, page));
    Files.writeString(
        server.resolve("bootstrap.properties"),
        "bootstrap.include=" + settings + "\n" + page.block("password-key.properties"));
    Files.writeString(server.resolve("jvm.options"), "-Xmx512m\n");
  }

  /** The configuration with the application's password as the page's command prints it. */
  private static String encoded(Path home, DeploymentPage page) throws IOException {
    String command = page.block("encode.sh");
    Process process =
        new ProcessBuilder("sh", "-c", command)
            .directory(home.toFile())
            .redirectErrorStream(true)
            .start();
    String printed = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    if (!printed.startsWith("{aes}")) {
      throw new IllegalStateException(command + " printed: " + printed);
    }
    String plain = "password=\"" + password(command) + "\"";
    String xml = page.block("server.xml");
    if (!xml.contains(plain)) {
      throw new IllegalStateException("what is encoded is no password of the server's");
    }
    return xml.replace(plain, "password=\"" + printed + "\"");
  }

  /** The last word of the command. */
  private static String password(String command) {
    String stripped = command.strip();
    return stripped.substring(stripped.lastIndexOf(' ') + 1);
  }
}
