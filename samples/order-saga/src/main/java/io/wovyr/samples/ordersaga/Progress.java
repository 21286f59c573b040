/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.samples.ordersaga.Tally.Counts;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Shows how far a run is: one line rewritten in place on a terminal, else a line every few seconds.
 * Not thread-safe.
 */
final class Progress {
  private static final Duration ON_TERMINAL = Duration.ofMillis(150);
  private static final Duration ELSEWHERE = Duration.ofSeconds(2);
  private static final int BAR = 24;

  /** A bar shorter than this shows nothing: then rather fewer words. */
  private static final int SHORTEST_BAR = 8;

  private final PrintStream out;
  private final Optional<ProgressLine> line;
  private final int orders;
  private int endedBefore;
  private long shownAtNanos;
  private boolean shownAnything;

  /**
   * @param line of the terminal; empty when there is none
   */
  Progress(PrintStream out, Optional<ProgressLine> line, int orders) {
    this.out = out;
    this.line = line;
    this.orders = orders;
  }

  /** Orders that ended before this process began: what is shown is what is done since. */
  void resumedAfter(int ended) {
    endedBefore = ended;
    if (ended > 0) {
      out.printf(Locale.ROOT, "%,d of them had ended before: the rest is left to do%n", ended);
    }
  }

  /** Shows it when it is time to. */
  void show(int settled, Counts counts, ChaosLog chaos, Duration working) {
    long now = System.nanoTime();
    Duration interval = line.isPresent() ? ON_TERMINAL : ELSEWHERE;
    boolean due = shownAnything ? now - shownAtNanos >= interval.toNanos() : settled > endedBefore;
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
    line.ifPresent(ProgressLine::leave);
  }

  private void print(int allSettled, Counts counts, ChaosLog chaos, Duration working) {
    int settled = allSettled - endedBefore;
    double seconds = Math.max(0.001, working.toMillis() / 1000.0);
    List<String> words = new ArrayList<>();
    words.add(String.format(Locale.ROOT, "%,d/%,d orders", settled, left()));
    words.add(String.format(Locale.ROOT, "%,d events", counts.events()));
    words.add(String.format(Locale.ROOT, "%,.0f steps/s", counts.steps() / seconds));
    words.add("kills " + chaos.killed());
    words.add("stalls " + chaos.stalled());
    words.add("takeovers " + counts.takeovers());
    if (line.isPresent()) {
      line.get().show(fitting(settled, words, line.get().room()));
    } else {
      out.println(bar(settled, BAR) + String.join("  ", words));
      out.flush();
    }
  }

  /** A shorter bar first, then no events, then no speed. */
  private String fitting(int settled, List<String> words, int room) {
    List<String> fewer = new ArrayList<>(words);
    while (true) {
      String text = String.join("  ", fewer);
      int bar = Math.min(BAR, room - text.length() - bar(0, 0).length());
      if (bar >= SHORTEST_BAR) {
        return bar(settled, bar) + text;
      }
      if (fewer.size() <= words.size() - 2) {
        return text;
      }
      fewer.remove(1);
    }
  }

  private int left() {
    return orders - endedBefore;
  }

  private String bar(int settled, int length) {
    int filled = left() == 0 ? length : (int) ((long) length * settled / left());
    return "[" + "#".repeat(filled) + ".".repeat(length - filled) + "] ";
  }
}
