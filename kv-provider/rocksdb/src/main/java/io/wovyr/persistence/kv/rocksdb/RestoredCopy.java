/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.rocksdb;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.internal.FileReasons;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A directory beside the place of a store, in which the store is put together. It is marked as ours
 * and locked: what others keep there is left alone, and so is the restore of another process; what
 * a killed one left is removed. Closing it removes it. For one thread.
 */
final class RestoredCopy implements AutoCloseable {
  private static final String MARKER = "wovyr.restoring";

  private final Path directory;
  private final StoreLock lock;

  private RestoredCopy(Path directory, StoreLock lock) {
    this.directory = directory;
    this.lock = lock;
  }

  /**
   * One that is made, with the directories above it.
   *
   * @throws InvalidInput when something that is not ours lies there
   * @throws Unavailable when another restore to the same place goes on, or it cannot be made
   */
  static RestoredCopy beside(Path place) {
    Path directory = place.resolveSibling(place.getFileName() + ".restoring");
    try {
      mark(directory);
      StoreLock lock = StoreLock.take(directory, "restore in");
      try {
        Directories.remove(store(directory));
      } catch (IOException | RuntimeException e) {
        lock.close();
        throw e;
      }
      return new RestoredCopy(directory, lock);
    } catch (IOException e) {
      throw new Unavailable(
          "no copy can be made in " + directory + ": " + FileReasons.withPath(e), e);
    }
  }

  /** The mark comes before all else: what holds something and no mark is not ours. */
  private static void mark(Path directory) throws IOException {
    Path marker = directory.resolve(MARKER);
    if (Directories.isTaken(directory) && Files.notExists(marker)) {
      throw new InvalidInput(
          directory + " holds what no restore left: move it away, the copy is put together there");
    }
    Files.createDirectories(directory);
    Files.write(marker, new byte[0]);
  }

  private static Path store(Path directory) {
    return directory.resolve("store");
  }

  /** Where the store is put together: at first nothing is there. It may be moved away. */
  Path store() {
    return store(directory);
  }

  @Override
  public void close() {
    try {
      Directories.remove(store());
      Files.deleteIfExists(directory.resolve(MARKER));
      Files.deleteIfExists(directory.resolve(StoreLock.FILE));
    } catch (IOException e) {
      throw new Unavailable(
          "the copy in " + directory + " cannot be removed: " + FileReasons.withPath(e), e);
    } finally {
      lock.close();
    }
    removeEmpty();
  }

  private void removeEmpty() {
    try {
      Files.deleteIfExists(directory);
    } catch (IOException e) {
      // Another restore has begun there meanwhile; an empty directory is in nobody's way.
      return;
    }
  }
}
