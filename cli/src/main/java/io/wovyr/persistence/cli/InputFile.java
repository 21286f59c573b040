/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.internal.FileReasons;
import io.wovyr.persistence.payload.Payload;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A file a command is given, as a payload. Stateless. */
final class InputFile {
  private static final String BYTES = "application/octet-stream";

  /** More than a store takes as one value. */
  private static final int MOST = 16 << 20;

  private static final Map<String, String> TYPES =
      Map.of(
          "json", "application/json",
          "xml", "application/xml",
          "bpmn", "application/xml",
          "yaml", "application/yaml",
          "yml", "application/yaml",
          "txt", "text/plain;charset=utf-8");

  private InputFile() {}

  /**
   * @param contentType null: by the ending of the name
   */
  static Payload read(Path directory, String file, @Nullable String contentType) {
    return Payload.of(contentType == null ? typeOf(file) : contentType, bytes(directory, file));
  }

  static byte[] bytes(Path directory, String file) {
    Path path = directory.resolve(file);
    try (InputStream in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(MOST + 1);
      if (bytes.length > MOST) {
        throw new InvalidInput("the file " + file + " is longer than " + Human.size(MOST));
      }
      return bytes;
    } catch (NoSuchFileException e) {
      throw new InvalidInput("there is no file " + file);
    } catch (IOException e) {
      throw new InvalidInput(
          "the file %s cannot be read (%s): give one that can".formatted(file, FileReasons.of(e)));
    }
  }

  private static String typeOf(String file) {
    String ending = file.substring(file.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return TYPES.getOrDefault(ending, BYTES);
  }
}
