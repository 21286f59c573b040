/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** The worker processes: as many as wanted, one that is gone replaced by a new one. Thread-safe. */
final class Fleet implements WorkerProcess.Listener {
  private static final int MAX_FAILURES = 10;
  private static final Duration STOP_WITHIN = Duration.ofSeconds(6);

  private final RunDirectory directory;
  private final String sabotage;
  private final WorkerProcess.Listener listener;
  private final Map<WorkerProcess, Condition> workers = new LinkedHashMap<>();
  private int started;
  private int failures;
  private boolean stopping;

  Fleet(RunDirectory directory, String sabotage, WorkerProcess.Listener listener) {
    this.directory = directory;
    this.sabotage = sabotage;
    this.listener = listener;
  }

  private enum Condition {
    STARTING,
    /** Takes what is due. */
    WORKING,
    /** Chosen to be struck, or standing still. */
    STRUCK
  }

  /** Starts one more. */
  synchronized void add() {
    if (stopping) {
      return;
    }
    started++;
    String name = "worker-" + started;
    workers.put(
        WorkerProcess.start(name, directory.path(), directory.log(name), sabotage, this),
        Condition.STARTING);
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
    return workers.size();
  }

  @Override
  public void said(WorkerProcess worker, List<String> words) {
    if (words.get(0).equals("READY")) {
      synchronized (this) {
        workers.put(worker, Condition.WORKING);
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
          add();
        }
      }
    }
    listener.gone(worker, exitCode);
  }

  /**
   * @throws CannotGoOn when workers keep failing by themselves
   */
  synchronized void check() {
    if (failures > MAX_FAILURES) {
      throw new CannotGoOn(
          "workers keep failing by themselves; the last log is "
              + directory.log("worker-" + started),
          null);
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
