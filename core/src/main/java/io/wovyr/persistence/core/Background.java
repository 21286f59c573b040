/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Where background work runs: on daemon threads of our own, or the container's. Thread-safe. */
final class Background {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final Optional<ScheduledExecutorService> given;

  /**
   * @param given the container's, which is never shut down here; empty: threads of our own
   */
  Background(Optional<ScheduledExecutorService> given) {
    this.given = given;
  }

  /** A thread that nobody makes wait, for short work at its time. */
  Timer timer(String name) {
    return given.map(executor -> new Timer(executor, false, () -> null)).orElseGet(() -> own(name));
  }

  private static Timer own(String name) {
    AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
    ThreadFactory daemons = daemons(name);
    ScheduledThreadPoolExecutor executor =
        new ScheduledThreadPoolExecutor(
            1,
            body -> {
              Thread made = daemons.newThread(body);
              thread.set(made);
              return made;
            });
    executor.setRemoveOnCancelPolicy(true);
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    return new Timer(executor, true, thread::get);
  }

  /** As {@link #timer}, on a thread of our own in any case: nobody else can hold it. */
  Timer clock(String name) {
    return own(name);
  }

  /**
   * For work that may wait for the store: at most so much at the same time, in order. Where others
   * hold all threads of the container's for so long, as much again on threads of our own.
   */
  Worker worker(String name, int most, Timer clock, Duration patience) {
    ExecutorService own = Executors.newFixedThreadPool(most, daemons(name));
    return given
        .map(
            executor -> {
              Lanes lanes = new Lanes(executor, most);
              return impatient(lanes, lanes::forget, own, clock, patience);
            })
        .orElseGet(() -> Worker.over(own));
  }

  /** For code of others, which may take as long as it likes; it is begun within this time. */
  Worker callbacks(String name, Timer clock, Duration patience) {
    ExecutorService own = Executors.newCachedThreadPool(daemons(name));
    return given
        .map(executor -> impatient(executor, unused -> {}, own, clock, patience))
        .orElseGet(() -> Worker.over(own));
  }

  private static Worker impatient(
      Executor others,
      Consumer<Runnable> takenBack,
      ExecutorService own,
      Timer clock,
      Duration patience) {
    ImpatientExecutor executor =
        new ImpatientExecutor(others, takenBack, own, clock.executor(), patience);
    return new Worker(executor, executor::close);
  }

  private static ThreadFactory daemons(String name) {
    return body -> {
      Thread thread = new Thread(body, name + "-" + NUMBER.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Does things later. Thread-safe. */
  static final class Timer implements AutoCloseable {
    private final ScheduledExecutorService executor;
    private final boolean own;
    private final Supplier<@Nullable Thread> thread;
    private @Nullable Future<?> next;
    private boolean closed;

    /**
     * @param own whether it ends with {@link #close()}
     * @param thread where it is our own and has begun
     */
    private Timer(
        ScheduledExecutorService executor, boolean own, Supplier<@Nullable Thread> thread) {
      this.executor = executor;
      this.own = own;
      this.thread = thread;
    }

    ScheduledExecutorService executor() {
      return executor;
    }

    /**
     * Does the one thing that comes after what is being done, in so many nanoseconds; never after
     * {@link #close()}, which also lets go of it: an executor of others holds on to what is still
     * to be done, and so to all that it belongs to.
     *
     * @throws RejectedExecutionException the threads it would run on are ending
     */
    synchronized void next(Runnable work, long nanos) {
      if (!closed) {
        next = executor.schedule(work, nanos, TimeUnit.NANOSECONDS);
      }
    }

    /** Begins nothing more that was to come {@link #next}, nor anything where it is our own. */
    @Override
    public synchronized void close() {
      closed = true;
      if (next != null) {
        next.cancel(false);
      }
      if (own) {
        executor.shutdown();
      }
    }

    /** Waits until its thread is gone, where it is our own; not to be called from there. */
    void awaitEnd(Duration most) throws InterruptedException {
      Thread begun = thread.get();
      if (begun != null) {
        begun.join(Math.max(1, most.toMillis()));
      }
    }
  }

  /** Does things now; ends with {@link #close()} where its threads are our own. */
  record Worker(Executor executor, Runnable end) implements AutoCloseable {
    static Worker over(ExecutorService own) {
      return new Worker(own, own::shutdown);
    }

    /** What was asked for is still done; what comes later is rejected. */
    @Override
    public void close() {
      end.run();
    }
  }
}
