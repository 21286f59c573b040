/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.internal;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/**
 * Why a file cannot be used, for people: of many failures of the file system the message is nothing
 * but the path, and only the class says what happened. Thread-safe, no state.
 */
public final class FileReasons {
  private FileReasons() {}

  /** The reason alone, without the path. */
  public static String of(IOException failure) {
    if (failure instanceof NoSuchFileException) {
      return "it is not there";
    }
    if (failure instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (failure instanceof FileAlreadyExistsException) {
      return "something else is in its place";
    }
    if (failure instanceof NotDirectoryException) {
      return "it is not a directory";
    }
    if (failure instanceof DirectoryNotEmptyException) {
      return "it is not empty";
    }
    String said =
        failure instanceof FileSystemException system ? system.getReason() : failure.getMessage();
    return said == null || said.isBlank() ? "an input/output error" : said;
  }

  /** The reason, and in parentheses the path it is about where the failure names one. */
  public static String withPath(IOException failure) {
    String path = failure instanceof FileSystemException system ? system.getFile() : null;
    return of(failure) + (path == null ? "" : " (" + path + ")");
  }
}
