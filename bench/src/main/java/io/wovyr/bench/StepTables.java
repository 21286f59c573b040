/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import io.wovyr.bench.ResultTable.Field;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** How fast each column took its steps, and what one cost; the first is the floor. */
final class StepTables {
  private final List<String> columns;
  private final ResultTable rates;
  private final ResultTable cost;

  /**
   * @param columns names in the order of a round's turns
   */
  StepTables(String rates, String ratesTitle, String cost, String costTitle, List<String> columns) {
    this.columns = List.copyOf(columns);
    this.rates =
        new ResultTable(
            rates,
            ratesTitle,
            Field.number("callers", "callers", 0),
            Field.text("column", "column"),
            Field.number("perSecond", "steps/s", 0),
            Field.number("ofFloor", "of floor", 2),
            Field.number("ofFloorLeast", "least", 2),
            Field.number("ofFloorMost", "most", 2),
            Field.number("p50Millis", "p50 ms", 3),
            Field.number("p95Millis", "p95 ms", 3),
            Field.number("p99Millis", "p99 ms", 3));
    this.cost =
        new ResultTable(
            cost,
            costTitle,
            Field.number("callers", "callers", 0),
            Field.text("column", "column"),
            Field.number("processCpuMicros", "CPU us, JVM", 1),
            Field.number("serverCpuMicros", "CPU us, server", 1),
            Field.number("cpuOfFloor", "of floor", 2),
            Field.number("logBytes", "log bytes", 0),
            Field.number("transactionIds", "transaction ids", 2));
  }

  /** A line for each column, unless there was no whole round. */
  void add(int callers, List<List<Turn>> rounds) {
    for (int i = 0; i < columns.size() && !rounds.isEmpty(); i++) {
      int column = i;
      ToDoubleFunction<List<Turn>> ratio = turns -> turns.get(column).rate() / turns.get(0).rate();
      double[] range = Turn.range(rounds, ratio);
      rates.row(
          callers,
          columns.get(column),
          Turn.median(rounds, turns -> turns.get(column).rate()),
          Turn.median(rounds, ratio),
          range[0],
          range[1],
          Turn.median(rounds, turns -> turns.get(column).p50()),
          Turn.median(rounds, turns -> turns.get(column).p95()),
          Turn.median(rounds, turns -> turns.get(column).p99()));
      cost.row(
          callers,
          columns.get(column),
          Turn.median(rounds, turns -> turns.get(column).processCpu()),
          Turn.median(rounds, turns -> turns.get(column).serverCpu()),
          Turn.median(rounds, turns -> turns.get(column).cpu() / turns.get(0).cpu()),
          Turn.median(rounds, turns -> turns.get(column).logBytes()),
          Turn.median(rounds, turns -> turns.get(column).transactions()));
    }
  }

  void addTo(Result result) {
    result.add(rates);
    result.add(cost);
  }
}
