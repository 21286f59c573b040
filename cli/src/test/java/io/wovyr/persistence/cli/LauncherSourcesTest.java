/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The launcher builds the command anew when a source of it changed: it has to look at all. */
final class LauncherSourcesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern MODULES = Pattern.compile("(?m)^modules=\"([^\"]+)\"$");

  @Test
  void theLauncherLooksAtEveryModuleTheCommandIsMadeOf() throws Exception {
    Matcher named = MODULES.matcher(Files.readString(ROOT.resolve("wovyr")));
    assertThat(named.find()).isTrue();
    List<Path> looked = List.of(named.group(1).split(" ")).stream().map(ROOT::resolve).toList();
    assertThat(looked).allMatch(Files::exists);

    List<Path> needed =
        List.of(System.getProperty("java.class.path").split(File.pathSeparator)).stream()
            .map(entry -> Path.of(entry).toAbsolutePath().normalize())
            .filter(entry -> entry.startsWith(ROOT))
            .toList();
    assertThat(needed).hasSizeGreaterThan(1);
    assertThat(needed).allMatch(entry -> looked.stream().anyMatch(entry::startsWith));
  }
}
