/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.payload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/** The specifications in {@code docs/format/}, read by tests so that they stay true. */
public final class FormatDocuments {
  private FormatDocuments() {}

  /** The lines of a specification. */
  public static List<String> lines(String name) {
    Path folder = Path.of("").toAbsolutePath();
    while (folder != null && !Files.exists(folder.resolve("docs/format").resolve(name))) {
      folder = folder.getParent();
    }
    if (folder == null) {
      throw new AssertionError("docs/format/" + name + " is missing");
    }
    try {
      return Files.readAllLines(folder.resolve("docs/format").resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The bytes of a specification's example: hex up to the first two blanks of each line. */
  static byte[] example(String name) {
    String hex =
        lines(name).stream()
            .dropWhile(line -> !line.equals("## Example"))
            .dropWhile(line -> !line.startsWith("```"))
            .skip(1)
            .takeWhile(line -> !line.startsWith("```"))
            .map(line -> line.split(" {2}", 2)[0].replace(" ", ""))
            .collect(Collectors.joining());
    return HexFormat.of().parseHex(hex);
  }
}
