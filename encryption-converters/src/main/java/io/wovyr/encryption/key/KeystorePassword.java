/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption.key;

import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.internal.FileReasons;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Where the password of a keystore comes from; read when the keystore is opened, never kept, never
 * shown. Thread-safe.
 *
 * @since 0.1
 */
public final class KeystorePassword {
  private final String source;
  private final Optional<Path> file;
  private final Supplier<char[]> reader;

  private KeystorePassword(String source, Optional<Path> file, Supplier<char[]> reader) {
    this.source = source;
    this.file = file;
    this.reader = reader;
  }

  /** The password itself. */
  public static KeystorePassword of(String password) {
    return new KeystorePassword("a setting", Optional.empty(), password::toCharArray);
  }

  /** The value of an environment variable. */
  public static KeystorePassword environment(String variable) {
    return new KeystorePassword(
        "the environment variable " + variable,
        Optional.empty(),
        () -> {
          String value = System.getenv(variable);
          if (value == null || value.isEmpty()) {
            throw new Unavailable(
                "the environment variable " + variable + " has no keystore password", null);
          }
          return value.toCharArray();
        });
  }

  /** The content of a file, in UTF-8, without one line end at its end. */
  public static KeystorePassword file(Path file) {
    return new KeystorePassword("the file " + file, Optional.of(file), () -> readFile(file));
  }

  /** The file, when it comes from one. */
  Optional<Path> file() {
    return file;
  }

  char[] read() {
    return reader.get();
  }

  private static char[] readFile(Path file) {
    try {
      String text = Files.readString(file, StandardCharsets.UTF_8);
      String password = text.replaceFirst("\r?\n\\z", "");
      if (password.isEmpty()) {
        throw new Unavailable(
            "the keystore password file " + file.toAbsolutePath() + " is empty", null);
      }
      return password.toCharArray();
    } catch (NoSuchFileException e) {
      throw new Unavailable(
          "the keystore password file %s is missing: put it back, or say where the password is by %s or %s"
              .formatted(
                  file.toAbsolutePath(),
                  KeystoreSettings.PASSWORD_FILE,
                  KeystoreSettings.PASSWORD_ENVIRONMENT),
          e);
    } catch (IOException e) {
      throw new Unavailable(
          "the keystore password file %s cannot be read: %s"
              .formatted(file.toAbsolutePath(), FileReasons.of(e)),
          e);
    }
  }

  /** Where it comes from. */
  @Override
  public String toString() {
    return source;
  }
}
