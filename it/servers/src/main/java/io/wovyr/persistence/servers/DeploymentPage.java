/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page of the documentation, whose blocks marked as tried are what the server of the tests is
 * configured with: but for paths, ports, names and passwords, as written.
 */
record DeploymentPage(String text, Map<String, String> replacements) {
  static DeploymentPage read(Path file, Map<String, String> replacements) throws IOException {
    return new DeploymentPage(Files.readString(file), Map.copyOf(replacements));
  }

  /** The block below {@code <!-- tried:name -->}, with what differs here. */
  String block(String name) {
    Matcher found =
        Pattern.compile(
                "<!-- tried:" + Pattern.quote(name) + " -->\n```\\w*\n(.*?)```\n", Pattern.DOTALL)
            .matcher(text);
    if (!found.find()) {
      throw new IllegalStateException("the page has no block that is tried as " + name);
    }
    String block = found.group(1);
    for (var replacement : replacements.entrySet()) {
      block = block.replace(replacement.getKey(), replacement.getValue());
    }
    return block;
  }
}
