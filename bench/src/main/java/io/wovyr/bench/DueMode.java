/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import io.wovyr.bench.ResultTable.Field;
import io.wovyr.persistence.Persistence.Due;
import io.wovyr.persistence.Persistence.SystemAccess;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.lease.AcquireResult;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.schedule.NewSchedule;
import io.wovyr.persistence.schedule.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntSupplier;

/**
 * How long it takes to find what is due, with very many executions and schedules waiting: half of
 * them due by now, the others within an hour. First alone, then while workers take what they found
 * and put it to sleep, so that the front of what is due moves on and leaves its places behind.
 * Stateless.
 */
final class DueMode {
  private static final int PAGE = 100;
  private static final int WORKERS = 4;

  /** Of a page, so many are taken. */
  private static final int TAKEN = 10;

  private static final double TARGET_MILLIS = 5;

  private DueMode() {}

  static void run(Session session, Result result) throws Exception {
    int waiting = session.options().waiting();
    Ground ground = session.ground(Ground.Way.REPOSITORIES);
    session.say("making " + waiting + " executions that wait");
    ground.copies(Copy.EXECUTION, ground.create().id(), waiting);
    session.say("making " + waiting + " schedules");
    DefinitionRef definition = DefinitionRef.of("bench", 1);
    ground
        .repositories()
        .schedules()
        .add(
            NewSchedule.of(
                "bench", new Timing.Once(Instant.now().plus(Duration.ofDays(1))), definition));
    ground.copies(Copy.SCHEDULE, "bench", waiting);
    ResultTable table =
        new ResultTable(
            "due",
            "A page of %,d of what is due; %,d wait, half of them due".formatted(PAGE, waiting),
            Field.text("what", "what"),
            Field.number("pages", "pages", 0),
            Field.number("p50Millis", "p50 ms", 3),
            Field.number("p95Millis", "p95 ms", 3),
            Field.number("p99Millis", "p99 ms", 3),
            Field.number("targetMillis", "target p99 ms", 0),
            Field.number("taken", "taken meanwhile", 0),
            Field.number("fullScans", "full scans", 0));
    SystemAccess system = ground.persistence().system("benchmark");
    alone(session, ground, table, "executions", () -> system.due(PAGE).size());
    alone(session, ground, table, "schedules", () -> system.dueSchedules(PAGE).size());
    taken(session, ground, table, system);
    result.add(table);
  }

  private static void alone(
      Session session, Ground ground, ResultTable table, String what, IntSupplier page)
      throws Exception {
    session.say("what is due: " + what);
    read(session, page, session.options().warmUp());
    double before = ground.fullScans();
    Latencies latencies = read(session, page, session.options().seconds());
    row(table, what + ", alone", latencies, 0, ground.fullScans() - before);
  }

  private static Latencies read(Session session, IntSupplier page, double seconds) {
    Latencies latencies = new Latencies();
    long began = System.nanoTime();
    while (System.nanoTime() - began < seconds * 1e9 && !session.stop().requested()) {
      timed(page, latencies);
    }
    return latencies;
  }

  private static void timed(IntSupplier page, Latencies latencies) {
    long before = System.nanoTime();
    int found = page.getAsInt();
    latencies.add(System.nanoTime() - before);
    if (found == 0) {
      throw new IllegalStateException("nothing is due");
    }
  }

  private static void taken(Session session, Ground ground, ResultTable table, SystemAccess system)
      throws Exception {
    session.say("what is due, while workers take it");
    double before = ground.fullScans();
    Latencies latencies = new Latencies();
    long slept = 0;
    ExecutorService threads = Executors.newFixedThreadPool(WORKERS);
    try {
      long began = System.nanoTime();
      while (System.nanoTime() - began < session.options().seconds() * 1e9
          && !session.stop().requested()) {
        List<Due> found = system.due(PAGE);
        List<Future<Integer>> working =
            found.stream()
                .limit(TAKEN)
                .map(due -> threads.submit(() -> sleep(ground, due)))
                .toList();
        timed(() -> system.due(PAGE).size(), latencies);
        for (Future<Integer> one : working) {
          slept += one.get();
        }
      }
    } finally {
      threads.shutdownNow();
    }
    row(table, "executions, while taken", latencies, slept, ground.fullScans() - before);
  }

  /** What a worker does when there is nothing left to do: takes it, and says when to come again. */
  private static int sleep(Ground ground, Due due) {
    AcquireResult acquired =
        ground.repositories().leases().acquire(due.executionId(), Step.WORKER, Step.TTL);
    if (acquired instanceof AcquireResult.Acquired mine) {
      ground
          .repositories()
          .leases()
          .release(mine.lease(), Wake.at(Instant.now().plus(Duration.ofHours(2))));
      return 1;
    }
    return 0;
  }

  private static void row(
      ResultTable table, String what, Latencies latencies, long taken, double fullScans) {
    long[] sorted = Latencies.sorted(List.of(latencies));
    table.row(
        what,
        sorted.length,
        Latencies.millis(sorted, 0.5),
        Latencies.millis(sorted, 0.95),
        Latencies.millis(sorted, 0.99),
        TARGET_MILLIS,
        taken,
        fullScans);
  }
}
