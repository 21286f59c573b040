/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.rocksdb;

import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.internal.FileReasons;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Keeps everybody else off a store: other processes, and other class loaders of this one, whom
 * RocksDB's own lock would let in. It dies with its process. Closing it lets others in.
 */
final class StoreLock implements AutoCloseable {
  static final String FILE = "wovyr.lock";

  /** What is held by whatever class loader of this process, by its real path. */
  private static final String HELD = "io.wovyr.persistence.kv.rocksdb.held:";

  private final FileChannel channel;
  private final String held;

  private StoreLock(FileChannel channel, String held) {
    this.channel = channel;
    this.held = held;
  }

  /**
   * @throws Unavailable when somebody else has it; the message says who
   */
  static StoreLock take(Path store) {
    return take(store, "RocksDB store");
  }

  /** As {@link #take(Path)}, of a directory that people know by another noun. */
  static StoreLock take(Path directory, String noun) {
    String held = HELD + real(directory);
    String what = "the " + noun + " " + directory;
    // Before the file is opened: closing it again would let go of a lock that this process has.
    if (System.getProperties().putIfAbsent(held, "") != null) {
      throw held(what, "another application of this process");
    }
    try {
      return lock(directory, what, held);
    } catch (RuntimeException e) {
      System.getProperties().remove(held);
      throw e;
    }
  }

  private static Path real(Path store) {
    try {
      return store.toRealPath();
    } catch (IOException e) {
      return store.toAbsolutePath().normalize();
    }
  }

  private static StoreLock lock(Path directory, String what, String held) {
    Path file = directory.resolve(FILE);
    FileChannel channel = null;
    try {
      channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw held(what, "another process" + holder(file));
      }
      channel.truncate(0);
      String me = String.valueOf(ProcessHandle.current().pid());
      channel.write(ByteBuffer.wrap(me.getBytes(StandardCharsets.US_ASCII)), 0);
      return new StoreLock(channel, held);
    } catch (OverlappingFileLockException e) {
      throw closing(channel, held(what, "another application of this process"));
    } catch (Unavailable e) {
      throw closing(channel, e);
    } catch (IOException e) {
      throw closing(
          channel,
          new Unavailable(
              "%s cannot be locked: %s: check that its directory is there and may be written"
                  .formatted(what, FileReasons.withPath(e)),
              e));
    }
  }

  private static Unavailable held(String what, String holder) {
    return new Unavailable(
        "%s is held by %s: one at a time can have it open. Stop that one first, or use its own commands"
            .formatted(what, holder),
        null);
  }

  private static String holder(Path file) {
    try {
      String pid = Files.readString(file, StandardCharsets.US_ASCII).strip();
      return pid.isEmpty() ? "" : " (" + pid + ")";
    } catch (IOException e) {
      return "";
    }
  }

  private static Unavailable closing(@Nullable FileChannel channel, Unavailable thrown) {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        thrown.addSuppressed(e);
      }
    }
    return thrown;
  }

  @Override
  public void close() {
    try {
      channel.close();
      System.getProperties().remove(held);
    } catch (IOException e) {
      throw new Unavailable("the lock of a RocksDB store could not be let go", e);
    }
  }
}
