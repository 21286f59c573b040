/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.rocksdb;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.kv.engine.Found;
import io.wovyr.persistence.kv.engine.Place;
import io.wovyr.persistence.kv.engine.Range;
import io.wovyr.persistence.kv.engine.Stored;
import io.wovyr.persistence.kv.engine.View;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;

/** A snapshot. It keeps the database from being closed. */
final class RocksDbView implements View {
  /** What one range call reads at most, beyond its first entry. */
  private static final long MOST_BYTES = 8L << 20;

  /** Most values are smaller. */
  private static final int USUAL_BYTES = 1 << 10;

  private final OpenDatabase database;
  private final RocksDB rocks;
  private final long horizon;
  private final Snapshot snapshot;
  private final ReadOptions options;

  /** Only between {@link OpenDatabase#enter} and {@link OpenDatabase#leave}, which closing does. */
  RocksDbView(OpenDatabase database, RocksDB rocks, long horizon) {
    this.database = database;
    this.rocks = rocks;
    // Taken before the snapshot: all of it is then in the snapshot.
    this.horizon = horizon;
    this.snapshot = rocks.getSnapshot();
    this.options = new ReadOptions().setSnapshot(snapshot);
  }

  @Override
  public List<Optional<Stored>> get(List<Place> places) {
    if (places.isEmpty()) {
      return List.of();
    }
    try {
      List<byte[]> keys = places.stream().map(Place::bytes).toList();
      List<byte[]> values =
          keys.size() == 1 ? Collections.singletonList(null) : rocks.multiGetAsList(options, keys);
      List<Optional<Stored>> found = new ArrayList<>(keys.size());
      for (int i = 0; i < keys.size(); i++) {
        byte[] value = values.get(i);
        // Several at once have no error of one of them: it looks as if it were not there.
        byte[] certain = value == null ? rocks.get(options, keys.get(i)) : value;
        found.add(Optional.ofNullable(certain).map(StoredBytes::decode));
      }
      return found;
    } catch (RocksDBException e) {
      throw database.errors().beforeWrite(e);
    }
  }

  @Override
  public Found range(Range range, int limit) {
    if (range.from().compareTo(range.to()) >= 0) {
      return new Found(List.of(), Optional.empty());
    }
    try (Slice low = new Slice(range.from().bytes());
        Slice high = new Slice(range.to().bytes());
        ReadOptions bounded = new ReadOptions(options);
        RocksIterator iterator =
            rocks.newIterator(bounded.setIterateLowerBound(low).setIterateUpperBound(high))) {
      return walk(iterator, range, limit);
    } catch (RocksDBException e) {
      throw database.errors().beforeWrite(e);
    }
  }

  private static Found walk(RocksIterator iterator, Range range, int limit)
      throws RocksDBException {
    boolean ascending = range.ascending();
    int partition = range.from().partition();
    List<Found.Entry> entries = new ArrayList<>(Math.min(limit, 64));
    long bytes = 0;
    byte[] value = new byte[USUAL_BYTES];
    if (ascending) {
      iterator.seekToFirst();
    } else {
      iterator.seekToLast();
    }
    while (iterator.isValid()) {
      if (entries.size() == limit || bytes >= MOST_BYTES) {
        return new Found(entries, Optional.of(rest(range, entries)));
      }
      int length = iterator.value(value);
      if (length > value.length) {
        value = new byte[length];
        iterator.value(value);
      }
      Stored stored = StoredBytes.decode(value, length);
      entries.add(new Found.Entry(new Place(iterator.key(), partition), stored));
      bytes += length;
      if (ascending) {
        iterator.next();
      } else {
        iterator.prev();
      }
    }
    iterator.status();
    return new Found(entries, Optional.empty());
  }

  private static Range rest(Range range, List<Found.Entry> entries) {
    Place last = entries.get(entries.size() - 1).place();
    return range.ascending()
        ? new Range(last.after(), range.to(), true)
        : new Range(range.from(), last, false);
  }

  @Override
  public Bytes horizon() {
    return Stamps.bytes(horizon);
  }

  @Override
  public void close() {
    options.close();
    rocks.releaseSnapshot(snapshot);
    database.leave();
  }
}
