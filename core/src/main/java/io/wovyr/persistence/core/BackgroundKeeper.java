/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.StorageFailure;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.LeaseKeeper;
import io.wovyr.persistence.lease.Leases;
import io.wovyr.persistence.lease.Wake;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Heartbeats from a few daemon threads, one schedule per lease kept. Thread-safe. */
final class BackgroundKeeper implements LeaseKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(BackgroundKeeper.class);
  private static final int THREADS = 2;
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final Leases leases;
  private final Duration renewEvery;
  private final ScheduledExecutorService heartbeats;
  private final Set<Keeping> kept = ConcurrentHashMap.newKeySet();
  private final Object allClosed = new Object();
  private volatile boolean accepting = true;

  BackgroundKeeper(Leases leases, Duration renewEvery) {
    this.leases = leases;
    this.renewEvery = renewEvery;
    this.heartbeats =
        Executors.newScheduledThreadPool(
            THREADS,
            body -> {
              Thread thread = new Thread(body, "wovyr-lease-keeper-" + NUMBER.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
  }

  @Override
  public Kept keep(Lease lease, Runnable onLost) {
    HeldLease held = (HeldLease) lease;
    if (renewEvery.multipliedBy(2).compareTo(held.ttl()) > 0) {
      throw new InvalidInput(
          "renewEvery must be at most half the lease's ttl: " + renewEvery + ", " + held.ttl());
    }
    Keeping keeping = new Keeping(held, onLost);
    synchronized (allClosed) {
      if (!accepting) {
        throw new IllegalStateException("the keeper was shut down: take no more leases");
      }
      kept.add(keeping);
    }
    keeping.schedule();
    return keeping;
  }

  @Override
  public boolean shutdown(Duration grace) {
    long until = System.nanoTime() + grace.toNanos();
    synchronized (allClosed) {
      accepting = false;
      while (!kept.isEmpty() && until - System.nanoTime() > 0) {
        try {
          TimeUnit.NANOSECONDS.timedWait(allClosed, until - System.nanoTime());
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          break;
        }
      }
    }
    List<Keeping> left = List.copyOf(kept);
    left.forEach(Keeping::cancelAndFree);
    heartbeats.shutdownNow();
    return left.isEmpty();
  }

  @Override
  public void close() {
    shutdown(Duration.ZERO);
  }

  private final class Keeping implements Kept {
    private final HeldLease lease;
    private final Runnable onLost;
    private final AtomicBoolean told = new AtomicBoolean();
    private volatile @Nullable ScheduledFuture<?> schedule;

    Keeping(HeldLease lease, Runnable onLost) {
      this.lease = lease;
      this.onLost = onLost;
    }

    void schedule() {
      long nanos = renewEvery.toNanos();
      schedule = heartbeats.scheduleWithFixedDelay(this::beat, nanos, nanos, TimeUnit.NANOSECONDS);
    }

    private void beat() {
      boolean alive = lease.isHeld();
      // A step in progress renews by itself: the heartbeat would only wait for it.
      if (alive && lease.lock().tryLock()) {
        try {
          alive = leases.heartbeat((Lease) lease);
        } catch (PersistenceException e) {
          LOG.debug("heartbeat of {} failed, trying again: {}", lease, e.getMessage());
        } finally {
          lease.lock().unlock();
        }
      }
      if (!alive) {
        tellLost();
        close();
      }
    }

    private void tellLost() {
      if (told.compareAndSet(false, true)) {
        onLost.run();
      }
    }

    void cancelAndFree() {
      tellLost();
      try {
        leases.release((Lease) lease, Wake.now());
      } catch (StorageFailure e) {
        LOG.debug("{} could not be freed and will run out: {}", lease, e.getMessage());
      }
      close();
    }

    @Override
    public void close() {
      ScheduledFuture<?> running = schedule;
      if (running != null) {
        running.cancel(false);
      }
      synchronized (allClosed) {
        kept.remove(this);
        if (kept.isEmpty()) {
          allClosed.notifyAll();
        }
      }
    }
  }
}
