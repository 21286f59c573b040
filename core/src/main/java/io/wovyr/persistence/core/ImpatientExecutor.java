/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks others to do what is to be done, and has it done by our own threads when they have not begun
 * in time, or refuse: all of them may be held by somebody else. Each thing is done once.
 * Thread-safe.
 */
final class ImpatientExecutor implements Executor, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ImpatientExecutor.class);

  private final Executor others;
  private final Consumer<Runnable> takenBack;
  private final ExecutorService own;
  private final ScheduledExecutorService clock;
  private final long patienceNanos;
  private final Set<Once> pending = new LinkedHashSet<>();
  private boolean closed;

  /**
   * @param takenBack told of what the others need not begin any more
   * @param own ends with {@link #close()}
   */
  ImpatientExecutor(
      Executor others,
      Consumer<Runnable> takenBack,
      ExecutorService own,
      ScheduledExecutorService clock,
      Duration patience) {
    this.others = others;
    this.takenBack = takenBack;
    this.own = own;
    this.clock = clock;
    this.patienceNanos = patience.toNanos();
  }

  /**
   * @throws RejectedExecutionException it is closed; the work is not done
   */
  @Override
  public void execute(Runnable work) {
    Once once = new Once(work);
    synchronized (this) {
      if (closed) {
        throw new RejectedExecutionException("closed");
      }
      pending.add(once);
    }
    try {
      others.execute(once);
    } catch (RuntimeException e) {
      // A container whose component stops may say so by any exception.
      LOG.debug("the executor given refuses, going on by threads of our own: {}", e.toString());
      takeBack(once);
      return;
    }
    try {
      Future<?> unused = clock.schedule(() -> takeBack(once), patienceNanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      takeBack(once);
    }
  }

  private void takeBack(Once once) {
    synchronized (this) {
      if (!pending.remove(once)) {
        return;
      }
      own.execute(once);
    }
    takenBack.accept(once);
  }

  private synchronized void begun(Once once) {
    pending.remove(once);
  }

  /** What was asked for is done: what the others have not begun, by our own threads. */
  @Override
  public synchronized void close() {
    closed = true;
    for (Once once : pending) {
      own.execute(once);
      takenBack.accept(once);
    }
    pending.clear();
    own.shutdown();
  }

  /** Lets go of its work when it begins: the others may look at it much later. */
  private final class Once implements Runnable {
    private final AtomicReference<@Nullable Runnable> work;

    Once(Runnable work) {
      this.work = new AtomicReference<>(work);
    }

    @Override
    public void run() {
      Runnable mine = work.getAndSet(null);
      if (mine != null) {
        begun(this);
        mine.run();
      }
    }
  }
}
