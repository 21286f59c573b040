/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import io.wovyr.bench.ResultTable.Field;
import java.util.ArrayList;
import java.util.List;

/** Durable steps: ours beside the floor. Stateless. */
final class StepMode {
  private static final int COUNTED_STEPS = 100;
  private static final int WARM_UP_CALLERS = 8;

  private StepMode() {}

  static void run(Session session, Result result) throws Exception {
    session.warmUp(caller(session), WARM_UP_CALLERS, session.options().warmUp());
    StepTables tables =
        new StepTables(
            "step",
            "Durable steps (one event of 200 bytes and the head, one commit on the disk)",
            "cost",
            "What one step costs",
            names(session));
    for (int callers : session.options().callers()) {
      if (session.stop().requested()) {
        break;
      }
      // More callers need more connections: they are open in all columns before anything counts.
      session.warmUp(caller(session), callers, session.options().seconds());
      session.say("steps, " + callers + " callers");
      List<List<Turn>> rounds = session.rounds(Ground.WAYS, caller(session), callers);
      tables.add(callers, rounds);
    }
    tables.addTo(result);
    if (!session.stop().requested()) {
      result.add(wire(session));
    }
  }

  private static List<String> names(Session session) throws Exception {
    List<String> names = new ArrayList<>();
    for (Ground.Way way : Ground.WAYS) {
      names.add(session.column(way).name());
    }
    return names;
  }

  private static Session.Caller<Ground.Way> caller(Session session) {
    return way -> {
      Column.Execution execution = session.execution(way);
      return execution::step;
    };
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
