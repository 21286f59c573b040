/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Never takes more than so many threads of an executor that others use, too. Where that one refuses
 * or forgets what it was given, things may wait here that nobody begins: {@link #forget} takes them
 * back. Thread-safe.
 */
final class Lanes implements Executor {
  private final Executor executor;
  private final Set<Runnable> waiting = new LinkedHashSet<>();
  private int free;

  Lanes(Executor executor, int most) {
    this.executor = executor;
    this.free = most;
  }

  /**
   * @throws RuntimeException the executor's own; the work is not begun
   */
  @Override
  public void execute(Runnable work) {
    synchronized (this) {
      waiting.add(work);
      if (free == 0) {
        return;
      }
      free--;
    }
    try {
      executor.execute(this::run);
    } catch (RuntimeException | Error e) {
      giveBack();
      forget(work);
      throw e;
    }
  }

  /** It need not be begun any more. */
  synchronized void forget(Runnable work) {
    waiting.remove(work);
  }

  synchronized int waiting() {
    return waiting.size();
  }

  private void run() {
    for (Runnable work = next(); work != null; work = next()) {
      try {
        work.run();
      } catch (RuntimeException e) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
      } catch (Error e) {
        giveBack();
        throw e;
      }
    }
  }

  private synchronized void giveBack() {
    free++;
  }

  /** The one that waits longest; none: this thread is given back. */
  private synchronized @Nullable Runnable next() {
    Iterator<Runnable> longest = waiting.iterator();
    if (!longest.hasNext()) {
      free++;
      return null;
    }
    Runnable work = longest.next();
    longest.remove();
    return work;
  }
}
