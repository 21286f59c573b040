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
final class MigrationLock implements AutoCloseable {
  private static final long POLL_NANOS = Duration.ofMillis(50).toNanos();

  private final FileChannel channel;
  private final FileLock lock;

  private MigrationLock(FileChannel channel, FileLock lock) {
    this.channel = channel;
    this.lock = lock;
  }

  /**
   * Waits for the lock.
   *
   * @throws Unavailable when another process or thread still migrates at the deadline
   */
  static MigrationLock acquire(Path store, Deadline deadline, Consumer<String> progress)
      throws IOException {
    Path file = store.resolveSibling(store.getFileName() + ".migrate.lock");
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean told = false;
    try {
      while (true) {
        FileLock lock = tryLock(channel);
        if (lock != null) {
          return new MigrationLock(channel, lock);
        }
        if (deadline.isOver() || Thread.interrupted()) {
          throw new Unavailable(
              "another process is migrating the SQLite store "
                  + store
                  + " (it holds "
                  + file
                  + "): wait until it is done, then retry",
              null);
        }
        if (!told) {
          progress.accept("another process is migrating this store: waiting for it");
          told = true;
        }
        LockSupport.parkNanos(POLL_NANOS);
      }
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
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

  /** The lock is held; for readers of the code that uses it. */
  void confirm() {
    if (!lock.isValid()) {
      throw new IllegalStateException("the migration lock was lost");
    }
  }

  @Override
  public void close() throws IOException {
    lock.release();
    channel.close();
  }
}
