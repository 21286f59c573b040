/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import io.wovyr.bench.ResultTable.Field;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToDoubleFunction;

/**
 * What sealing costs: the same durable steps in clear and sealed. Every caller takes one of each in
 * turns, so that whatever else the machine does disturbs both alike. Stateless.
 */
final class SealingMode {
  private static final List<Ground.Way> WAYS = List.of(Ground.Way.REPOSITORIES, Ground.Way.SEALED);
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private SealingMode() {}

  /** Steps of one way: how long each took, and what it cost its thread. */
  private static final class Taken {
    private final Latencies latencies = new Latencies();
    private final Latencies cpu = new Latencies();
  }

  /** One round: medians of both ways, in milliseconds. */
  private record Round(double clear, double sealed, double clearCpu, double sealedCpu) {}

  static void run(Session session, Result result) throws Exception {
    ResultTable table =
        new ResultTable(
            "sealing",
            "Durable steps in clear and sealed (AES-256-GCM under the tenant's key), in turns",
            Field.number("callers", "callers", 0),
            Field.number("clearMillis", "clear p50 ms", 3),
            Field.number("sealedMillis", "sealed p50 ms", 3),
            Field.number("sealedOfClear", "sealed of clear", 3),
            Field.number("least", "least", 3),
            Field.number("most", "most", 3),
            Field.number("clearCpuMicros", "CPU us, clear", 1),
            Field.number("sealedCpuMicros", "CPU us, sealed", 1),
            Field.number("cpuOfClear", "of clear", 3));
    round(session, 2, session.options().warmUp());
    for (int callers : session.options().callers()) {
      session.say("steps in clear and sealed, " + callers + " callers");
      List<Round> rounds = new ArrayList<>();
      while (rounds.size() < session.options().rounds() && !session.stop().requested()) {
        rounds.add(round(session, callers, 2 * session.options().seconds()));
      }
      if (!rounds.isEmpty()) {
        row(table, callers, rounds);
      }
    }
    result.add(table);
  }

  private static void row(ResultTable table, int callers, List<Round> rounds) {
    double[] ratios = sorted(rounds, round -> round.sealed() / round.clear());
    table.row(
        callers,
        median(sorted(rounds, Round::clear)),
        median(sorted(rounds, Round::sealed)),
        median(ratios),
        ratios[0],
        ratios[ratios.length - 1],
        1e3 * median(sorted(rounds, Round::clearCpu)),
        1e3 * median(sorted(rounds, Round::sealedCpu)),
        median(sorted(rounds, round -> round.sealedCpu() / round.clearCpu())));
  }

  private static double[] sorted(List<Round> rounds, ToDoubleFunction<Round> value) {
    return rounds.stream().mapToDouble(value).sorted().toArray();
  }

  private static double median(double[] sorted) {
    return sorted[sorted.length / 2];
  }

  private static Round round(Session session, int callers, double seconds) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(callers);
    try {
      List<Map<Ground.Way, Column.Execution>> executions = new ArrayList<>();
      for (int i = 0; i < callers; i++) {
        Map<Ground.Way, Column.Execution> own = new EnumMap<>(Ground.Way.class);
        for (Ground.Way way : WAYS) {
          own.put(way, session.execution(way));
        }
        executions.add(own);
      }
      long end = System.nanoTime() + (long) (seconds * 1e9);
      List<Future<Map<Ground.Way, Taken>>> running = new ArrayList<>();
      for (Map<Ground.Way, Column.Execution> own : executions) {
        running.add(threads.submit(() -> inTurns(own, session.stop(), end)));
      }
      List<Map<Ground.Way, Taken>> taken = new ArrayList<>();
      for (Future<Map<Ground.Way, Taken>> one : running) {
        taken.add(one.get());
      }
      return new Round(
          half(taken, Ground.Way.REPOSITORIES, one -> one.latencies),
          half(taken, Ground.Way.SEALED, one -> one.latencies),
          half(taken, Ground.Way.REPOSITORIES, one -> one.cpu),
          half(taken, Ground.Way.SEALED, one -> one.cpu));
    } finally {
      threads.shutdownNow();
    }
  }

  private static double half(
      List<Map<Ground.Way, Taken>> taken,
      Ground.Way way,
      java.util.function.Function<Taken, Latencies> of) {
    return Latencies.millis(
        Latencies.sorted(taken.stream().map(own -> of.apply(Known.of(own, way))).toList()), 0.5);
  }

  private static Map<Ground.Way, Taken> inTurns(
      Map<Ground.Way, Column.Execution> executions, Stop stop, long end) throws Exception {
    Map<Ground.Way, Taken> taken = new EnumMap<>(Ground.Way.class);
    WAYS.forEach(way -> taken.put(way, new Taken()));
    List<Ground.Way> order = new ArrayList<>(WAYS);
    do {
      Collections.reverse(order);
      for (Ground.Way way : order) {
        Column.Execution execution = Known.of(executions, way);
        long cpu = THREADS.getCurrentThreadCpuTime();
        long began = System.nanoTime();
        execution.step();
        Taken own = Known.of(taken, way);
        own.latencies.add(System.nanoTime() - began);
        own.cpu.add(THREADS.getCurrentThreadCpuTime() - cpu);
      }
    } while (System.nanoTime() - end < 0 && !stop.requested());
    return taken;
  }
}
