/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.storage.spi.Deadline;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets one thread of this process write at a time. Whoever comes while the lock happens to be free
 * goes first, which saves a switch of threads per commit, but at most {@value #MOST_OVERTAKINGS}
 * times in a row while others wait in line. Thread-safe.
 */
final class WriteLock {
  private static final int MOST_OVERTAKINGS = 8;

  private final ReentrantLock lock = new ReentrantLock(true);
  private volatile int overtakings;

  /**
   * Waits for the lock.
   *
   * @throws Unavailable when the deadline comes first, or the thread is interrupted
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // Written by the lock's holder only.
  void acquire(Deadline deadline) {
    if (overtakings < MOST_OVERTAKINGS && lock.tryLock()) {
      overtakings = lock.hasQueuedThreads() ? overtakings + 1 : 0;
      return;
    }
    try {
      if (!lock.tryLock(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS)) {
        throw new Unavailable(
            "other threads of this process wrote until the deadline: retry, or give more time",
            null);
      }
      overtakings = 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Unavailable("interrupted before anything was written", e);
    }
  }

  void release() {
    lock.unlock();
  }
}
