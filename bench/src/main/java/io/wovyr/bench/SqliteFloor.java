/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import io.wovyr.persistence.jpa.sqlite.SqliteStorageProvider;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToDoubleFunction;

/**
 * How near the floor we are on SQLite: durable steps per second at 1 and 8 callers, and loading an
 * execution of 10,000 events. Columns take turns in every round; a column's ratio is the median of
 * its ratios to the floor of the same round, 1 being as fast as the floor, 0.5 half as fast.
 *
 * <p>Arguments, all optional: {@code seconds per turn} (2), {@code rounds} (9), {@code directory}
 * (a temporary one: put it on the disk that is meant).
 */
public final class SqliteFloor {
  private static final int[] CALLERS = {1, 8};
  private static final int EVENTS = 10_000;

  private final double seconds;
  private final int rounds;
  private final Path directory;
  private final PrintStream out;
  private final Random random = new Random(1);

  private SqliteFloor(double seconds, int rounds, Path directory, PrintStream out) {
    this.seconds = seconds;
    this.rounds = rounds;
    this.directory = directory;
    this.out = out;
  }

  /** Prints the table. */
  public static void main(String[] arguments) throws Exception {
    double seconds = arguments.length > 0 ? Double.parseDouble(arguments[0]) : 2;
    int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 9;
    Path directory =
        arguments.length > 2 ? Path.of(arguments[2]) : Files.createTempDirectory("wovyr-bench");
    new SqliteFloor(seconds, rounds, directory, System.out).run();
  }

  /** The columns, the floor first. Another way of doing the same work is one more line here. */
  private List<Column> columns() throws Exception {
    List<Column> columns = new ArrayList<>();
    columns.add(new FloorColumn(store("floor")));
    columns.add(new StorageColumn(store("storage")));
    columns.add(new CoreColumn(store("core")));
    return columns;
  }

  private Path store(String name) throws IOException {
    Path file = directory.resolve(name + ".db");
    for (String suffix : List.of("", "-wal", "-shm")) {
      Files.deleteIfExists(Path.of(file + suffix));
    }
    Objects.requireNonNull(new SqliteStorageProvider().migrator())
        .migrate(Map.of("path", file.toString()), step -> {});
    return file;
  }

  private void run() throws Exception {
    List<Column> columns = columns();
    try {
      for (int callers : CALLERS) {
        List<Turn[]> turns = turns(columns, column -> step(column, callers));
        report("steps/s, " + callers + " callers", columns, turns);
      }
      List<Column.Execution> loaded = new ArrayList<>();
      for (Column column : columns) {
        Column.Execution execution = column.create(UUID.randomUUID());
        for (int i = 0; i < EVENTS; i++) {
          execution.step();
        }
        loaded.add(execution);
      }
      List<Turn[]> turns = turns(columns, column -> load(loaded.get(columns.indexOf(column))));
      report("loads of " + EVENTS + " events per second", columns, turns);
    } finally {
      for (Column column : columns) {
        column.close();
      }
    }
  }

  /**
   * What one turn of one column came to.
   *
   * @param rate operations per second
   * @param cpuMicros of this process per operation: what is left of a noisy machine's noise
   */
  private record Turn(double rate, double cpuMicros) {
    static Turn of(long operations, long nanos, long cpuNanos) {
      return new Turn(operations / (nanos / 1e9), cpuNanos / 1e3 / operations);
    }
  }

  private interface Measure {
    Turn of(Column column) throws Exception;
  }

  /** One row per round, one turn per column; the first round warms up and is dropped. */
  private List<Turn[]> turns(List<Column> columns, Measure measure) throws Exception {
    List<Turn[]> all = new ArrayList<>();
    for (int round = 0; round <= rounds; round++) {
      Turn[] turns = new Turn[columns.size()];
      List<Integer> order = new ArrayList<>();
      for (int i = 0; i < columns.size(); i++) {
        order.add(i);
      }
      Collections.shuffle(order, random);
      for (int i : order) {
        turns[i] = measure.of(columns.get(i));
      }
      if (round > 0) {
        all.add(turns);
      }
    }
    return all;
  }

  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private Turn step(Column column, int callers) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(callers);
    try {
      List<Column.Execution> executions = new ArrayList<>();
      for (int i = 0; i < callers; i++) {
        executions.add(column.create(UUID.randomUUID()));
      }
      List<Future<Long>> running = new ArrayList<>();
      long cpu = cpuNanos();
      long began = System.nanoTime();
      long end = began + (long) (seconds * 1e9);
      for (Column.Execution execution : executions) {
        running.add(threads.submit(() -> stepUntil(execution, end)));
      }
      long steps = 0;
      for (Future<Long> one : running) {
        steps += one.get();
      }
      return Turn.of(steps, System.nanoTime() - began, cpuNanos() - cpu);
    } finally {
      threads.shutdownNow();
    }
  }

  private static long stepUntil(Column.Execution execution, long end) throws Exception {
    long steps = 0;
    while (System.nanoTime() - end < 0) {
      execution.step();
      steps++;
    }
    return steps;
  }

  private Turn load(Column.Execution execution) throws Exception {
    long cpu = cpuNanos();
    long began = System.nanoTime();
    long loads = 0;
    while (System.nanoTime() - began < seconds * 1e9) {
      if (execution.load() < 200L * EVENTS) {
        throw new IllegalStateException("events are missing");
      }
      loads++;
    }
    return Turn.of(loads, System.nanoTime() - began, cpuNanos() - cpu);
  }

  private static double median(List<Turn[]> rounds, ToDoubleFunction<Turn[]> value) {
    double[] sorted = rounds.stream().mapToDouble(value).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  private void report(String what, List<Column> columns, List<Turn[]> rounds) {
    out.printf("%-36s %10s  of floor   CPU us  of floor%n", what, "");
    for (int i = 0; i < columns.size(); i++) {
      int column = i;
      out.printf(
          "  %-34s %,10.1f  %8.2f %8.1f  %8.2f%n",
          columns.get(i).name(),
          median(rounds, turns -> turns[column].rate()),
          median(rounds, turns -> turns[column].rate() / turns[0].rate()),
          median(rounds, turns -> turns[column].cpuMicros()),
          median(rounds, turns -> turns[0].cpuMicros() / turns[column].cpuMicros()));
    }
  }
}
