/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import io.wovyr.bench.ResultTable.Field;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Durable steps: ours beside the floor. Stateless. */
final class StepMode {
  private static final int COUNTED_STEPS = 100;
  private static final int WARM_UP_CALLERS = 8;

  private StepMode() {}

  static void run(Session session, Result result) throws Exception {
    session.warmUp(StepMode.caller(session), WARM_UP_CALLERS, session.options().warmUp());
    ResultTable rates =
        new ResultTable(
            "step",
            "Durable steps (one event of 200 bytes and the head, one commit on the disk)",
            Field.number("callers", "callers", 0),
            Field.text("column", "column"),
            Field.number("perSecond", "steps/s", 0),
            Field.number("ofFloor", "of floor", 2),
            Field.number("ofFloorLeast", "least", 2),
            Field.number("ofFloorMost", "most", 2),
            Field.number("p50Millis", "p50 ms", 3),
            Field.number("p95Millis", "p95 ms", 3),
            Field.number("p99Millis", "p99 ms", 3));
    ResultTable cost =
        new ResultTable(
            "cost",
            "What one step costs",
            Field.number("callers", "callers", 0),
            Field.text("column", "column"),
            Field.number("processCpuMicros", "CPU us, JVM", 1),
            Field.number("serverCpuMicros", "CPU us, server", 1),
            Field.number("cpuOfFloor", "of floor", 2),
            Field.number("logBytes", "log bytes", 0),
            Field.number("transactionIds", "transaction ids", 2));
    for (int callers : session.options().callers()) {
      if (session.stop().requested()) {
        break;
      }
      session.say("steps, " + callers + " callers");
      List<List<Turn>> rounds = session.rounds(caller(session), callers);
      if (!rounds.isEmpty()) {
        rows(session, callers, rounds, rates, cost);
      }
    }
    result.add(rates);
    result.add(cost);
    if (!session.stop().requested()) {
      result.add(wire(session));
    }
  }

  private static Session.Caller caller(Session session) {
    return way -> {
      Column.Execution execution = session.execution(way);
      return execution::step;
    };
  }

  private static void rows(
      Session session, int callers, List<List<Turn>> rounds, ResultTable rates, ResultTable cost)
      throws Exception {
    for (Ground.Way way : Ground.WAYS) {
      int column = Ground.WAYS.indexOf(way);
      String name = session.column(way).name();
      ToDoubleFunction<List<Turn>> ratio = turns -> turns.get(column).rate() / turns.get(0).rate();
      double[] range = Turn.range(rounds, ratio);
      rates.row(
          callers,
          name,
          Turn.median(rounds, turns -> turns.get(column).rate()),
          Turn.median(rounds, ratio),
          range[0],
          range[1],
          Turn.median(rounds, turns -> turns.get(column).p50()),
          Turn.median(rounds, turns -> turns.get(column).p95()),
          Turn.median(rounds, turns -> turns.get(column).p99()));
      cost.row(
          callers,
          name,
          Turn.median(rounds, turns -> turns.get(column).processCpu()),
          Turn.median(rounds, turns -> turns.get(column).serverCpu()),
          Turn.median(rounds, turns -> turns.get(column).cpu() / turns.get(0).cpu()),
          Turn.median(rounds, turns -> turns.get(column).logBytes()),
          Turn.median(rounds, turns -> turns.get(column).transactions()));
    }
  }

  /** What a step sends, and how the head's updates were stored. */
  private static ResultTable wire(Session session) throws Exception {
    ResultTable table =
        new ResultTable(
            "wire",
            "What one step sends, counted on the wire; updates of the head that touched no index",
            Field.text("column", "column"),
            Field.number("roundTrips", "round trips", 2),
            Field.number("statements", "statements", 2),
            Field.number("wireBytes", "wire bytes", 0),
            Field.number("heapOnlyPercent", "heap-only %", 1));
    session.say("counting on the wire");
    for (Ground.Way way : Ground.WAYS) {
      String name = session.column(way).name();
      WireCount count = session.store().count(session.ground(way), way, COUNTED_STEPS);
      if (Double.isNaN(count.trips())) {
        return table;
      }
      session.closeColumn(way);
      Ground.HeadUpdates updates = session.ground(way).headUpdates();
      table.row(
          name,
          count.trips(),
          count.statements(),
          count.bytes(),
          updates.all() == 0 ? Double.NaN : 100.0 * updates.heapOnly() / updates.all());
    }
    return table;
  }
}
