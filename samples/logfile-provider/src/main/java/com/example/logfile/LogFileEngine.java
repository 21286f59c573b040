/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package com.example.logfile;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.kv.KvStore;
import io.wovyr.persistence.kv.engine.AtomicWrite;
import io.wovyr.persistence.kv.engine.Change;
import io.wovyr.persistence.kv.engine.Engine;
import io.wovyr.persistence.kv.engine.Found;
import io.wovyr.persistence.kv.engine.Place;
import io.wovyr.persistence.kv.engine.Range;
import io.wovyr.persistence.kv.engine.Shape;
import io.wovyr.persistence.kv.engine.Stored;
import io.wovyr.persistence.kv.engine.View;
import io.wovyr.persistence.kv.engine.WriteOutcome;
import io.wovyr.persistence.kv.engine.WriteOutcome.Refusal;
import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Health;
import io.wovyr.persistence.storage.spi.Limits;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;

/** A handle of an open log file: guards, numbers, and views of one instant. */
final class LogFileEngine implements Engine {
  private static final Limits LIMITS = new Limits(1 << 20, 1_000, 8L << 20, 100, 0);
  static final Shape SHAPE =
      new Shape(Set.of(Capability.MERGED_COMMIT), LIMITS, 1, true, 64 << 10, true, true);
  private static final long MOST_BYTES = 4L << 20;

  private final LogFile file;
  private final AtomicBoolean closed = new AtomicBoolean();

  private LogFileEngine(LogFile file) {
    this.file = file;
  }

  static LogFileEngine open(Path directory, boolean create) {
    return new LogFileEngine(LogFile.open(directory, create));
  }

  /** Where numbers go on: above all that were given, and all that a former epoch may have given. */
  static long lastStamp(LogFile file) {
    Deadline deadline = Deadline.after(Duration.ofSeconds(10));
    try (View view = new LogFileEngine(file).view(deadline)) {
      long epoch = KvStore.find(view).map(store -> store.identity().epoch()).orElse(0L);
      Bytes last = KvStore.lastStamp(view);
      long given = last.size() == Long.BYTES ? last.asReadOnlyBuffer().getLong() : 0;
      return Math.max(given, epoch << 48);
    }
  }

  @Override
  public Shape shape() {
    return SHAPE;
  }

  @Override
  public String description() {
    return "the log file store " + file.directory;
  }

  @Override
  public List<WriteOutcome> write(List<AtomicWrite> writes, Deadline deadline) {
    acquire(file.writers, deadline);
    try {
      if (file.problem.isPresent()) {
        throw new Unavailable(file.problem.get(), null);
      }
      NavigableMap<byte[], Stored> changes = new TreeMap<>(Arrays::compareUnsigned);
      List<WriteOutcome> outcomes = new ArrayList<>();
      long stamp = file.lastStamp;
      for (AtomicWrite write : writes) {
        List<Refusal> refusals = judge(write, changes);
        if (refusals.isEmpty()) {
          add(write, bytes(++stamp), changes);
        }
        outcomes.add(
            refusals.isEmpty() ? new WriteOutcome.Applied() : new WriteOutcome.Refused(refusals));
      }
      if (deadline.isOver()) {
        throw new Unavailable("the deadline is over; nothing was written", null);
      }
      if (!changes.isEmpty()) {
        file.append(changes, stamp);
      }
      return outcomes;
    } finally {
      file.writers.unlock();
    }
  }

  /** All conditions that do not hold, seen behind the writes of this call that came before. */
  private List<Refusal> judge(AtomicWrite write, Map<byte[], Stored> before) {
    List<Refusal> refusals = new ArrayList<>();
    for (int i = 0; i < write.changes().size(); i++) {
      Change change = write.changes().get(i);
      byte[] key = change.place().bytes();
      Optional<Stored> stored =
          Optional.ofNullable((before.containsKey(key) ? before : file.entries).get(key));
      if (!change.condition().holds(stored)) {
        refusals.add(new Refusal(i, stored));
      }
    }
    return refusals;
  }

  private static void add(AtomicWrite write, Bytes stamp, Map<byte[], Stored> to) {
    for (Change change : write.changes()) {
      byte[] key = change.place().bytes();
      if (change instanceof Change.Put put) {
        Stored value = put.value();
        to.put(key, put.stamped() ? new Stored(value.version(), stamp, value.body()) : value);
      } else if (change instanceof Change.Remove) {
        to.put(key, null);
      } else if (change instanceof Change.Append append) {
        to.put(append.place().then(stamp.unsafeArray()).bytes(), new Stored(0, append.body()));
      }
    }
  }

  static Bytes bytes(long stamp) {
    return Bytes.wrap(ByteBuffer.allocate(Long.BYTES).putLong(stamp).array());
  }

  private static void acquire(Lock lock, Deadline deadline) {
    try {
      if (!lock.tryLock(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS)) {
        throw new Unavailable("the deadline came before others let go; nothing was done", null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Unavailable("interrupted while waiting for others; nothing was done", e);
    }
  }

  @Override
  public View view(Deadline deadline) {
    if (deadline.isOver()) {
      throw new Unavailable("the deadline is over; nothing was read", null);
    }
    acquire(file.state.readLock(), deadline);
    return new LogFileView();
  }

  /** While it is open nothing becomes visible: one instant. */
  private final class LogFileView implements View {
    @Override
    public List<Optional<Stored>> get(List<Place> places) {
      return places.stream()
          .map(place -> Optional.ofNullable(file.entries.get(place.bytes())))
          .toList();
    }

    @Override
    public Found range(Range range, int limit) {
      if (range.from().compareTo(range.to()) >= 0) {
        return new Found(List.of(), Optional.empty());
      }
      NavigableMap<byte[], Stored> all =
          file.entries.subMap(range.from().bytes(), true, range.to().bytes(), false);
      List<Found.Entry> entries = new ArrayList<>();
      long bytes = 0;
      for (var entry : (range.ascending() ? all : all.descendingMap()).entrySet()) {
        if (entries.size() == limit || bytes >= MOST_BYTES) {
          Place last = entries.get(entries.size() - 1).place();
          return new Found(
              entries,
              Optional.of(
                  range.ascending()
                      ? new Range(last.after(), range.to(), true)
                      : new Range(range.from(), last, false)));
        }
        bytes += entry.getValue().body().size();
        Place place = new Place(entry.getKey(), range.from().partition());
        entries.add(new Found.Entry(place, entry.getValue()));
      }
      return new Found(entries, Optional.empty());
    }

    @Override
    public Bytes horizon() {
      return bytes(file.lastStamp);
    }

    @Override
    public void close() {
      file.state.readLock().unlock();
    }
  }

  @Override
  public long sizeBytes(Range range) {
    return 0;
  }

  @Override
  public Health health() {
    Optional<String> problem = file.problem;
    return new Health(problem.isEmpty(), Optional.of(Duration.ZERO), problem);
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      file.release();
    }
  }
}
