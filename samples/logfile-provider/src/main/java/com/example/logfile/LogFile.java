/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package com.example.logfile;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.kv.engine.Stored;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.zip.CRC32C;

/**
 * The file, open once in this process for all handles, and what is in it. A record of the log is a
 * magic number, the length and the checksum of what follows, and that: the keys that a call changed
 * and what lies under them now. Each is synced before anybody sees it and before the next begins,
 * so that what a crash tears is the last one, of which nobody was told.
 */
final class LogFile {
  private static final System.Logger LOG = System.getLogger(LogFile.class.getName());
  private static final Map<Path, LogFile> OPEN = new HashMap<>();
  private static final int MAGIC = 0x574c4f47;
  private static final int HEADER = 3 * Integer.BYTES;

  final Path directory;

  /** Held by whoever writes, one at a time. */
  final ReentrantLock writers = new ReentrantLock();

  /** Shared by whoever looks; held alone while what is on the disk is being shown. */
  final ReentrantReadWriteLock state = new ReentrantReadWriteLock();

  /** What is there. Looked at under one of the locks, changed under both. */
  final NavigableMap<byte[], Stored> entries = new TreeMap<>(Arrays::compareUnsigned);

  /** The highest stamp given; as {@link #entries}. */
  long lastStamp;

  /** Why nothing can be written any more. */
  volatile Optional<String> problem = Optional.empty();

  private final RandomAccessFile lock;
  // Not a FileChannel: the interrupt of one caller would close that for all.
  private RandomAccessFile log;
  private int handles;

  private LogFile(Path directory, boolean create) throws IOException {
    this.directory = directory;
    if (create) {
      Files.createDirectories(directory);
    } else if (!exists(directory)) {
      throw LogFileProvider.absent(directory);
    }
    lock = locked();
    try {
      read();
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  static boolean exists(Path directory) {
    return Files.exists(directory.resolve("store.log"));
  }

  /** One more handle. */
  static LogFile open(Path directory, boolean create) {
    synchronized (OPEN) {
      try {
        LogFile file = OPEN.get(directory);
        if (file == null) {
          file = new LogFile(directory, create);
          OPEN.put(directory, file);
        }
        file.handles++;
        return file;
      } catch (IOException e) {
        throw new Unavailable("the log file store " + directory + " cannot be opened", e);
      }
    }
  }

  /** Dies with its process, and keeps out other class loaders of this one. */
  private RandomAccessFile locked() throws IOException {
    RandomAccessFile file = new RandomAccessFile(directory.resolve("store.lock").toFile(), "rw");
    try {
      if (file.getChannel().tryLock() != null) {
        return file;
      }
    } catch (OverlappingFileLockException e) {
      // Another application of this process: as if it were another process.
    }
    file.close();
    throw new Unavailable(
        "the log file store " + directory + " is in use: one process at a time can have it open",
        null);
  }

  private void read() throws IOException {
    Path path = directory.resolve("store.log");
    ByteBuffer old = ByteBuffer.wrap(exists(directory) ? Files.readAllBytes(path) : new byte[0]);
    int end = 0;
    for (var content = content(old, end); content.isPresent(); content = content(old, end)) {
      end += HEADER + content.get().remaining();
      show(decode(content.get()));
    }
    for (int behind = end + 1; behind < old.limit(); behind++) {
      if (content(old, behind).isPresent()) {
        throw new Corrupt(
            "the log of " + directory + " is damaged at byte " + end + ": restore a backup", null);
      }
    }
    if (end < old.limit()) {
      LOG.log(System.Logger.Level.WARNING, "left out what a crash tore of a write: {0}", path);
    }
    lastStamp = LogFileEngine.lastStamp(this);
    // Without what was overwritten or torn. Whoever dies meanwhile leaves the old one.
    Path fresh = directory.resolve("store.log.new");
    Files.deleteIfExists(fresh);
    log = new RandomAccessFile(fresh.toFile(), "rw");
    log.write(encode(entries));
    log.getFD().sync();
    Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE);
    try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
      names.force(true);
    }
  }

  /** What a whole record that begins here holds. */
  private static Optional<ByteBuffer> content(ByteBuffer log, int at) {
    if (log.limit() - at < HEADER || log.getInt(at) != MAGIC) {
      return Optional.empty();
    }
    int length = log.getInt(at + Integer.BYTES);
    if (length < 0 || length > log.limit() - at - HEADER) {
      return Optional.empty();
    }
    ByteBuffer content = log.slice(at + HEADER, length);
    boolean whole = checksum(content.duplicate()) == log.getInt(at + 2 * Integer.BYTES);
    return whole ? Optional.of(content) : Optional.empty();
  }

  private static int checksum(ByteBuffer content) {
    CRC32C checksum = new CRC32C();
    checksum.update(content);
    return (int) checksum.getValue();
  }

  /**
   * Writes what a call changed, null for what it removed, and then shows it; to be called by the
   * holder of {@link #writers}.
   *
   * @throws OutcomeUnknown it may lie in the log; nothing more is written until all handles are
   *     closed and the store is read again
   */
  void append(NavigableMap<byte[], Stored> changes, long stamp) {
    try {
      log.write(encode(changes));
      log.getFD().sync();
    } catch (IOException e) {
      String what = "a write to " + directory + " failed: see to the disk, close all handles, open";
      problem = Optional.of(what + " it again");
      throw new OutcomeUnknown(what + " it again and submit the same", e);
    }
    // Without a deadline: it is on the disk, and "not written" would be untrue by now. Whoever
    // looks
    // holds this lock for one look only.
    state.writeLock().lock();
    try {
      show(changes);
      lastStamp = stamp;
    } finally {
      state.writeLock().unlock();
    }
  }

  private void show(NavigableMap<byte[], Stored> changes) {
    changes.forEach(
        (key, stored) -> {
          if (stored == null) {
            entries.remove(key);
          } else {
            entries.put(key, stored);
          }
        });
  }

  private static byte[] encode(NavigableMap<byte[], Stored> changes) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.write(new byte[HEADER]);
    for (var change : changes.entrySet()) {
      Stored stored = change.getValue();
      write(out, change.getKey());
      out.writeBoolean(stored != null);
      if (stored != null) {
        out.writeLong(stored.version());
        write(out, stored.stamp().unsafeArray());
        write(out, stored.body().unsafeArray());
      }
    }
    ByteBuffer record = ByteBuffer.wrap(bytes.toByteArray());
    int length = record.limit() - HEADER;
    record.putInt(MAGIC).putInt(length).putInt(checksum(record.slice(HEADER, length)));
    return record.array();
  }

  private static void write(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static NavigableMap<byte[], Stored> decode(ByteBuffer in) {
    NavigableMap<byte[], Stored> changes = new TreeMap<>(Arrays::compareUnsigned);
    while (in.hasRemaining()) {
      byte[] key = bytes(in);
      boolean put = in.get() != 0;
      changes.put(
          key, put ? new Stored(in.getLong(), Bytes.wrap(bytes(in)), Bytes.wrap(bytes(in))) : null);
    }
    return changes;
  }

  private static byte[] bytes(ByteBuffer in) {
    byte[] bytes = new byte[in.getInt()];
    in.get(bytes);
    return bytes;
  }

  /** One handle less. */
  void release() {
    synchronized (OPEN) {
      if (--handles == 0) {
        OPEN.remove(directory);
        close();
      }
    }
  }

  private void close() {
    try {
      if (log != null) {
        log.close();
      }
      lock.close();
    } catch (IOException e) {
      throw new Unavailable("the log file store " + directory + " could not be closed", e);
    }
  }
}
