/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.core.Background.Timer;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes in the background what nobody needs any more: expired commit markers, and large values
 * that no record refers to. Of the processes that share a store one does it, by a named lease. The
 * first time comes somewhere within the interval, so that short-lived processes do not begin it all
 * at once. Thread-safe.
 */
final class Housekeeper {
  static final String EVERY = "wovyr.housekeeping.every";
  static final String OFF = "off";

  private static final Logger LOG = LoggerFactory.getLogger(Housekeeper.class);
  private static final String LEASE = "wovyr.housekeeping";
  private static final Duration LONGEST_TTL = Duration.ofHours(1);
  private static final int MARKERS_AT_ONCE = 100;
  private static final int VALUES_AT_ONCE = 10;

  private final CoreSystemAccess system;
  private final Duration every;
  private final SystemLease lease;
  private final Timer timer;

  /** Held while it is at work. */
  private final ReentrantLock working = new ReentrantLock();

  private volatile boolean closed;
  private boolean failed;

  private Housekeeper(Engine engine, Duration every) {
    this.system = new CoreSystemAccess(engine, "housekeeping");
    this.every = every;
    Duration twice = every.multipliedBy(2);
    this.lease =
        new SystemLease(
            system.leases(),
            LEASE,
            "housekeeper-" + UUID.randomUUID(),
            Optional.of(twice.compareTo(LONGEST_TTL) < 0 ? twice : LONGEST_TTL));
    this.timer = engine.background().timer("wovyr-housekeeping");
  }

  /** Begins, where the settings say so. */
  static Optional<Housekeeper> start(Engine engine) {
    return engine
        .settings()
        .housekeeping()
        .map(
            every -> {
              Housekeeper housekeeper = new Housekeeper(engine, every);
              long nanos = every.toNanos();
              housekeeper.workIn(nanos / 2 + ThreadLocalRandom.current().nextLong(nanos / 2 + 1));
              return housekeeper;
            });
  }

  private void workIn(long nanos) {
    timer.next(this::goOn, nanos);
  }

  private void goOn() {
    boolean goesOn = work();
    try {
      if (goesOn && !closed) {
        workIn(every.toNanos());
      }
    } catch (RejectedExecutionException e) {
      LOG.debug("housekeeping ends with the threads it ran on");
    }
  }

  /** Sweeps, if it is this process's turn; false when there is no use in coming again. */
  boolean work() {
    working.lock();
    try {
      if (!closed && lease.hold()) {
        sweep();
      }
      failed = false;
      return true;
    } catch (Rejected e) {
      LOG.info("WOVYR-0113 there is no housekeeping by this process: {}", e.getMessage());
      free();
      return false;
    } catch (RuntimeException e) { // Whatever it is, what is left over must not pile up for it.
      if (!failed && !closed) {
        LOG.warn("WOVYR-0115 housekeeping failed and is tried again: {}", e.getMessage());
      }
      failed = true;
      return true;
    } finally {
      working.unlock();
    }
  }

  /** A few of each in turns: new markers expire all the time. */
  private void sweep() {
    int swept;
    do {
      swept = system.sweepMarkers(MARKERS_AT_ONCE) + system.sweepLargeValues(VALUES_AT_ONCE);
    } while (!closed && swept > 0 && lease.keep());
  }

  private void free() {
    try {
      lease.free();
    } catch (PersistenceException e) {
      LOG.debug("the lease {} could not be given back and runs out: {}", LEASE, e.getMessage());
    }
  }

  /** Begins nothing more. */
  void stop() {
    closed = true;
    timer.close();
  }

  /** Waits for what is under way, which ends soon, for no longer than {@code grace}. */
  void close(Duration grace) {
    stop();
    try {
      if (working.tryLock(grace.toNanos(), TimeUnit.NANOSECONDS)) {
        try {
          free();
        } finally {
          working.unlock();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
