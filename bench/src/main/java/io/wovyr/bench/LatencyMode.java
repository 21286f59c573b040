/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import io.wovyr.bench.ResultTable.Field;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * How long single calls take at half of what is possible, with many executions in the store. Calls
 * are due at fixed times, whether the ones before are done or not, and each is measured from when
 * it was due: a stall counts for every call that it delays. Stateless.
 */
final class LatencyMode {
  private static final int CALLERS = 8;

  /** Executions with a lease, which writes go to; reads go to all. */
  private static final int LEASED = 400;

  private LatencyMode() {}

  /** What a call does, how often, and the target of its 99th percentile. */
  private enum Kind {
    READ("read", 0.5, 5),
    WRITE("write", 0.4, 10),
    TRANSACTION("transaction", 0.1, 20);

    private final String text;
    private final double share;
    private final double targetMillis;

    Kind(String text, double share, double targetMillis) {
      this.text = text;
      this.share = share;
      this.targetMillis = targetMillis;
    }

    static Kind of(double random) {
      double from = 0;
      for (Kind kind : values()) {
        from += kind.share;
        if (random < from) {
          return kind;
        }
      }
      return TRANSACTION;
    }
  }

  static void run(Session session, Result result) throws Exception {
    Map<Ground.Way, Population> populations = new EnumMap<>(Ground.Way.class);
    for (Ground.Way way : List.of(Ground.Way.FLOOR, Ground.Way.REPOSITORIES)) {
      if (session.stop().requested()) {
        return;
      }
      session.say("making " + session.options().executions() + " executions");
      populations.put(way, Population.make(session, way));
    }
    Map<Ground.Way, Double> most = new EnumMap<>(Ground.Way.class);
    for (Ground.Way way : populations.keySet()) {
      session.say("how much is possible: " + session.column(way).name());
      long warm = (long) (session.options().warmUp() * 1e9);
      saturate(session, Known.of(populations, way), warm);
      most.put(way, saturate(session, Known.of(populations, way), (long) (seconds(session) * 1e9)));
    }
    double rate = Known.of(most, Ground.Way.REPOSITORIES) / 2;
    ResultTable table =
        new ResultTable(
            "latency",
            "Latency at %,.0f calls/s, half of what is possible; %,d callers, %,d executions"
                .formatted(rate, CALLERS, session.options().executions()),
            Field.text("call", "call"),
            Field.text("column", "column"),
            Field.number("calls", "calls", 0),
            Field.number("p50Millis", "p50 ms", 3),
            Field.number("p95Millis", "p95 ms", 3),
            Field.number("p99Millis", "p99 ms", 3),
            Field.number("targetMillis", "target p99 ms", 0),
            Field.number("saturation", "calls/s possible", 0));
    Map<Ground.Way, Map<Kind, List<Latencies>>> all = new EnumMap<>(Ground.Way.class);
    for (int round = 0; round < session.options().rounds(); round++) {
      for (Ground.Way way : populations.keySet()) {
        if (!session.stop().requested()) {
          session.say("at half of it: " + session.column(way).name());
          open(
              session,
              Known.of(populations, way),
              rate,
              all.computeIfAbsent(way, LatencyMode::empty));
        }
      }
    }
    for (Kind kind : Kind.values()) {
      for (Ground.Way way : all.keySet()) {
        long[] sorted = Latencies.sorted(Known.of(Known.of(all, way), kind));
        table.row(
            kind.text,
            session.column(way).name(),
            sorted.length,
            Latencies.millis(sorted, 0.5),
            Latencies.millis(sorted, 0.95),
            Latencies.millis(sorted, 0.99),
            kind.targetMillis,
            Known.of(most, way));
      }
    }
    result.add(table);
  }

  private static double seconds(Session session) {
    return Math.max(1, session.options().seconds());
  }

  private static Map<Kind, List<Latencies>> empty(Ground.Way way) {
    Map<Kind, List<Latencies>> lists = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      lists.put(kind, new ArrayList<>());
    }
    return lists;
  }

  /** The executions of one column. */
  private record Population(
      Column column, List<UUID> all, List<List<Column.Execution>> leasedByCaller) {
    static Population make(Session session, Ground.Way way) throws Exception {
      Ground ground = session.ground(way);
      Column column = session.column(way);
      Ground.Held original = ground.create();
      List<UUID> all = ground.copies(Copy.EXECUTION, original.id(), session.options().executions());
      List<List<Column.Execution>> leased = new ArrayList<>();
      for (int caller = 0; caller < CALLERS; caller++) {
        List<Column.Execution> own = new ArrayList<>();
        for (int i = caller; i < Math.min(LEASED, all.size()); i += CALLERS) {
          own.add(column.execution(all.get(i), ground.lease(all.get(i))));
        }
        leased.add(own);
      }
      return new Population(column, all, leased);
    }

    void call(Kind kind, int caller, SplittableRandom random) throws Exception {
      if (kind == Kind.READ) {
        if (!column.find(all.get(random.nextInt(all.size())))) {
          throw new IllegalStateException("an execution is missing");
        }
        return;
      }
      List<Column.Execution> own = leasedByCaller.get(caller);
      Column.Execution execution = own.get(random.nextInt(own.size()));
      if (kind == Kind.WRITE) {
        execution.step();
      } else {
        execution.transaction();
      }
    }
  }

  /** Calls per second with all callers busy. */
  private static double saturate(Session session, Population population, long nanos)
      throws Exception {
    AtomicLong calls = new AtomicLong();
    long began = System.nanoTime();
    callers(
        (caller, random) -> {
          while (System.nanoTime() - began < nanos && !session.stop().requested()) {
            population.call(Kind.of(random.nextDouble()), caller, random);
            calls.incrementAndGet();
          }
        });
    return calls.get() / ((System.nanoTime() - began) / 1e9);
  }

  /** Calls at a fixed rate; whoever is free takes the next one that is due. */
  private static void open(
      Session session, Population population, double rate, Map<Kind, List<Latencies>> into)
      throws Exception {
    long calls = (long) (rate * seconds(session));
    AtomicLong next = new AtomicLong();
    long began = System.nanoTime();
    callers(
        (caller, random) -> {
          Map<Kind, Latencies> own = new EnumMap<>(Kind.class);
          for (Kind kind : Kind.values()) {
            own.put(kind, new Latencies());
          }
          for (long i = next.getAndIncrement();
              i < calls && !session.stop().requested();
              i = next.getAndIncrement()) {
            long due = began + (long) (i * 1e9 / rate);
            await(due);
            Kind kind = Kind.of(random.nextDouble());
            population.call(kind, caller, random);
            Known.of(own, kind).add(System.nanoTime() - due);
          }
          synchronized (into) {
            own.forEach((kind, latencies) -> Known.of(into, kind).add(latencies));
          }
        });
  }

  private static void await(long due) {
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private interface Body {
    void run(int caller, SplittableRandom random) throws Exception;
  }

  private static void callers(Body body) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        int caller = i;
        running.add(
            threads.submit(
                () -> {
                  body.run(caller, new SplittableRandom(caller));
                  return caller;
                }));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
