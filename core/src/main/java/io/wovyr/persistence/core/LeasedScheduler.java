/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Persistence.DueSchedule;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.PersistenceException.StorageFailure;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.core.Background.Timer;
import io.wovyr.persistence.schedule.Scheduler;
import io.wovyr.persistence.schedule.SchedulerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The loop over what is due, under a lease or without one. Thread-safe. */
final class LeasedScheduler implements Scheduler {
  private static final Logger LOG = LoggerFactory.getLogger(LeasedScheduler.class);
  private static final String LEASE = "wovyr.scheduler";
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

  /** Of one look, those that fail not counted: they must not keep the others waiting. */
  private static final int MOST = 1_000;

  private final SchedulerOptions options;
  private final SystemLease lease;
  private final DueSchedules due;

  /** Held while a look is under way; the lease and what is due belong to its holder. */
  private final ReentrantLock look = new ReentrantLock();

  private final Engine engine;
  private final Timer timer;
  private final Object bell = new Object();
  private final AtomicBoolean started = new AtomicBoolean();
  private volatile boolean closed;
  private volatile boolean active;

  LeasedScheduler(Engine engine, Persistence persistence, SchedulerOptions options) {
    Persistence.SystemAccess system = persistence.system("scheduler " + options.name());
    this.engine = engine;
    this.timer = engine.background().timer("wovyr-scheduler");
    this.options = options;
    this.lease =
        new SystemLease(
            system.leases(),
            options.tenantId().map(tenant -> LEASE + "/" + tenant).orElse(LEASE),
            options.name(),
            options.leaseTtl());
    this.due = new DueSchedules(persistence, system, options, engine.nanoTime());
    engine.stopOnClose(this, grace -> close());
  }

  @Override
  public List<Outcome> fireDue() {
    return look(outcome -> {});
  }

  private List<Outcome> look(Consumer<Outcome> listener) {
    look.lock();
    try {
      checkOpen();
      active = lease.hold();
      return active ? fireAll(listener) : List.of();
    } catch (StorageFailure e) {
      active = false;
      throw e;
    } finally {
      look.unlock();
    }
  }

  /** What came of it, also when the store goes out of reach on the way: the next look says so. */
  private List<Outcome> fireAll(Consumer<Outcome> listener) {
    List<Outcome> outcomes = new ArrayList<>();
    try {
      fireAll(listener, outcomes);
    } catch (StorageFailure e) {
      if (outcomes.isEmpty()) {
        throw e;
      }
      active = false;
    }
    return outcomes;
  }

  /** Ends with the last that is due, or when it did as much as one look is to do. */
  private void fireAll(Consumer<Outcome> listener, List<Outcome> outcomes) {
    Optional<String> next = Optional.empty();
    int done = 0;
    do {
      Page<DueSchedule> page = due.find(next);
      for (DueSchedule one : page.items()) {
        if (!mayGoOn() || !keepsLease()) {
          return;
        }
        Optional<Outcome> outcome = due.fire(one);
        outcome.ifPresent(outcomes::add);
        outcome.ifPresent(told -> tell(listener, told));
        done += outcome.filter(told -> told.result() != Result.FAILED).isPresent() ? 1 : 0;
      }
      next = page.next();
    } while (next.isPresent() && done < MOST && mayGoOn() && keepsLease());
  }

  /** What came of a fire is stored; a listener that fails must not keep the others from theirs. */
  private void tell(Consumer<Outcome> listener, Outcome outcome) {
    try {
      listener.accept(outcome);
    } catch (Exception e) { // Also checked ones: not every language of the JVM declares them.
      LOG.warn(
          "WOVYR-0109 the listener of scheduler {} failed at schedule {} of tenant {}, which is {}",
          options.name(),
          outcome.schedule(),
          outcome.tenantId(),
          outcome.result(),
          e);
    }
  }

  private boolean keepsLease() {
    active = lease.keep();
    return active;
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the scheduler was closed: make another");
    }
  }

  private boolean mayGoOn() {
    return !closed && !Thread.currentThread().isInterrupted();
  }

  @Override
  public void run(Consumer<Outcome> listener) {
    checkOpen();
    Looks looks = new Looks(listener, true);
    try {
      while (mayGoOn()) {
        await(looks.next());
      }
    } finally {
      free();
    }
  }

  /** One look after the other, whoever makes them. */
  private final class Looks {
    private final Consumer<Outcome> listener;
    private final boolean refusable;
    private int failures;
    private boolean looked;

    /**
     * @param refusable whether a first look that fails for a cause that stays is thrown, to whoever
     *     can change it
     */
    Looks(Consumer<Outcome> listener, boolean refusable) {
      this.listener = listener;
      this.refusable = refusable;
    }

    /** Looks; answers how long to wait before the next. At once when it was closed meanwhile. */
    Duration next() {
      try {
        boolean fired =
            look(listener).stream().anyMatch(outcome -> outcome.result() == Result.FIRED);
        failures = 0;
        looked = true;
        // What did not fit into one commit is due still.
        return fired ? Duration.ZERO : options.lookEvery();
      } catch (StorageFailure e) {
        if (refusable && !looked && stays(e)) {
          throw e;
        }
        return later(failures++, e);
      } catch (IllegalStateException e) {
        if (!closed) {
          throw e;
        }
        return Duration.ZERO;
      }
    }
  }

  /** A role that is not there, or is refused: no store that comes back by itself. */
  private static boolean stays(StorageFailure failure) {
    return failure instanceof Rejected
        || (failure instanceof Unavailable refused && refused.isLasting());
  }

  /** How long to leave alone a store that is out of reach: full jitter, up to 30 seconds. */
  private Duration later(int failures, StorageFailure why) {
    if (failures == 0 && mayGoOn()) {
      LOG.warn(
          "WOVYR-0106 scheduler {} cannot look what is due and goes on trying: {}",
          options.name(),
          why.getMessage());
    }
    long least = options.lookEvery().toNanos();
    long most = Math.max(least, Math.min(LONGEST_WAIT.toNanos(), least << Math.min(failures, 12)));
    return Duration.ofNanos(least + ThreadLocalRandom.current().nextLong(most - least + 1));
  }

  private void await(Duration pause) {
    long until = System.nanoTime() + pause.toNanos();
    try {
      synchronized (bell) {
        while (mayGoOn() && until - System.nanoTime() > 0) {
          TimeUnit.NANOSECONDS.timedWait(bell, until - System.nanoTime());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void start(Consumer<Outcome> listener) {
    checkOpen();
    if (!started.compareAndSet(false, true)) {
      throw new IllegalStateException("the scheduler was started before");
    }
    lookIn(Duration.ZERO, new Looks(listener, false));
  }

  private void lookIn(Duration pause, Looks looks) {
    timer.next(() -> goOn(looks), pause.toNanos());
  }

  /** The lease is given back whatever ends it. */
  private void goOn(Looks looks) {
    boolean goesOn = false;
    try {
      if (mayGoOn()) {
        lookIn(looks.next(), looks);
        goesOn = true;
      }
    } catch (RejectedExecutionException e) {
      LOG.debug("scheduler {} ends with the threads it ran on", options.name());
    } catch (RuntimeException e) {
      LOG.warn("WOVYR-0111 scheduler {} ended: start another", options.name(), e);
    } finally {
      if (!goesOn) {
        free();
      }
    }
  }

  @Override
  public boolean isActive() {
    return active && !closed;
  }

  @Override
  public void close() {
    closed = true;
    engine.stopsByItself(this);
    timer.close();
    synchronized (bell) {
      bell.notifyAll();
    }
    free();
  }

  /** Waits for the look under way, and gives the lease back even when interrupted. */
  private void free() {
    boolean interrupted = Thread.interrupted();
    look.lock();
    try {
      active = false;
      lease.free();
    } catch (PersistenceException e) {
      LOG.warn(
          "WOVYR-0107 scheduler {} could not give its lease back, which runs out: {}",
          options.name(),
          e.getMessage());
    } finally {
      look.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
