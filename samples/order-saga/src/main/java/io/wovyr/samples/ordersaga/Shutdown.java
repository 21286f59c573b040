/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What has to be done, one after the other, when the process is asked to end: what was begun last
 * comes first. (The machine runs its own hooks all at once, so there is only one of ours.)
 * Thread-safe.
 */
final class Shutdown implements AutoCloseable {
  private final Deque<Runnable> actions = new ArrayDeque<>();
  private final Thread hook = new Thread(this::run, "demo-shutdown");

  Shutdown() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** From now on this is done first. */
  synchronized void push(Runnable action) {
    actions.push(action);
  }

  /** No longer to be done. */
  synchronized void remove(Runnable action) {
    actions.remove(action);
  }

  private synchronized Runnable next() {
    Runnable next = actions.poll();
    return next == null ? () -> {} : next;
  }

  private synchronized boolean isEmpty() {
    return actions.isEmpty();
  }

  private void run() {
    while (!isEmpty()) {
      next().run();
    }
  }

  /** The process goes on without. Without effect while it is being ended. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // It is at work.
    }
  }
}
