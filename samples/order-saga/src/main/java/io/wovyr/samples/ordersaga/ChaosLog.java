/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.samples.ordersaga.Strike.Kind;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What was done to the workers, and what came of it. Thread-safe. */
final class ChaosLog {
  private final Map<String, Integer> kills = new TreeMap<>();
  private final Map<String, Integer> stalls = new TreeMap<>();
  private final Map<String, Integer> refusedBy = new TreeMap<>();
  private final Map<WorkerProcess, CountDownLatch> lateWrites = new ConcurrentHashMap<>();
  private int accepted;

  /** A worker is struck. */
  synchronized void struck(Strike strike) {
    (strike.kind() == Kind.KILL ? kills : stalls).merge(strike.phase().text(), 1, Integer::sum);
  }

  /** A stalled worker is about to be woken. */
  void expectLateWrite(WorkerProcess worker) {
    lateWrites.put(worker, new CountDownLatch(1));
  }

  /** A stalled worker tried what it was about to do. */
  void lateWrite(WorkerProcess worker, boolean refused, String by) {
    synchronized (this) {
      if (refused) {
        refusedBy.merge(by, 1, Integer::sum);
      } else {
        accepted++;
      }
    }
    CountDownLatch latch = lateWrites.get(worker);
    if (latch != null) {
      latch.countDown();
    }
  }

  /** Waits until a woken worker has tried it. */
  void awaitLateWrite(WorkerProcess worker, Duration timeout) throws InterruptedException {
    CountDownLatch latch = lateWrites.get(worker);
    if (latch != null && !latch.await(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new CannotGoOn(worker.name() + " was stalled and does not go on", null);
    }
  }

  synchronized Report.Strikes strikes(int killsWanted, int stallsWanted) {
    return new Report.Strikes(
        killsWanted, new TreeMap<>(kills), stallsWanted, new TreeMap<>(stalls));
  }

  synchronized Report.LateWrites lateWrites() {
    return new Report.LateWrites(new TreeMap<>(refusedBy), accepted);
  }

  synchronized int killed() {
    return kills.values().stream().mapToInt(Integer::intValue).sum();
  }

  synchronized int stalled() {
    return stalls.values().stream().mapToInt(Integer::intValue).sum();
  }
}
