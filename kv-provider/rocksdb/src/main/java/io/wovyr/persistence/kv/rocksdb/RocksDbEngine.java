/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.rocksdb;

import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.internal.FileReasons;
import io.wovyr.persistence.kv.engine.AtomicWrite;
import io.wovyr.persistence.kv.engine.Engine;
import io.wovyr.persistence.kv.engine.Place;
import io.wovyr.persistence.kv.engine.Range;
import io.wovyr.persistence.kv.engine.Shape;
import io.wovyr.persistence.kv.engine.View;
import io.wovyr.persistence.kv.engine.WriteOutcome;
import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Health;
import io.wovyr.persistence.storage.spi.Limits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;

/** A handle of an open database. */
final class RocksDbEngine implements Engine {
  static final Set<Capability> CAPABILITIES = Set.of(Capability.MERGED_COMMIT);

  private static final Limits LIMITS = new Limits(16 << 20, 10_000, 64L << 20, 1_000, 0);
  private static final int BLOCK_BYTES = 64 << 10;
  private static final Shape SHAPE =
      new Shape(CAPABILITIES, LIMITS, 1, true, BLOCK_BYTES, true, true);
  private static final long LITTLE_SPACE_BYTES = 64L << 20;

  private final OpenDatabase database;
  private final AtomicBoolean closed = new AtomicBoolean();

  RocksDbEngine(OpenDatabase database) {
    this.database = database;
  }

  OpenDatabase database() {
    return database;
  }

  @Override
  public Shape shape() {
    return SHAPE;
  }

  @Override
  public String description() {
    return "the RocksDB store " + database.path();
  }

  /** Makes writers of this key wait, for tests. */
  KeyLocks.Held lock(Place place) {
    return database.locks().acquire(place, Deadline.after(Duration.ofSeconds(10)));
  }

  @Override
  public View view(Deadline deadline) {
    if (deadline.isOver()) {
      throw new Unavailable("the deadline is over; nothing was read", null);
    }
    database.enter();
    return new RocksDbView(database, database.rocks(), database.stamps().horizon());
  }

  @Override
  public List<WriteOutcome> write(List<AtomicWrite> writes, Deadline deadline) {
    database.enter();
    try (KeyLocks.Held held = database.locks().acquire(writes, deadline);
        Writing writing = new Writing(database)) {
      refuseBroken();
      return writing.write(writes, deadline);
    } finally {
      database.leave();
    }
  }

  private void refuseBroken() {
    String problem = database.problem();
    if (problem != null) {
      throw new Unavailable(problem, null);
    }
  }

  @Override
  public long sizeBytes(Range range) {
    database.enter();
    try (Slice from = new Slice(range.from().bytes());
        Slice to = new Slice(range.to().bytes())) {
      long[] sizes =
          database
              .rocks()
              .getApproximateSizes(
                  List.of(new org.rocksdb.Range(from, to)),
                  SizeApproximationFlag.INCLUDE_FILES,
                  SizeApproximationFlag.INCLUDE_MEMTABLES);
      return sizes[0];
    } finally {
      database.leave();
    }
  }

  @Override
  public Health health() {
    Path path = database.path();
    String problem = database.problem();
    boolean writable = problem == null && Files.isWritable(path);
    try {
      long space = Files.getFileStore(path).getUsableSpace();
      if (problem == null && !writable) {
        problem = description() + " may not be written by this process";
      } else if (problem == null && space < LITTLE_SPACE_BYTES) {
        problem = "the disk of " + path + " has only " + (space >> 20) + " MiB left";
      }
    } catch (IOException e) {
      writable = false;
      problem = description() + " cannot be reached: " + FileReasons.withPath(e);
    }
    return new Health(writable, Optional.of(Duration.ZERO), Optional.ofNullable(problem));
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      OpenDatabases.closed(database);
    }
  }
}
