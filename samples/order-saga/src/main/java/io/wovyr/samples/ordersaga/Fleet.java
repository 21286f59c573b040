/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/**
 * The worker processes: as many as wanted, one that is gone replaced by a new one. Few start at a
 * time, for a machine that starts many at once starts none of them soon. Thread-safe.
 */
final class Fleet implements WorkerProcess.Listener {
  private static final int MAX_FAILURES = 10;
  private static final Duration STOP_WITHIN = Duration.ofSeconds(6);

  /** Start at the same time, at most. */
  static final int MOST_STARTING = Math.max(2, Runtime.getRuntime().availableProcessors());

  private final RunDirectory directory;
  private final Starter starter;
  private final WorkerProcess.Listener listener;
  private final Map<WorkerProcess, Condition> workers = new LinkedHashMap<>();
  private int waiting;
  private int started;
  private int failures;
  private boolean stopping;

  /** Starts the worker of this name. */
  @FunctionalInterface
  interface Starter {
    WorkerProcess start(String name, WorkerProcess.Listener listener);
  }

  Fleet(RunDirectory directory, Starter starter, WorkerProcess.Listener listener) {
    this.directory = directory;
    this.starter = starter;
    this.listener = listener;
  }

  private enum Condition {
    STARTING,
    /** Takes what is due. */
    WORKING,
    /** Chosen to be struck, or standing still. */
    STRUCK
  }

  /** Starts one more, as soon as few enough others are about to start. */
  synchronized void add() {
    waiting++;
    startWaiting();
  }

  private synchronized void startWaiting() {
    while (!stopping && waiting > 0 && starting() < MOST_STARTING) {
      waiting--;
      started++;
      String name = "worker-" + started;
      workers.put(starter.start(name, this), Condition.STARTING);
    }
  }

  private synchronized long starting() {
    return workers.values().stream().filter(Condition.STARTING::equals).count();
  }

  /** Chooses a working one to strike; empty when there is none at the moment. */
  synchronized Optional<WorkerProcess> choose(Random random) {
    List<WorkerProcess> working = new ArrayList<>();
    workers.forEach(
        (worker, condition) -> {
          if (condition == Condition.WORKING) {
            working.add(worker);
          }
        });
    if (working.isEmpty()) {
      return Optional.empty();
    }
    WorkerProcess chosen = working.get(random.nextInt(working.size()));
    workers.put(chosen, Condition.STRUCK);
    return Optional.of(chosen);
  }

  /** A struck one works again. */
  synchronized void recovered(WorkerProcess worker) {
    workers.computeIfPresent(worker, (same, condition) -> Condition.WORKING);
  }

  /** Whether anybody works, or is about to. */
  synchronized boolean hasWorking() {
    return workers.values().stream().anyMatch(condition -> condition != Condition.STRUCK);
  }

  synchronized int size() {
    return workers.size() + waiting;
  }

  /** Whether somebody is about to start: what is a long time for work may be short for that. */
  synchronized boolean isStarting() {
    return waiting > 0 || starting() > 0;
  }

  @Override
  public void said(WorkerProcess worker, List<String> words) {
    if (words.get(0).equals("READY")) {
      synchronized (this) {
        workers.put(worker, Condition.WORKING);
        startWaiting();
      }
    }
    listener.said(worker, words);
  }

  @Override
  public void gone(WorkerProcess worker, int exitCode) {
    synchronized (this) {
      Condition condition = workers.remove(worker);
      notifyAll();
      if (condition != null && condition != Condition.STRUCK && !stopping) {
        failures++;
        if (failures <= MAX_FAILURES) {
          waiting++;
        }
      }
      startWaiting();
    }
    listener.gone(worker, exitCode);
  }

  /**
   * @throws CannotGoOn when workers keep failing by themselves
   */
  synchronized void check() {
    if (failures > MAX_FAILURES) {
      Path log = directory.log("worker-" + started);
      throw new CannotGoOn(
          "workers keep failing by themselves; the last log is " + log + lastWord(log), null);
    }
  }

  /** The end of a worker's log, where it says why it failed. */
  private static String lastWord(Path log) {
    try (Stream<String> lines = Files.lines(log)) {
      return lines
          .filter(line -> !line.isBlank() && !line.startsWith("\t"))
          .reduce((first, second) -> second)
          .map(line -> "; it ends with: " + line)
          .orElse("");
    } catch (IOException | UncheckedIOException e) {
      return "";
    }
  }

  /** Lets every worker hand back what it holds and go; whoever does not is killed. */
  void stop() {
    List<WorkerProcess> all;
    synchronized (this) {
      stopping = true;
      all = List.copyOf(workers.keySet());
    }
    all.forEach(worker -> worker.tell("STOP"));
    long until = System.nanoTime() + STOP_WITHIN.toNanos();
    for (WorkerProcess worker : all) {
      Duration left = Duration.ofNanos(Math.max(0, until - System.nanoTime()));
      if (!worker.awaitExit(left)) {
        worker.kill();
      }
    }
  }

  /** Kills whoever is left. */
  void kill() {
    List<WorkerProcess> all;
    synchronized (this) {
      stopping = true;
      all = List.copyOf(workers.keySet());
    }
    all.forEach(WorkerProcess::kill);
  }
}
