/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.internal.FileReasons;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A password, or where it is: {@code file:} and a path, {@code env:} and a variable, or the
 * password itself. A reference is followed for every new connection, so that a rotated password is
 * found.
 */
final class Secret {
  private static final String FILE = "file:";
  private static final String VARIABLE = "env:";

  private final String setting;
  private final String value;

  /**
   * @param setting named when it cannot be read
   */
  Secret(String setting, String value) {
    this.setting = setting;
    this.value = value;
  }

  /**
   * The password now.
   *
   * @throws InvalidInput when a reference leads nowhere
   */
  String read() {
    if (value.startsWith(FILE)) {
      return readFile(value.substring(FILE.length()));
    }
    if (value.startsWith(VARIABLE)) {
      @Nullable String found = System.getenv(value.substring(VARIABLE.length()));
      if (found == null) {
        throw new InvalidInput(setting + " names an environment variable that is not set");
      }
      return found;
    }
    return value;
  }

  private String readFile(String path) {
    try {
      return Files.readString(Path.of(path), StandardCharsets.UTF_8).stripTrailing();
    } catch (IOException e) {
      throw new InvalidInput(
          "%s names a file that cannot be read, %s: %s"
              .formatted(setting, Path.of(path).toAbsolutePath(), FileReasons.of(e)));
    } catch (InvalidPathException e) {
      throw new InvalidInput(setting + " names a file that cannot be read: " + e.getMessage());
    }
  }

  @Override
  public String toString() {
    return "a secret";
  }
}
