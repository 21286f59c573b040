/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.storage.spi.Deadline;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The right to migrate one store. The operating system takes it back when the process ends, however
 * it ends; the file stays, empty, and means nothing by itself. A slow migration keeps it as long as
 * its process lives.
 */
final class MigrationLock {
  private static final long POLL_NANOS = Duration.ofMillis(50).toNanos();

  private MigrationLock() {}

  /**
   * Waits for the lock and runs {@code work} under it.
   *
   * @throws Unavailable when another process or thread still migrates at the deadline
   */
  static void holding(Path store, Deadline deadline, Consumer<String> progress, Runnable work)
      throws IOException {
    Path file = store.resolveSibling(store.getFileName() + ".migrate.lock");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      FileLock lock = tryLock(channel);
      if (lock == null) {
        progress.accept("another process is migrating this store: waiting for it");
      }
      while (lock == null) {
        if (deadline.isOver() || Thread.currentThread().isInterrupted()) {
          throw new Unavailable(
              "another process is migrating the SQLite store %s (it holds %s): wait, then retry"
                  .formatted(store, file),
              null);
        }
        LockSupport.parkNanos(POLL_NANOS);
        lock = tryLock(channel);
      }
      try {
        work.run();
      } finally {
        lock.release();
      }
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // Another thread of this process has it.
      return null;
    }
  }
}
