/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.internal.FileReasons;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Looks into a cluster file, as far as safety asks for it. */
final class ClusterFile {
  private ClusterFile() {}

  /**
   * Whether all its servers are on this machine.
   *
   * @throws InvalidInput when a server that is not on this machine would be reached without TLS
   * @throws Unavailable when it cannot be read
   */
  static boolean isOfThisMachine(Path file) {
    String text;
    try {
      text = Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw Unavailable.lasting(
          "the FoundationDB cluster file %s cannot be read: %s: copy it from a server of the cluster, or name another with wovyr.storage.cluster-file"
              .formatted(file, FileReasons.of(e)),
          e);
    }
    boolean ofThisMachine = true;
    for (String server : servers(text, file)) {
      boolean tls = server.endsWith(":tls");
      ofThisMachine &= !tls && isLoopback(server);
      if (!tls && !isLoopback(server)) {
        throw new InvalidInput(
            "a FoundationDB cluster that is not on this machine is reached with TLS only: %s names a server without ':tls'; set up TLS on the cluster and the wovyr.storage.tls- settings here"
                .formatted(file));
      }
    }
    return ofThisMachine;
  }

  private static List<String> servers(String text, Path file) {
    String line =
        text.lines()
            .map(String::strip)
            .filter(one -> !one.isEmpty() && !one.startsWith("#"))
            .findFirst()
            .orElse("");
    int at = line.indexOf('@');
    if (at < 0 || at == line.length() - 1) {
      throw new InvalidInput(file + " is not a FoundationDB cluster file");
    }
    return List.of(line.substring(at + 1).toLowerCase(Locale.ROOT).split(","));
  }

  private static boolean isLoopback(String server) {
    return server.matches("(127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}|localhost|\\[::1]):\\d+");
  }
}
