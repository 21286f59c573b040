/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The Java that a page of the documentation shows, and what of a test stands for it. */
final class PageCode {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private PageCode() {}

  /** The blocks of Java of a page, in their order. */
  static List<String> shown(String page) throws IOException {
    return all(ROOT.resolve(page), "(?ms)^```java\\n(.*?)^```$");
  }

  /** What stands between the markers of a test of this package, in its order. */
  static List<String> marked(Class<?> test) throws IOException {
    Path source = Path.of("it/src/test/java", test.getName().replace('.', '/') + ".java");
    return all(ROOT.resolve(source), "(?ms)^ +// page:begin\\n(.*?)^ +// page:end$");
  }

  private static List<String> all(Path file, String regex) throws IOException {
    return Pattern.compile(regex)
        .matcher(Files.readString(file))
        .results()
        .map((MatchResult found) -> found.group(1).stripTrailing().stripIndent())
        .toList();
  }
}
