/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.StringTokenizer;
import java.util.stream.Stream;

/**
 * How long something took, and how far others used the machine meanwhile.
 *
 * @param wall by the clock
 * @param others the part of all processors' time that neither this process nor what it started had,
 *     from 0 to 1; empty where the system does not tell
 */
record Elapsed(Duration wall, OptionalDouble others) {
  /** Up to here a time is the machine's own: a tenth is what the system itself needs. */
  private static final double QUIET = 0.1;

  private static final Path PROCESSORS = Path.of("/proc/stat");
  private static final long TICK_NANOS = 10_000_000;

  /** Whether the time says something of what was timed, and not of its neighbours. */
  boolean quiet() {
    return others.isPresent() && others.getAsDouble() <= QUIET;
  }

  /** The processors' time until now. */
  record Reading(long nanos, long ownNanos, long busyNanos) {
    private static final long UNKNOWN = -1;

    static Reading now() throws IOException {
      return new Reading(System.nanoTime(), ownSoFar(), busySoFar());
    }

    /** Since this. */
    Elapsed until(Reading end) {
      Duration wall = Duration.ofNanos(end.nanos - nanos);
      if (busyNanos == UNKNOWN) {
        return new Elapsed(wall, OptionalDouble.empty());
      }
      double all = (double) wall.toNanos() * Runtime.getRuntime().availableProcessors();
      double others = (end.busyNanos - busyNanos) - (end.ownNanos - ownNanos);
      return new Elapsed(wall, OptionalDouble.of(Math.max(0, others / all)));
    }

    /** Of this process and all that it started and that still runs. */
    private static long ownSoFar() {
      ProcessHandle self = ProcessHandle.current();
      return Stream.concat(Stream.of(self), self.descendants())
          .mapToLong(one -> one.info().totalCpuDuration().orElse(Duration.ZERO).toNanos())
          .sum();
    }

    /** Of all processes, in what Linux calls user, nice, system, irq, softirq and steal. */
    private static long busySoFar() throws IOException {
      if (!Files.isReadable(PROCESSORS)) {
        return UNKNOWN;
      }
      StringTokenizer words = new StringTokenizer(Files.readAllLines(PROCESSORS).get(0));
      String unused = words.nextToken();
      long ticks = 0;
      for (int column = 0; column < 8; column++) {
        long value = Long.parseLong(words.nextToken());
        boolean idle = column == 3 || column == 4;
        ticks += idle ? 0 : value;
      }
      return ticks * TICK_NANOS;
    }
  }

  @Override
  public String toString() {
    String neighbours =
        others.isPresent()
            ? "others %d %%".formatted(Math.round(others.getAsDouble() * 100))
            : "others unknown";
    return wall.toMillis() + " ms (" + neighbours + ")";
  }
}
