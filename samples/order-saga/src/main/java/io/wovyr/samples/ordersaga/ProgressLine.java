/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The line at the bottom of a terminal that is rewritten in place. It is never wider than the
 * terminal, and whoever writes beside it does so by {@link #before}, which takes it away first: the
 * next progress shows it again, below. Thread-safe.
 */
public final class ProgressLine {
  /** The columns of a terminal that does not say how many it has. */
  public static final int USUAL_COLUMNS = 80;

  private final PrintStream out;
  private final int columns;
  private int width;

  /**
   * @param out the terminal
   * @param columns it has; the last one stays free, since many terminals begin a new row after it
   */
  public ProgressLine(PrintStream out, int columns) {
    this.out = out;
    this.columns = columns;
  }

  /** Characters that fit. */
  int room() {
    return Math.max(1, columns - 1);
  }

  synchronized void show(String text) {
    String cut = text.length() > room() ? text.substring(0, room()) : text;
    out.print("\r" + cut + " ".repeat(Math.max(0, width - cut.length())));
    out.flush();
    width = cut.length();
  }

  /** Leaves it as it stands: what follows is on the next line. */
  synchronized void leave() {
    if (width > 0) {
      width = 0;
      out.println();
      out.flush();
    }
  }

  private synchronized void takeAway() {
    if (width > 0) {
      out.print("\r" + " ".repeat(width) + "\r");
      out.flush();
      width = 0;
    }
  }

  /** The same stream; the line is gone before anything is written to it. */
  public PrintStream before(PrintStream other) {
    return new PrintStream(new Beside(other), true, StandardCharsets.UTF_8);
  }

  private final class Beside extends FilterOutputStream {
    Beside(PrintStream other) {
      super(other);
    }

    @Override
    public void write(int one) throws IOException {
      // One step: a line that is shown in between would stand before what is written.
      synchronized (ProgressLine.this) {
        takeAway();
        out.write(one);
      }
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      synchronized (ProgressLine.this) {
        takeAway();
        out.write(bytes, from, length);
      }
    }
  }
}
