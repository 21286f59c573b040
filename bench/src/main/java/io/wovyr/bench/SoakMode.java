/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import io.wovyr.bench.ResultTable.Field;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Memory over many steps through the repositories: what lives after a collection, and what the
 * system sees, at equal distances; and how much they grow. Stateless.
 */
final class SoakMode {
  private static final int SAMPLES = 20;
  private static final int CALLERS = 8;

  /** Then a caller goes on with another execution, as work does. */
  private static final int STEPS_OF_AN_EXECUTION = 500;

  private static final double MEBIBYTE = 1 << 20;

  private SoakMode() {}

  /** One look: after so many steps. */
  private record Sample(double steps, double heap, double resident) {}

  static void run(Session session, Result result) throws Exception {
    long all = session.options().steps();
    long each = Math.max(1, all / SAMPLES / CALLERS);
    ResultTable table =
        new ResultTable(
            "soak",
            "Memory over steps through the repositories, " + CALLERS + " callers",
            Field.number("steps", "steps", 0),
            Field.number("perSecond", "steps/s", 0),
            Field.number("heapMebibytes", "live heap MiB", 2),
            Field.number("residentMebibytes", "resident MiB", 1));
    List<Sample> samples = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
    try {
      List<Worker> workers = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        workers.add(new Worker(session));
      }
      long done = 0;
      for (int i = 0; i < SAMPLES && !session.stop().requested(); i++) {
        long began = System.nanoTime();
        done += all(threads, workers, each);
        double rate = each * CALLERS / ((System.nanoTime() - began) / 1e9);
        Sample sample = new Sample(done, liveHeap(), Processes.ownResidentBytes());
        samples.add(sample);
        table.row(done, rate, sample.heap() / MEBIBYTE, sample.resident() / MEBIBYTE);
        session.say("soak: " + done + " steps");
      }
    } finally {
      threads.shutdownNow();
    }
    result.add(table);
    result.add(slopes(samples));
  }

  private static long all(ExecutorService threads, List<Worker> workers, long steps)
      throws Exception {
    List<Future<Long>> running = new ArrayList<>();
    for (Worker worker : workers) {
      running.add(threads.submit(() -> worker.steps(steps)));
    }
    long done = 0;
    for (Future<Long> one : running) {
      done += one.get();
    }
    return done;
  }

  /** Steps on, with a new execution now and then. Used by one thread at a time. */
  private static final class Worker {
    private final Session session;
    private Column.Execution execution;
    private int left = STEPS_OF_AN_EXECUTION;

    Worker(Session session) throws Exception {
      this.session = session;
      execution = session.execution(Ground.Way.REPOSITORIES);
    }

    long steps(long count) throws Exception {
      for (long i = 0; i < count; i++) {
        if (session.stop().requested()) {
          return i;
        }
        if (left == 0) {
          execution = session.execution(Ground.Way.REPOSITORIES);
          left = STEPS_OF_AN_EXECUTION;
        }
        left--;
        execution.step();
      }
      return count;
    }
  }

  @SuppressWarnings("ExplicitGc") // What lives is what a collection leaves.
  private static double liveHeap() {
    System.gc();
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Growth by least squares over the second half: the first fills pools and caches. */
  private static ResultTable slopes(List<Sample> samples) {
    ResultTable table =
        new ResultTable(
            "soakSlope",
            "Growth over the second half",
            Field.text("what", "what"),
            Field.number("mebibytesPerMillionSteps", "MiB per million steps", 2),
            Field.number("bytesPerStep", "bytes per step", 2));
    List<Sample> half = samples.subList(samples.size() / 2, samples.size());
    if (half.size() >= 3) {
      row(table, "live heap", slope(half, true));
      row(table, "resident", slope(half, false));
    }
    return table;
  }

  private static void row(ResultTable table, String what, double bytesPerStep) {
    table.row(what, bytesPerStep * 1e6 / MEBIBYTE, bytesPerStep);
  }

  private static double slope(List<Sample> samples, boolean heap) {
    double meanX = samples.stream().mapToDouble(Sample::steps).average().orElseThrow();
    double meanY = samples.stream().mapToDouble(s -> value(s, heap)).average().orElseThrow();
    double above = 0;
    double below = 0;
    for (Sample sample : samples) {
      double x = sample.steps() - meanX;
      above += x * (value(sample, heap) - meanY);
      below += x * x;
    }
    return above / below;
  }

  private static double value(Sample sample, boolean heap) {
    return heap ? sample.heap() : sample.resident();
  }
}
