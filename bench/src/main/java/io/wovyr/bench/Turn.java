/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What one turn of one column came to, each value for one operation; NaN: not known.
 *
 * @param rate operations per second
 * @param p50 milliseconds
 * @param p95 milliseconds
 * @param p99 milliseconds
 * @param processCpu microseconds of this process
 * @param serverCpu microseconds of the server
 * @param logBytes written ahead
 * @param transactions ids given out
 */
record Turn(
    double rate,
    double p50,
    double p95,
    double p99,
    double processCpu,
    double serverCpu,
    double logBytes,
    double transactions) {
  static Turn of(List<Latencies> latencies, long nanos, Usage used) {
    long[] sorted = Latencies.sorted(latencies);
    double operations = sorted.length;
    return new Turn(
        operations / (nanos / 1e9),
        Latencies.millis(sorted, 0.5),
        Latencies.millis(sorted, 0.95),
        Latencies.millis(sorted, 0.99),
        used.processCpuNanos() / 1e3 / operations,
        used.serverCpuNanos() / 1e3 / operations,
        used.logBytes() / operations,
        used.transactions() / operations);
  }

  double cpu() {
    return processCpu + (Double.isNaN(serverCpu) ? 0 : serverCpu);
  }

  /** The median over rounds of something about a round. */
  static double median(List<List<Turn>> rounds, ToDoubleFunction<List<Turn>> value) {
    double[] sorted = rounds.stream().mapToDouble(value).sorted().toArray();
    return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
  }

  /** The smallest and the largest. */
  static double[] range(List<List<Turn>> rounds, ToDoubleFunction<List<Turn>> value) {
    double[] sorted = rounds.stream().mapToDouble(value).sorted().toArray();
    return sorted.length == 0
        ? new double[] {Double.NaN, Double.NaN}
        : new double[] {sorted[0], sorted[sorted.length - 1]};
  }
}
