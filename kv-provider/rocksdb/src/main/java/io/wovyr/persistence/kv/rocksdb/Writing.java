/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.rocksdb;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.kv.engine.AtomicWrite;
import io.wovyr.persistence.kv.engine.Change;
import io.wovyr.persistence.kv.engine.Condition;
import io.wovyr.persistence.kv.engine.Place;
import io.wovyr.persistence.kv.engine.Stored;
import io.wovyr.persistence.kv.engine.WriteOutcome;
import io.wovyr.persistence.kv.engine.WriteOutcome.Applied;
import io.wovyr.persistence.kv.engine.WriteOutcome.Refusal;
import io.wovyr.persistence.kv.engine.WriteOutcome.Refused;
import io.wovyr.persistence.storage.spi.Deadline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * Judges writes one after the other and puts all that apply into one batch of RocksDB, whose log is
 * synced. Used once, by one thread that holds the locks of all guarded keys.
 */
final class Writing implements AutoCloseable {
  private final OpenDatabase database;
  private final WriteBatch batch = new WriteBatch();
  private final List<Long> stamps = new ArrayList<>();

  /** What former writes of this call put under guarded keys; the batch is not readable. */
  private final Map<Place, Optional<Stored>> written = new HashMap<>();

  private boolean visible;
  private boolean unknown;

  Writing(OpenDatabase database) {
    this.database = database;
  }

  List<WriteOutcome> write(List<AtomicWrite> writes, Deadline deadline) {
    boolean several = writes.size() > 1;
    List<WriteOutcome> outcomes = new ArrayList<>(writes.size());
    try {
      for (AtomicWrite write : writes) {
        List<Refusal> refusals = judge(write);
        if (refusals.isEmpty()) {
          add(write, several);
        }
        outcomes.add(refusals.isEmpty() ? new Applied() : new Refused(refusals));
      }
    } catch (RocksDBException e) {
      throw database.errors().beforeWrite(e);
    }
    if (deadline.isOver()) {
      throw new Unavailable("the deadline is over; nothing was written", null);
    }
    if (batch.count() > 0) {
      commit();
    }
    return outcomes;
  }

  private List<Refusal> judge(AtomicWrite write) throws RocksDBException {
    List<Refusal> refusals = List.of();
    List<Change> changes = write.changes();
    for (int i = 0; i < changes.size(); i++) {
      Condition condition = changes.get(i).condition();
      if (condition == Condition.NONE) {
        continue;
      }
      Optional<Stored> stored = stored(changes.get(i).place());
      if (!condition.holds(stored)) {
        refusals = refusals.isEmpty() ? new ArrayList<>() : refusals;
        refusals.add(new Refusal(i, stored));
      }
    }
    return refusals;
  }

  private Optional<Stored> stored(Place place) throws RocksDBException {
    Optional<Stored> before = written.get(place);
    return before != null
        ? before
        : Optional.ofNullable(database.rocks().get(place.bytes())).map(StoredBytes::decode);
  }

  private void add(AtomicWrite write, boolean several) throws RocksDBException {
    Bytes stamp = isStamped(write) ? takeStamp() : Bytes.EMPTY;
    for (Change change : write.changes()) {
      if (change instanceof Change.Put put) {
        Stored value =
            put.stamped()
                ? new Stored(put.value().version(), stamp, put.value().body())
                : put.value();
        batch.put(put.place().bytes(), StoredBytes.encode(value));
        remember(put, Optional.of(value), several);
      } else if (change instanceof Change.Remove remove) {
        batch.delete(remove.place().bytes());
        remember(remove, Optional.empty(), several);
      } else if (change instanceof Change.Append append) {
        batch.put(
            append.place().then(stamp.unsafeArray()).bytes(),
            StoredBytes.encode(new Stored(0, append.body())));
      }
    }
  }

  private void remember(Change change, Optional<Stored> value, boolean several) {
    if (several) {
      written.put(change.place(), value);
    }
  }

  private static boolean isStamped(AtomicWrite write) {
    return write.changes().stream()
        .anyMatch(
            change ->
                change instanceof Change.Append
                    || (change instanceof Change.Put put && put.stamped()));
  }

  private Bytes takeStamp() {
    long stamp = database.stamps().take();
    stamps.add(stamp);
    return Stamps.bytes(stamp);
  }

  private void commit() {
    try {
      database.rocks().write(database.synced(), batch);
      visible = true;
    } catch (RocksDBException e) {
      unknown = true;
      database.poison(e);
      throw database.errors().atWrite(e);
    }
  }

  /**
   * Lets its numbers go. Those of a write that may lie in the log hold the horizon until the store
   * is opened again: nothing may show up behind a reader.
   */
  @Override
  public void close() {
    if (!unknown) {
      stamps.forEach(stamp -> database.stamps().done(stamp, visible));
    }
    batch.close();
  }
}
