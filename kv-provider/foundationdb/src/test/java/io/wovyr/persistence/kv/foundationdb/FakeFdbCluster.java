/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.KeyValue;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A FAKE of a FoundationDB cluster, in memory, behind the interfaces of its client. It keeps the
 * documented rules: reads at a version, versions that are readable for five seconds, optimistic
 * concurrency over conflict ranges, versionstamps, 10 MB of a transaction, 10 kB of a key, 100 kB
 * of a value. {@link #faults} makes it fail as clusters do. Thread-safe.
 */
final class FakeFdbCluster {
  static final int MOST_TRANSACTION_BYTES = 10_000_000;
  static final int MOST_KEY_BYTES = 10_000;
  static final int MOST_VALUE_BYTES = 100_000;

  private static final long READABLE_MICROS = 5_000_000;
  private static final int SWEEP_EVERY = 500;

  /** Keys from one inclusive to another exclusive. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared as a whole.
  record KeyRange(byte[] from, byte[] to) {
    static KeyRange of(byte[] key) {
      return new KeyRange(key, Arrays.copyOf(key, key.length + 1));
    }

    boolean meets(KeyRange other) {
      return Arrays.compareUnsigned(from, other.to) < 0
          && Arrays.compareUnsigned(other.from, to) < 0;
    }

    int bytes() {
      return from.length + to.length;
    }
  }

  private record Committed(long version, List<KeyRange> written) {}

  /** What reaches the cluster of a commit. */
  record Request(
      long readVersion,
      List<KeyRange> read,
      List<KeyRange> written,
      List<FakeTransaction.Mutation> mutations) {}

  private final NavigableMap<byte[], NavigableMap<Long, Optional<byte[]>>> rows =
      new TreeMap<>(Arrays::compareUnsigned);
  private final Deque<Committed> commits = new ArrayDeque<>();
  private final AtomicLong passedNanos = new AtomicLong();
  private final long begun = System.nanoTime();
  private long latest = 1;
  private int sinceSweep;

  final FakeFaults faults = new FakeFaults(this);
  final FakeCounts counts = new FakeCounts();

  /** Another connection of a client. */
  FakeFdbDatabase connect() {
    return new FakeFdbDatabase(this);
  }

  /** The clock of the cluster and its clients, which {@link #pass} moves. */
  long nanoTime() {
    return System.nanoTime() + passedNanos.get();
  }

  void pass(Duration time) {
    passedNanos.addAndGet(time.toNanos());
  }

  private long micros() {
    return (nanoTime() - begun) / 1_000;
  }

  synchronized long readVersion() {
    latest = Math.max(latest, micros());
    return latest;
  }

  private boolean isTooOld(long version) {
    return version < micros() - READABLE_MICROS;
  }

  private void refuse(long version) {
    if (isTooOld(version)) {
      throw new FDBException("transaction_too_old", 1007);
    }
    if (version > latest) {
      throw new FDBException("future_version", 1009);
    }
  }

  synchronized byte @org.jspecify.annotations.Nullable [] get(byte[] key, long version) {
    refuse(version);
    return at(rows.get(key), version).orElse(null);
  }

  private static Optional<byte[]> at(
      @org.jspecify.annotations.Nullable NavigableMap<Long, Optional<byte[]>> history,
      long version) {
    return Optional.ofNullable(history)
        .map(all -> all.floorEntry(version))
        .flatMap(Map.Entry::getValue);
  }

  synchronized List<KeyValue> range(KeyRange range, int limit, boolean reverse, long version) {
    refuse(version);
    List<KeyValue> found = new ArrayList<>();
    if (Arrays.compareUnsigned(range.from(), range.to()) >= 0) {
      return found;
    }
    NavigableMap<byte[], NavigableMap<Long, Optional<byte[]>>> part =
        rows.subMap(range.from(), true, range.to(), false);
    for (var row : (reverse ? part.descendingMap() : part).entrySet()) {
      at(row.getValue(), version)
          .ifPresent(value -> found.add(new KeyValue(row.getKey().clone(), value.clone())));
      if (found.size() == limit) {
        break;
      }
    }
    return found;
  }

  synchronized long sizeBytes(KeyRange range) {
    return range(range, Integer.MAX_VALUE, false, readVersion()).stream()
        .mapToLong(row -> row.getKey().length + row.getValue().length)
        .sum();
  }

  /** Judges and applies a commit. */
  synchronized void commit(Request request) {
    refuse(request.readVersion());
    Iterator<Committed> newestFirst = commits.descendingIterator();
    while (newestFirst.hasNext()) {
      Committed other = newestFirst.next();
      if (other.version() <= request.readVersion()) {
        break;
      }
      for (KeyRange written : other.written()) {
        if (request.read().stream().anyMatch(written::meets)) {
          throw new FDBException("not_committed", 1020);
        }
      }
    }
    long version = Math.max(latest + 1, micros());
    latest = version;
    byte[] stamp = ByteBuffer.allocate(10).putLong(version).array();
    request.mutations().forEach(mutation -> apply(mutation, version, stamp));
    commits.add(new Committed(version, request.written()));
    if (++sinceSweep >= SWEEP_EVERY) {
      sweep();
    }
  }

  private void apply(FakeTransaction.Mutation mutation, long version, byte[] stamp) {
    if (mutation.clears() != null) {
      rows.subMap(mutation.clears().from(), true, mutation.clears().to(), false)
          .values()
          .forEach(history -> history.put(version, Optional.empty()));
    } else {
      put(mutation.key(stamp), mutation.value(stamp), version);
    }
  }

  private void put(byte[] key, byte[] value, long version) {
    NavigableMap<Long, Optional<byte[]>> history =
        rows.computeIfAbsent(key, one -> new TreeMap<>());
    history.put(version, Optional.of(value));
    forget(history);
  }

  /** Versions that nobody can read any more. */
  private void forget(NavigableMap<Long, Optional<byte[]>> history) {
    Long readable = history.floorKey(micros() - READABLE_MICROS);
    if (readable != null) {
      history.headMap(readable, false).clear();
    }
  }

  private void sweep() {
    sinceSweep = 0;
    while (!commits.isEmpty() && isTooOld(commits.getFirst().version())) {
      commits.removeFirst();
    }
    rows.values()
        .removeIf(
            history -> {
              forget(history);
              return history.size() == 1
                  && history.firstEntry().getValue().isEmpty()
                  && isTooOld(history.firstKey());
            });
  }

  /** Another cluster that holds the same, and whose versions begin anew. */
  FakeFdbCluster restored() {
    FakeFdbCluster other = new FakeFdbCluster();
    for (KeyValue row : all()) {
      other.put(row.getKey(), row.getValue(), 1);
    }
    return other;
  }

  /** Everything that lies in it now. */
  synchronized List<KeyValue> all() {
    return range(
        new KeyRange(new byte[0], new byte[] {(byte) 0xff}),
        Integer.MAX_VALUE,
        false,
        readVersion());
  }
}
