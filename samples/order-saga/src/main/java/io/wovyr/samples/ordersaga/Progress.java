/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.samples.ordersaga.Tally.Counts;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/**
 * Shows how far a run is: one line rewritten in place on a terminal, else a line every few seconds.
 * Not thread-safe.
 */
final class Progress {
  private static final Duration ON_TERMINAL = Duration.ofMillis(150);
  private static final Duration ELSEWHERE = Duration.ofSeconds(2);
  private static final int BAR = 24;

  private final PrintStream out;
  private final boolean terminal;
  private final int orders;
  private long shownAtNanos;
  private boolean shownAnything;
  private int width;

  Progress(PrintStream out, boolean terminal, int orders) {
    this.out = out;
    this.terminal = terminal;
    this.orders = orders;
  }

  /** Shows it when it is time to. */
  void show(int settled, Counts counts, ChaosLog chaos, Duration working) {
    long now = System.nanoTime();
    Duration interval = terminal ? ON_TERMINAL : ELSEWHERE;
    boolean due = shownAnything ? now - shownAtNanos >= interval.toNanos() : settled > 0;
    if (!due) {
      return;
    }
    shownAnything = true;
    shownAtNanos = now;
    print(settled, counts, chaos, working);
  }

  /** Shows the last state, and leaves the line. */
  void finish(int settled, Counts counts, ChaosLog chaos, Duration working) {
    print(settled, counts, chaos, working);
    if (terminal) {
      out.println();
    }
  }

  private void print(int settled, Counts counts, ChaosLog chaos, Duration working) {
    int filled = orders == 0 ? BAR : (int) ((long) BAR * settled / orders);
    double seconds = Math.max(0.001, working.toMillis() / 1000.0);
    String text =
        String.format(
            Locale.ROOT,
            "[%s%s] %,d/%,d orders  %,d events  %,.0f steps/s  kills %d  stalls %d  takeovers %d",
            "#".repeat(filled),
            ".".repeat(BAR - filled),
            settled,
            orders,
            counts.events(),
            counts.steps() / seconds,
            chaos.killed(),
            chaos.stalled(),
            counts.takeovers());
    if (terminal) {
      out.print("\r" + text + " ".repeat(Math.max(0, width - text.length())));
      width = text.length();
    } else {
      out.println(text);
    }
    out.flush();
  }
}
