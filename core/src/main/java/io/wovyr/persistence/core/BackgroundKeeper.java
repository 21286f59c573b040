/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.core.Background.Timer;
import io.wovyr.persistence.core.Background.Worker;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.LeaseKeeper;
import io.wovyr.persistence.lease.Leases;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Heartbeats from a few threads, and apart from them one that watches the clock: a store that makes
 * heartbeats wait, or somebody who holds all threads of a container's executor, must not keep a
 * body from hearing that its lease is over. Thread-safe.
 */
final class BackgroundKeeper implements LeaseKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(BackgroundKeeper.class);
  private static final String NAME = "wovyr-lease-keeper";
  private static final int THREADS = 2;

  /** A container's threads are waited for this part of the time between heartbeats. */
  private static final int PATIENCE_OF_RENEWAL = 4;

  private static final long WATCH_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Leases leases;
  private final Engine engine;
  private final Scope scope;
  private final Duration renewEvery;
  private final Timer watch;
  private final Worker heartbeats;
  private final Worker callbacks;
  private final Set<Keeping> kept = ConcurrentHashMap.newKeySet();
  private final Object allClosed = new Object();
  private boolean accepting = true;

  BackgroundKeeper(Leases leases, Engine engine, Scope scope, Duration renewEvery) {
    this.leases = leases;
    this.engine = engine;
    this.scope = scope;
    this.renewEvery = renewEvery;
    Duration patience = renewEvery.dividedBy(PATIENCE_OF_RENEWAL);
    this.watch = engine.background().clock(NAME);
    this.heartbeats = engine.background().worker(NAME, THREADS, watch, patience);
    this.callbacks = engine.background().callbacks(NAME, watch, patience);
    engine.stopOnClose(this, this::shutdown);
  }

  @Override
  public Kept keep(Lease lease, Runnable onLost) {
    HeldLease held = HeldLease.of(lease, engine, scope);
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
      keeping.start();
    }
    return keeping;
  }

  @Override
  public boolean shutdown(Duration grace) {
    engine.stopsByItself(this);
    Deadline deadline = Deadline.after(grace);
    synchronized (allClosed) {
      accepting = false;
      while (!kept.isEmpty() && !deadline.isOver()) {
        try {
          TimeUnit.NANOSECONDS.timedWait(allClosed, deadline.remaining().toNanos());
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          break;
        }
      }
    }
    List<Keeping> left = List.copyOf(kept);
    left.forEach(Keeping::cancelAndFree);
    watch.close();
    heartbeats.close();
    callbacks.close();
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
    private final AtomicBoolean beating = new AtomicBoolean();
    private final List<Future<?>> schedules = new ArrayList<>();

    Keeping(HeldLease lease, Runnable onLost) {
      this.lease = lease;
      this.onLost = onLost;
    }

    void start() {
      long nanos = renewEvery.toNanos();
      schedule(
          watch
              .executor()
              .scheduleWithFixedDelay(this::beatSoon, nanos, nanos, TimeUnit.NANOSECONDS));
      watchOn();
    }

    /** Apart from the clock; one that still waits for its turn is not asked for twice. */
    private void beatSoon() {
      if (beating.compareAndSet(false, true)) {
        try {
          heartbeats.executor().execute(this::beat);
        } catch (RejectedExecutionException e) {
          beating.set(false);
          LOG.trace("{} is not renewed any more: the keeper was shut down", lease);
        }
      }
    }

    private synchronized void schedule(Future<?> scheduled) {
      schedules.removeIf(Future::isDone);
      schedules.add(scheduled);
      if (!kept.contains(this)) {
        scheduled.cancel(false);
      }
    }

    private void beat() {
      try {
        renew();
      } finally {
        beating.set(false);
      }
    }

    private void renew() {
      if (!kept.contains(this)) {
        return;
      }
      // A step in progress renews by itself: the heartbeat would only wait for it.
      if (lease.isHeld() && lease.lock().tryLock()) {
        try {
          leases.heartbeat((Lease) lease);
        } catch (RuntimeException e) {
          LOG.debug("heartbeat of {} failed, trying again: {}", lease, e.getMessage());
        } finally {
          lease.lock().unlock();
        }
      }
      if (!lease.isHeld()) {
        lost();
      }
    }

    private void watchOn() {
      long nanos = Math.max(WATCH_AGAIN_NANOS, lease.remaining().toNanos());
      try {
        schedule(watch.executor().schedule(this::look, nanos, TimeUnit.NANOSECONDS));
      } catch (RejectedExecutionException e) {
        LOG.trace("{} is not watched any more: the keeper was shut down", lease);
      }
    }

    private void look() {
      if (!kept.contains(this)) {
        return;
      }
      if (lease.isHeld()) {
        watchOn();
      } else {
        lost();
      }
    }

    private void lost() {
      if (told.compareAndSet(false, true)) {
        try {
          callbacks.executor().execute(this::tell);
        } catch (RejectedExecutionException e) {
          tell(); // The keeper was shut down meanwhile, and nobody else tells this one.
        }
      }
      close();
    }

    private void tell() {
      try {
        onLost.run();
      } catch (RuntimeException e) {
        LOG.warn("WOVYR-0103 the body of {} failed to stop: {}", lease, e.toString());
      }
    }

    void cancelAndFree() {
      if (told.compareAndSet(false, true)) {
        tell();
      }
      try {
        leases.release((Lease) lease, Wake.now());
      } catch (RuntimeException e) {
        LOG.warn("WOVYR-0104 {} could not be freed and will run out: {}", lease, e.toString());
      }
      close();
    }

    @Override
    public void close() {
      synchronized (allClosed) {
        kept.remove(this);
        if (kept.isEmpty()) {
          allClosed.notifyAll();
        }
      }
      cancelSchedules();
    }

    private synchronized void cancelSchedules() {
      schedules.forEach(scheduled -> scheduled.cancel(false));
    }
  }
}
