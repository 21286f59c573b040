/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import io.wovyr.bench.ResultTable.Field;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Loading all events of one execution: ours beside a read with the plain driver. Stateless. */
final class LoadMode {
  private static final int[] EVENTS = {10, 1_000, 10_000};

  private LoadMode() {}

  static void run(Session session, Result result) throws Exception {
    ResultTable table =
        new ResultTable(
            "load",
            "Loading the events of one execution, one caller",
            Field.number("events", "events", 0),
            Field.text("column", "column"),
            Field.number("p50Millis", "p50 ms", 3),
            Field.number("p99Millis", "p99 ms", 3),
            Field.number("timesFloor", "times floor", 2),
            Field.number("processCpuMicros", "CPU us, JVM", 0),
            Field.number("serverCpuMicros", "CPU us, server", 0));
    Map<Ground.Way, Column.Execution> loaded = new EnumMap<>(Ground.Way.class);
    Map<Ground.Way, Integer> present = new EnumMap<>(Ground.Way.class);
    for (Ground.Way way : Ground.WAYS) {
      loaded.put(way, session.execution(way));
      present.put(way, Known.of(loaded, way).load());
    }
    for (int events : EVENTS) {
      session.say("loading " + events + " events");
      for (Ground.Way way : Ground.WAYS) {
        Column.Execution execution = Known.of(loaded, way);
        for (int i = Known.of(present, way); i < events && !session.stop().requested(); i++) {
          execution.step();
        }
        present.put(way, events);
      }
      Session.Caller<Ground.Way> caller = way -> () -> check(Known.of(loaded, way).load(), events);
      if (!session.stop().requested()) {
        session.warmUp(caller, 1, Math.min(2, session.options().warmUp()));
      }
      List<List<Turn>> rounds = session.rounds(Ground.WAYS, caller, 1);
      if (!rounds.isEmpty()) {
        rows(session, events, rounds, table);
      }
    }
    result.add(table);
  }

  private static void check(int found, int wanted) {
    if (found != wanted) {
      throw new IllegalStateException("loaded " + found + " events of " + wanted);
    }
  }

  private static void rows(Session session, int events, List<List<Turn>> rounds, ResultTable table)
      throws Exception {
    for (Ground.Way way : Ground.WAYS) {
      int column = Ground.WAYS.indexOf(way);
      table.row(
          events,
          session.column(way).name(),
          Turn.median(rounds, turns -> turns.get(column).p50()),
          Turn.median(rounds, turns -> turns.get(column).p99()),
          Turn.median(rounds, turns -> turns.get(column).p50() / turns.get(0).p50()),
          Turn.median(rounds, turns -> turns.get(column).processCpu()),
          Turn.median(rounds, turns -> turns.get(column).serverCpu()));
    }
  }
}
