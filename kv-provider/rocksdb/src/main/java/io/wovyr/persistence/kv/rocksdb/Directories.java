/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.rocksdb;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What is done with directories and files. */
final class Directories {
  private Directories() {}

  /** Whether something would be written over. */
  static boolean isTaken(Path path) throws IOException {
    if (!Files.exists(path)) {
      return false;
    }
    if (!Files.isDirectory(path)) {
      return true;
    }
    try (Stream<Path> entries = Files.list(path)) {
      return entries.findAny().isPresent();
    }
  }

  /** Removes it and all in it, if it is there. */
  static void remove(Path path) throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    List<Path> all;
    try (Stream<Path> entries = Files.walk(path)) {
      all = entries.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path one : all) {
      Files.delete(one);
    }
  }

  /**
   * Moves a file, or a directory of files, to its place at once and for good: a crash leaves what
   * was there or all of this.
   */
  static void replace(Path fresh, Path place) throws IOException {
    if (Files.isDirectory(fresh)) {
      try (Stream<Path> files = Files.list(fresh)) {
        for (Path file : files.toList()) {
          sync(file);
        }
      }
    }
    sync(fresh);
    Files.move(fresh, place, StandardCopyOption.ATOMIC_MOVE);
    Path parent = place.toAbsolutePath().getParent();
    if (parent != null) {
      sync(parent);
    }
  }

  private static void sync(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      syncDirectory(path);
      return;
    }
    // Not every system forces what was opened to be read.
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  private static void syncDirectory(Path path) throws IOException {
    FileChannel channel;
    try {
      channel = FileChannel.open(path, StandardOpenOption.READ);
    } catch (IOException e) {
      // Not every system opens directories; there the files' own force has to do.
      return;
    }
    try (channel) {
      channel.force(true);
    }
  }
}
