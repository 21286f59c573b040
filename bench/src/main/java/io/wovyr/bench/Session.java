/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * One run over one store: the columns, each on a ground of its own, and how they take turns. Used
 * by one thread.
 */
final class Session implements AutoCloseable {
  private final Store store;
  private final BenchOptions options;
  private final Stop stop;
  private final PrintStream progress;
  private final Random random = new Random(1);
  private final Map<Ground.Way, Ground> grounds = new EnumMap<>(Ground.Way.class);
  private final Map<Ground.Way, Column> columns = new EnumMap<>(Ground.Way.class);

  Session(Store store, BenchOptions options, Stop stop, PrintStream progress) {
    this.store = store;
    this.options = options;
    this.stop = stop;
    this.progress = progress;
  }

  Store store() {
    return store;
  }

  BenchOptions options() {
    return options;
  }

  Stop stop() {
    return stop;
  }

  /** Tells a person that something goes on. */
  void say(String what) {
    progress.println("bench: " + what);
  }

  /** The ground of a way, made and opened when it is first needed. */
  Ground ground(Ground.Way way) throws Exception {
    Ground known = grounds.get(way);
    if (known == null) {
      known = store.newGround();
      if (way == Ground.Way.SEALED) {
        known.seal();
      }
      grounds.put(way, known);
    }
    return known;
  }

  Column column(Ground.Way way) throws Exception {
    Column known = columns.get(way);
    if (known == null) {
      known = ground(way).column(way);
      columns.put(way, known);
    }
    return known;
  }

  /** An execution of a way, new. */
  Column.Execution execution(Ground.Way way) throws Exception {
    Ground.Held held = ground(way).create();
    return column(way).execution(held.id(), held.lease());
  }

  /** What is done again and again in a turn. */
  interface Work {
    void run() throws Exception;
  }

  /** Makes the work of one caller, for each of the ways that are compared. */
  interface Caller<W> {
    Work of(W way) throws Exception;
  }

  /** Lets every column run for a while, so that the compiler has seen all code. */
  void warmUp(Caller<Ground.Way> caller, int callers, double seconds) throws Exception {
    for (Ground.Way way : Ground.WAYS) {
      warmUp(way, column(way).name(), caller, callers, seconds);
    }
  }

  <W> void warmUp(W way, String name, Caller<W> caller, int callers, double seconds)
      throws Exception {
    if (!stop.requested()) {
      say("warming up " + name);
      turn(way, caller, callers, seconds);
    }
  }

  /**
   * Rounds in which every way has one turn, in an order that changes; turns in the order of the
   * ways. An interrupted round is not among them.
   */
  <W> List<List<Turn>> rounds(List<W> ways, Caller<W> caller, int callers) throws Exception {
    List<List<Turn>> rounds = new ArrayList<>();
    while (rounds.size() < options.rounds()) {
      Map<W, Turn> turns = new HashMap<>();
      List<W> order = new ArrayList<>(ways);
      Collections.shuffle(order, random);
      for (W way : order) {
        if (stop.requested()) {
          return rounds;
        }
        turns.put(way, turn(way, caller, callers, options.seconds()));
      }
      if (!stop.requested()) {
        rounds.add(ways.stream().map(way -> Known.of(turns, way)).toList());
      }
    }
    return rounds;
  }

  private <W> Turn turn(W way, Caller<W> caller, int callers, double seconds) throws Exception {
    List<Work> works = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      works.add(caller.of(way));
    }
    ExecutorService threads = Executors.newFixedThreadPool(callers);
    try {
      List<Future<Latencies>> running = new ArrayList<>();
      Usage before = store.usage();
      long began = System.nanoTime();
      long end = began + (long) (seconds * 1e9);
      for (Work work : works) {
        running.add(threads.submit(() -> runUntil(work, end)));
      }
      List<Latencies> latencies = new ArrayList<>();
      for (Future<Latencies> one : running) {
        latencies.add(one.get());
      }
      long nanos = System.nanoTime() - began;
      return Turn.of(latencies, nanos, store.usage().since(before));
    } finally {
      threads.shutdownNow();
    }
  }

  private Latencies runUntil(Work work, long end) throws Exception {
    Latencies latencies = new Latencies();
    long now = System.nanoTime();
    while (now - end < 0 && !stop.requested()) {
      work.run();
      long after = System.nanoTime();
      latencies.add(after - now);
      now = after;
    }
    return latencies;
  }

  /** Closes a column, so that the server's statistics are complete; its ground stays. */
  void closeColumn(Ground.Way way) throws Exception {
    Column column = columns.remove(way);
    if (column != null) {
      column.close();
    }
  }

  @Override
  public void close() throws Exception {
    for (Ground.Way way : Ground.Way.values()) {
      closeColumn(way);
    }
    for (Ground ground : grounds.values()) {
      ground.close();
    }
  }
}
