/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import io.wovyr.persistence.jpa.sqlite.SqliteStorageProvider;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * How near the floor we are on SQLite: durable steps per second at 1 and 8 callers, and loading an
 * execution of 10,000 events. Columns take turns in every round; a column's ratio is the median of
 * its ratios to the floor of the same round.
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
        List<double[]> rates = turns(columns, column -> stepsPerSecond(column, callers));
        report("steps/s, " + callers + " callers", columns, rates, "%,.0f", false);
      }
      List<Column.Execution> loaded = new ArrayList<>();
      for (Column column : columns) {
        Column.Execution execution = column.create(UUID.randomUUID());
        for (int i = 0; i < EVENTS; i++) {
          execution.step();
        }
        loaded.add(execution);
      }
      List<double[]> times =
          turns(columns, column -> millisToLoad(loaded.get(columns.indexOf(column))));
      report("ms to load " + EVENTS + " events", columns, times, "%,.2f", true);
    } finally {
      for (Column column : columns) {
        column.close();
      }
    }
  }

  private interface Measure {
    double of(Column column) throws Exception;
  }

  /** One row per round, one value per column; the first round warms up and is dropped. */
  private List<double[]> turns(List<Column> columns, Measure measure) throws Exception {
    List<double[]> all = new ArrayList<>();
    for (int round = 0; round <= rounds; round++) {
      double[] values = new double[columns.size()];
      List<Integer> order = new ArrayList<>();
      for (int i = 0; i < columns.size(); i++) {
        order.add(i);
      }
      Collections.shuffle(order, random);
      for (int i : order) {
        values[i] = measure.of(columns.get(i));
      }
      if (round > 0) {
        all.add(values);
      }
    }
    return all;
  }

  private double stepsPerSecond(Column column, int callers) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(callers);
    try {
      List<Future<Long>> running = new ArrayList<>();
      long began = System.nanoTime();
      long end = began + (long) (seconds * 1e9);
      for (int i = 0; i < callers; i++) {
        Column.Execution execution = column.create(UUID.randomUUID());
        running.add(threads.submit(() -> stepUntil(execution, end)));
      }
      long steps = 0;
      for (Future<Long> one : running) {
        steps += one.get();
      }
      return steps / ((System.nanoTime() - began) / 1e9);
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

  private double millisToLoad(Column.Execution execution) throws Exception {
    int times = (int) Math.max(5, seconds * 20);
    double[] millis = new double[times];
    for (int i = 0; i < times; i++) {
      long began = System.nanoTime();
      if (execution.load() < 200L * EVENTS) {
        throw new IllegalStateException("events are missing");
      }
      millis[i] = (System.nanoTime() - began) / 1e6;
    }
    return median(millis);
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private void report(
      String what, List<Column> columns, List<double[]> rounds, String format, boolean less) {
    out.println(what + (less ? " (less is better)" : ""));
    for (int i = 0; i < columns.size(); i++) {
      int column = i;
      double value = median(rounds.stream().mapToDouble(round -> round[column]).toArray());
      double ratio =
          median(rounds.stream().mapToDouble(round -> round[column] / round[0]).toArray());
      out.printf("  %-24s " + format + "   %.2f of floor%n", columns.get(i).name(), value, ratio);
    }
  }
}
