/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import java.io.PrintStream;

/** The pause between two looks of a command that follows. Used on one thread. */
final class Follow {
  private static final long PAUSE_MILLIS = 200;

  private final PrintStream out;

  Follow(PrintStream out) {
    this.out = out;
  }

  /** Waits a little; false when nobody reads the output any more, or the thread should end. */
  boolean pause() {
    if (out.checkError()) {
      return false;
    }
    try {
      Thread.sleep(PAUSE_MILLIS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** True when whoever read the output is gone. */
  boolean isOver() {
    return out.checkError() || Thread.currentThread().isInterrupted();
  }
}
