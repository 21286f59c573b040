/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Whether the run is to end before its time. The process's end waits for what was measured to be
 * printed and for what was made to be removed. Thread-safe.
 */
final class Stop {
  private static final int PATIENCE_SECONDS = 30;
  private final CountDownLatch finished = new CountDownLatch(1);
  private volatile boolean requested;

  /** Hears the signals that end a process. */
  static Stop onSignal() {
    Stop stop = new Stop();
    Runtime.getRuntime().addShutdownHook(new Thread(stop::end, "bench-stop"));
    return stop;
  }

  private void end() {
    requested = true;
    try {
      boolean inTime = finished.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assert inTime || requested;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  boolean requested() {
    return requested;
  }

  void request() {
    requested = true;
  }

  /** Everything is printed and removed. */
  void finished() {
    finished.countDown();
  }
}
