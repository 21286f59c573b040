/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.memory;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.CommitOutcome.Committed;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.FeedChunk;
import io.wovyr.persistence.storage.spi.ForwardingStorage;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** A handle of a {@link LogFileProvider}'s store. */
final class LogFileStorage extends ForwardingStorage {
  private static final int LATER = 10;

  private final LogFileProvider.Flaw flaw;
  private final RandomAccessFile file;
  private final StringBuilder unwritten = new StringBuilder();
  private long readTo;
  private int waiting;

  LogFileStorage(Path path, LogFileProvider.Flaw flaw) {
    super(new MemoryStore(MemorySettings.defaults().withoutClock()).open());
    this.flaw = flaw;
    try {
      file = new RandomAccessFile(path.toFile(), "rw");
    } catch (IOException e) {
      throw new Unavailable("no file", e);
    }
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of(Capability.MULTI_PROCESS);
  }

  /** Runs with everything read that others wrote. */
  private synchronized <T> T current(Supplier<T> work) {
    try {
      if (flaw == LogFileProvider.Flaw.UNLOCKED) {
        catchUp();
        LockSupport.parkNanos(100_000);
        return work.get();
      }
      FileLock lock = file.getChannel().lock();
      try {
        catchUp();
        return work.get();
      } finally {
        lock.release();
      }
    } catch (IOException e) {
      throw new Unavailable("the file cannot be used", e);
    }
  }

  private void catchUp() throws IOException {
    long end = file.length();
    if (end <= readTo) {
      return;
    }
    byte[] bytes = new byte[(int) (end - readTo)];
    file.seek(readTo);
    file.readFully(bytes);
    String text = new String(bytes, StandardCharsets.US_ASCII);
    int whole = text.lastIndexOf('\n') + 1;
    for (String line : text.substring(0, whole).lines().toList()) {
      delegate()
          .commit(
              List.of(BatchLog.batch(line, identity().epoch())),
              Deadline.after(Duration.ofSeconds(10)));
    }
    readTo += whole;
    if (readTo < end) {
      file.setLength(readTo);
    }
  }

  @Override
  public List<CommitOutcome> commit(List<Batch> batches, Deadline deadline) {
    return current(
        () -> {
          List<CommitOutcome> outcomes = super.commit(batches, deadline);
          for (int i = 0; i < batches.size(); i++) {
            if (outcomes.get(i) instanceof Committed) {
              unwritten.append(BatchLog.line(batches.get(i))).append('\n');
            }
          }
          write();
          return outcomes;
        });
  }

  private void write() {
    if (flaw == LogFileProvider.Flaw.WRITES_LATER && ++waiting % LATER != 0) {
      return;
    }
    try {
      file.seek(file.length());
      file.write(unwritten.toString().getBytes(StandardCharsets.US_ASCII));
      readTo = file.length();
      unwritten.setLength(0);
    } catch (IOException e) {
      throw new Unavailable("the file cannot be written", e);
    }
  }

  @Override
  public List<Optional<Row>> read(Scope scope, List<Key> keys, ReadOptions options) {
    return current(() -> super.read(scope, keys, options));
  }

  @Override
  public Page<Row> scan(Scope scope, Scan scan, ReadOptions options) {
    return current(() -> super.scan(scope, scan, options));
  }

  @Override
  public FeedChunk feed(Scope scope, Optional<FeedCursor> after, int limit, Deadline deadline) {
    return current(() -> super.feed(scope, after, limit, deadline));
  }

  @Override
  public synchronized void close() {
    super.close();
    try {
      file.close();
    } catch (IOException e) {
      throw new Unavailable("the file cannot be closed", e);
    }
  }
}
