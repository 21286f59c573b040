/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Durable steps inside JTA transactions, each beside a row of the application's own: ours beside
 * the same statements by hand, over the same DataSource. Stateless.
 */
final class EnlistMode {
  private static final List<EnlistGround.Way> WAYS = List.of(EnlistGround.Way.values());
  private static final int WARM_UP_CALLERS = 8;

  private EnlistMode() {}

  static void run(Session session, Result result) throws Exception {
    Path directory = Files.createTempDirectory("wovyr-bench-transactions-");
    try (EnlistGround ground = EnlistGround.of((PostgresqlStore) session.store(), directory)) {
      measure(session, ground, result);
    } finally {
      Bench.delete(directory);
    }
  }

  private static void measure(Session session, EnlistGround ground, Result result)
      throws Exception {
    StepTables tables =
        new StepTables(
            "enlist",
            "Durable steps inside JTA transactions, each with a row of the application's own",
            "enlistCost",
            "What one such transaction costs",
            Arrays.stream(EnlistGround.Way.values()).map(EnlistGround.Way::column).toList());
    for (EnlistGround.Way way : WAYS) {
      session.warmUp(way, way.column(), ground::work, WARM_UP_CALLERS, session.options().warmUp());
    }
    for (int callers : session.options().callers()) {
      if (session.stop().requested()) {
        break;
      }
      session.say("enlisted steps, " + callers + " callers");
      tables.add(callers, session.rounds(WAYS, ground::work, callers));
    }
    tables.addTo(result);
  }
}
