/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Asks others to do what is to be done, and has it done by our own threads when they have not begun
 * in time, or refuse: all of them may be held by somebody else. Each thing is done once.
 * Thread-safe.
 */
final class ImpatientExecutor implements Executor {
  private final Executor others;
  private final Executor own;
  private final ScheduledExecutorService clock;
  private final long patienceNanos;

  ImpatientExecutor(
      Executor others, Executor own, ScheduledExecutorService clock, Duration patience) {
    this.others = others;
    this.own = own;
    this.clock = clock;
    this.patienceNanos = patience.toNanos();
  }

  /**
   * @throws RejectedExecutionException the others refuse, and our own threads have ended
   */
  @Override
  public void execute(Runnable work) {
    Once once = new Once(work);
    try {
      others.execute(once);
      Future<?> unused = clock.schedule(() -> takeBack(once), patienceNanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      own.execute(once);
    }
  }

  private void takeBack(Once once) {
    if (!once.isBegun()) {
      own.execute(once);
    }
  }

  /** Lets go of its work when it begins: the others may look at it much later. */
  private static final class Once implements Runnable {
    private final AtomicReference<@Nullable Runnable> work;

    Once(Runnable work) {
      this.work = new AtomicReference<>(work);
    }

    boolean isBegun() {
      return work.get() == null;
    }

    @Override
    public void run() {
      Runnable mine = work.getAndSet(null);
      if (mine != null) {
        mine.run();
      }
    }
  }
}
