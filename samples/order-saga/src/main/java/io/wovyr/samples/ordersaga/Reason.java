/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Why a file cannot be used, for people: without the names of Java's classes. Stateless. */
final class Reason {
  private Reason() {}

  static String of(IOException failure) {
    if (failure instanceof NoSuchFileException) {
      return "it is not there";
    }
    if (failure instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (failure instanceof FileAlreadyExistsException) {
      return "something else is in its place";
    }
    String said =
        failure instanceof FileSystemException system ? system.getReason() : failure.getMessage();
    return said == null ? "an input/output error" : said;
  }
}
