/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import io.wovyr.bench.ResultTable.Field;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** What sealing costs: the same durable steps in clear and sealed, in turns. Stateless. */
final class SealingMode {
  private static final List<Ground.Way> WAYS = List.of(Ground.Way.REPOSITORIES, Ground.Way.SEALED);

  private SealingMode() {}

  static void run(Session session, Result result) throws Exception {
    Session.Caller caller =
        way -> {
          Column.Execution execution = session.execution(way);
          return execution::step;
        };
    session.warmUp(WAYS, caller, 8, session.options().warmUp());
    ResultTable table =
        new ResultTable(
            "sealing",
            "Durable steps in clear and sealed (AES-256-GCM under the tenant's key)",
            Field.number("callers", "callers", 0),
            Field.number("clearPerSecond", "clear steps/s", 0),
            Field.number("sealedPerSecond", "sealed steps/s", 0),
            Field.number("sealedOfClear", "sealed of clear", 3),
            Field.number("least", "least", 3),
            Field.number("most", "most", 3),
            Field.number("clearCpuMicros", "CPU us, clear", 1),
            Field.number("sealedCpuMicros", "CPU us, sealed", 1),
            Field.number("cpuOfClear", "of clear", 3));
    for (int callers : session.options().callers()) {
      if (session.stop().requested()) {
        break;
      }
      session.say("steps in clear and sealed, " + callers + " callers");
      List<List<Turn>> rounds = session.rounds(WAYS, caller, callers);
      if (!rounds.isEmpty()) {
        row(table, callers, rounds);
      }
    }
    result.add(table);
  }

  private static void row(ResultTable table, int callers, List<List<Turn>> rounds) {
    ToDoubleFunction<List<Turn>> ratio = turns -> turns.get(1).rate() / turns.get(0).rate();
    double[] range = Turn.range(rounds, ratio);
    table.row(
        callers,
        Turn.median(rounds, turns -> turns.get(0).rate()),
        Turn.median(rounds, turns -> turns.get(1).rate()),
        Turn.median(rounds, ratio),
        range[0],
        range[1],
        Turn.median(rounds, turns -> turns.get(0).cpu()),
        Turn.median(rounds, turns -> turns.get(1).cpu()),
        Turn.median(rounds, turns -> turns.get(1).cpu() / turns.get(0).cpu()));
  }
}
