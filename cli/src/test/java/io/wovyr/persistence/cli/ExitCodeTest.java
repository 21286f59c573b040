/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.PersistenceException;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ExitCodeTest {
  @TempDir private Path directory;

  @Test
  void everyFailureOfTheLibraryHasACodeOfItsOwnMeaning() {
    assertThat(leaves(PersistenceException.class)).hasSizeGreaterThanOrEqualTo(12);
    for (Class<?> leaf : leaves(PersistenceException.class).toList()) {
      assertThat(ExitCode.mapped()).as(leaf.getSimpleName()).containsKey(leaf);
    }
  }

  private static Stream<Class<?>> leaves(Class<?> type) {
    return Modifier.isAbstract(type.getModifiers())
        ? Arrays.stream(type.getPermittedSubclasses()).flatMap(ExitCodeTest::leaves)
        : Stream.of(type);
  }

  @Test
  void numbersAreDistinctAndNeverChange() {
    assertThat(Arrays.stream(ExitCode.values()).map(ExitCode::number))
        .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 70);
  }

  @Test
  void helpAndManualNameEveryNumberAPersonCanMeet() throws IOException {
    List<String> help = new Command(directory).runBare("--help").lines();
    String manual = Files.readString(Path.of("../docs/cli.md"));
    for (ExitCode code : ExitCode.values()) {
      if (code != ExitCode.DEFECT) {
        assertThat(help).anyMatch(line -> line.startsWith("  " + code.number() + "  "));
      }
      assertThat(manual).contains("\n| " + code.number() + " | ");
    }
  }
}
