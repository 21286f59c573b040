/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every line of a log that has an id is explained in {@code docs/observability.md}. */
final class ObservabilityPageTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern LOGGED = Pattern.compile("\"(WOVYR-\\d{4}) ");
  private static final Pattern EXPLAINED = Pattern.compile("(?m)^\\| `(WOVYR-\\d{4})` \\|");

  private static SortedSet<String> all(Pattern pattern, String text) {
    SortedSet<String> ids = new TreeSet<>();
    Matcher found = pattern.matcher(text);
    while (found.find()) {
      ids.add(found.group(1));
    }
    return ids;
  }

  private static SortedSet<String> logged() throws IOException {
    SortedSet<String> ids = new TreeSet<>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            String name = String.valueOf(directory.getFileName());
            return name.equals("target") || name.equals(".git")
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (file.toString().contains("/src/main/") && file.toString().endsWith(".java")) {
              ids.addAll(all(LOGGED, Files.readString(file)));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return ids;
  }

  @Test
  void everyIdOfALineIsExplained() throws IOException {
    assertThat(logged()).hasSizeGreaterThan(10);
    assertThat(all(EXPLAINED, Files.readString(ROOT.resolve("docs/observability.md"))))
        .isEqualTo(logged());
  }
}
