/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import java.util.Arrays;
import java.util.List;

/** Times of single calls, in nanoseconds. Not thread-safe; each caller has its own. */
final class Latencies {
  private long[] nanos = new long[1_024];
  private int count;

  void add(long time) {
    if (count == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * count);
    }
    nanos[count++] = time;
  }

  /** Those of several callers, from the shortest to the longest. */
  static long[] sorted(List<Latencies> all) {
    long[] merged =
        all.stream().flatMapToLong(one -> Arrays.stream(one.nanos, 0, one.count)).toArray();
    Arrays.sort(merged);
    return merged;
  }

  /** So large a share of the times is at most this long; milliseconds; NaN when there are none. */
  static double millis(long[] sorted, double share) {
    if (sorted.length == 0) {
      return Double.NaN;
    }
    int at = (int) Math.ceil(share * sorted.length) - 1;
    return sorted[Math.max(0, at)] / 1e6;
  }
}
