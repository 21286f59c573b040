/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.StringTokenizer;

/**
 * How long something took on a machine that others use, too.
 *
 * @param wall by the clock
 * @param undisturbed without the part of the processors' time that was others': what the clock
 *     would say, had they let us be. On a machine that does nothing else it is the same
 */
record Elapsed(Duration wall, Duration undisturbed) {
  /** The processors' time until now. */
  record Reading(long nanos, Duration busy) {
    static Reading now() throws IOException {
      return new Reading(System.nanoTime(), processorsBusy());
    }

    /**
     * Since then.
     *
     * @param own the processors' time that was ours
     */
    Elapsed until(Reading end, Duration own) {
      Duration wall = Duration.ofNanos(end.nanos - nanos);
      long all = wall.toNanos() * Runtime.getRuntime().availableProcessors();
      long others = end.busy.minus(busy).minus(own).toNanos();
      double share = Math.max(0, Math.min(1, (double) others / all));
      return new Elapsed(wall, Duration.ofNanos((long) (wall.toNanos() * (1 - share))));
    }
  }

  /** Of all processes, in what Linux calls user, nice, system, irq, softirq and steal. */
  private static Duration processorsBusy() throws IOException {
    String line = Files.readAllLines(Path.of("/proc/stat")).get(0);
    StringTokenizer words = new StringTokenizer(line);
    words.nextToken();
    long ticks = 0;
    for (int column = 0; column < 8; column++) {
      long value = Long.parseLong(words.nextToken());
      boolean idle = column == 3 || column == 4;
      ticks += idle ? 0 : value;
    }
    return Duration.ofMillis(ticks * 10);
  }

  @Override
  public String toString() {
    return wall.toMillis() + " ms (" + undisturbed.toMillis() + " undisturbed)";
  }
}
