/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.Permission;
import io.wovyr.persistence.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The tables in {@code docs/rights.md} are what the code says: a failure shows the lines to put
 * there.
 */
final class RightsDocumentTest {
  private static String document() throws IOException {
    Path folder = Path.of("").toAbsolutePath();
    while (folder != null && !Files.exists(folder.resolve("docs/rights.md"))) {
      folder = folder.getParent();
    }
    assertThat(folder).as("the folder with docs/rights.md").isNotNull();
    return Files.readString(folder.resolve("docs/rights.md"));
  }

  @Test
  void showsWhichRoleHasWhichPermission() throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(row("permission", Arrays.stream(Role.values()).map(RightsDocumentTest::words)));
    lines.add("| --- |" + " :-: |".repeat(Role.values().length));
    for (Permission permission : Permission.values()) {
      lines.add(
          row(
              "`" + permission + "`",
              Arrays.stream(Role.values())
                  .map(role -> permission.roles().contains(role) ? "yes" : "·")));
    }
    assertThat(document()).contains(String.join("\n", lines) + "\n");
  }

  private static String row(String first, java.util.stream.Stream<String> cells) {
    return cells.collect(Collectors.joining(" | ", "| " + first + " | ", " |"));
  }

  private static String words(Role role) {
    return role.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  @Test
  void showsWhichMethodNeedsWhichPermission() throws IOException {
    List<String> lines = new ArrayList<>(List.of("| permission | methods |", "| --- | --- |"));
    for (Permission permission : Permission.values()) {
      String methods = methods(Optional.of(permission));
      if (!methods.isEmpty()) {
        lines.add("| `" + permission + "` | " + methods + " |");
      }
    }
    lines.add("| none | " + methods(Optional.empty()) + " |");
    assertThat(document()).contains(String.join("\n", lines) + "\n");
  }

  private static String methods(Optional<Permission> permission) {
    return RepositoryMethods.all().stream()
        .filter(method -> method.needs().equals(permission))
        .map(
            method ->
                "`"
                    + method.name()
                    + "`"
                    + (method.variant().isEmpty() ? "" : " ")
                    + method.variant())
        .distinct()
        .collect(Collectors.joining(", "));
  }
}
