/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.rocksdb;

import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.kv.engine.AtomicWrite;
import io.wovyr.persistence.kv.engine.Change;
import io.wovyr.persistence.kv.engine.Condition;
import io.wovyr.persistence.kv.engine.Place;
import io.wovyr.persistence.storage.spi.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.StampedLock;

/**
 * Locks of guarded keys, each for the keys of one hash: whoever writes takes them in one order, so
 * that nobody waits in a circle; whoever only looks shares them. Thread-safe.
 */
final class KeyLocks {
  private static final int COUNT = 4_096;

  private final StampedLock[] locks = new StampedLock[COUNT];

  KeyLocks() {
    for (int i = 0; i < COUNT; i++) {
      locks[i] = new StampedLock();
    }
  }

  /** What is held; closing it, on whatever thread, lets it go. */
  interface Held extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * @throws Unavailable when they are not had by the deadline
   */
  Held acquire(List<AtomicWrite> writes, Deadline deadline) {
    Map<Integer, Boolean> wanted = new TreeMap<>();
    for (AtomicWrite write : writes) {
      for (Change change : write.changes()) {
        if (change.condition() != Condition.NONE) {
          wanted.merge(
              number(change.place()), !(change instanceof Change.Check), Boolean::logicalOr);
        }
      }
    }
    return acquire(wanted, deadline);
  }

  /** Of one key, as a writer. */
  Held acquire(Place place, Deadline deadline) {
    return acquire(Map.of(number(place), true), deadline);
  }

  private static int number(Place place) {
    int hash = place.hashCode() * 0x9e3779b9;
    return (hash ^ (hash >>> 16)) & (COUNT - 1);
  }

  private Held acquire(Map<Integer, Boolean> wanted, Deadline deadline) {
    List<StampedLock> held = new ArrayList<>(wanted.size());
    List<Long> stamps = new ArrayList<>(wanted.size());
    Held all = () -> release(held, stamps);
    try {
      for (Map.Entry<Integer, Boolean> one : wanted.entrySet()) {
        StampedLock lock = locks[one.getKey()];
        long stamp = acquire(lock, one.getValue(), deadline);
        if (stamp == 0) {
          throw new Unavailable(
              "the deadline came before another writer let go; nothing was written", null);
        }
        held.add(lock);
        stamps.add(stamp);
      }
      return all;
    } catch (InterruptedException e) {
      all.close();
      Thread.currentThread().interrupt();
      throw new Unavailable("interrupted while waiting for a writer; nothing was written", e);
    } catch (Unavailable e) {
      all.close();
      throw e;
    }
  }

  private static long acquire(StampedLock lock, boolean exclusive, Deadline deadline)
      throws InterruptedException {
    long nanos = deadline.remaining().toNanos();
    return exclusive
        ? lock.tryWriteLock(nanos, TimeUnit.NANOSECONDS)
        : lock.tryReadLock(nanos, TimeUnit.NANOSECONDS);
  }

  private static void release(List<StampedLock> held, List<Long> stamps) {
    for (int i = 0; i < held.size(); i++) {
      held.get(i).unlock(stamps.get(i));
    }
    held.clear();
  }
}
