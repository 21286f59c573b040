/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.execution.ExecutionHead;
import io.wovyr.samples.ordersaga.Strike.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Strikes workers: each strike at a named phase, while the worker holds a lease with work in
 * flight. A killed worker is replaced. A stalled one stands still until somebody else has written
 * under a higher token, and then goes on where it stood, unaware. Run on one thread; stalls are
 * watched on threads of their own.
 */
final class Chaos {
  /** Phases of kills, in turn. */
  static final List<Phase> KILL_PHASES =
      List.of(Phase.BEFORE_EFFECT, Phase.AFTER_EFFECT, Phase.IN_COMMIT, Phase.AFTER_COMMIT);

  /** Phases of stalls, in turn. */
  static final List<Phase> STALL_PHASES =
      List.of(Phase.IN_COMMIT, Phase.AFTER_EFFECT, Phase.BEFORE_EFFECT);

  private static final long LOOK_MILLIS = 20;
  private static final Duration REACH_WITHIN = Duration.ofMillis(400);
  private static final Duration LATE_WRITE_WITHIN = Duration.ofSeconds(30);

  private final List<Strike> plan;
  private final Fleet fleet;
  private final Intake intake;
  private final Tally tally;
  private final Repositories orders;
  private final Duration patience;
  private final ChaosLog log;
  private final Random random;
  private final ExecutorService watchers =
      Executors.newCachedThreadPool(
          body -> {
            Thread thread = new Thread(body, "stall-watcher");
            thread.setDaemon(true);
            return thread;
          });
  private volatile @Nullable Waiting waiting;

  Chaos(
      List<Strike> plan,
      Fleet fleet,
      Intake intake,
      Tally tally,
      Repositories orders,
      DemoOptions options,
      ChaosLog log) {
    this.plan = plan;
    this.fleet = fleet;
    this.intake = intake;
    this.tally = tally;
    this.orders = orders;
    this.patience = options.patience();
    this.log = log;
    this.random = new Random(options.seed());
  }

  /** Where a worker says it is. */
  record Place(UUID executionId, long token, long lastSequence) {}

  private record Waiting(WorkerProcess worker, CompletableFuture<Place> place) {}

  /** So many kills and stalls, in turn, each at the next of its phases. */
  static List<Strike> plan(int kills, int stalls) {
    List<Strike> plan = new ArrayList<>();
    for (int i = 0; i < Math.max(kills, stalls); i++) {
      if (i < kills) {
        plan.add(new Strike(Kind.KILL, KILL_PHASES.get(i % KILL_PHASES.size())));
      }
      if (i < stalls) {
        plan.add(new Strike(Kind.STALL, STALL_PHASES.get(i % STALL_PHASES.size())));
      }
    }
    return plan;
  }

  /** Makes all strikes, spread over the orders admitted at first; returns when all are over. */
  void run() throws InterruptedException {
    int first = intake.admitted();
    List<Future<?>> stalls = new ArrayList<>();
    try {
      for (int i = 0; i < plan.size(); i++) {
        int threshold = first * (i + 1) / (plan.size() + 1);
        while (tally.settled() < threshold && tally.settled() < intake.admitted()) {
          TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        Optional<Future<?>> stall = strike(plan.get(i));
        stall.ifPresent(stalls::add);
      }
    } finally {
      intake.admitAll();
    }
    for (Future<?> stall : stalls) {
      try {
        stall.get();
      } catch (java.util.concurrent.ExecutionException e) {
        throw new CannotGoOn("a stall failed: " + e.getCause(), e);
      }
    }
    watchers.shutdownNow();
  }

  /** A worker announced that it is where it is to be struck. */
  void reached(WorkerProcess worker, Place place) {
    Waiting expected = waiting;
    if (expected != null && expected.worker() == worker) {
      expected.place().complete(place);
    } else {
      // It was spared a moment ago.
      worker.tell("GO");
    }
  }

  /** A worker is gone. */
  void gone(WorkerProcess worker) {
    Waiting expected = waiting;
    if (expected != null && expected.worker() == worker) {
      expected.place().cancel(false);
    }
  }

  private Optional<Future<?>> strike(Strike strike) throws InterruptedException {
    while (true) {
      Optional<WorkerProcess> chosen = fleet.choose(random);
      if (chosen.isEmpty()) {
        fleet.check();
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        continue;
      }
      WorkerProcess worker = chosen.get();
      Waiting expected = new Waiting(worker, new CompletableFuture<>());
      waiting = expected;
      worker.tell("STRIKE " + strike.kind() + " " + strike.phase());
      Optional<Place> place = await(expected);
      waiting = null;
      if (place.isPresent()) {
        return make(strike, worker, place.get());
      }
      if (worker.isAlive()) {
        // Nothing is left to strike at.
        worker.tell("SPARE");
        fleet.recovered(worker);
        return Optional.empty();
      }
    }
  }

  /** Where the worker is, once it is where it is to be struck; empty when it never will be. */
  private Optional<Place> await(Waiting expected) throws InterruptedException {
    while (true) {
      try {
        return Optional.of(expected.place().get(REACH_WITHIN.toMillis(), TimeUnit.MILLISECONDS));
      } catch (TimeoutException e) {
        boolean more = intake.admitMore(2 * fleet.size());
        if (!more && tally.settled() >= intake.admitted()) {
          return Optional.empty();
        }
      } catch (java.util.concurrent.ExecutionException
          | java.util.concurrent.CancellationException e) {
        return Optional.empty();
      }
    }
  }

  private Optional<Future<?>> make(Strike strike, WorkerProcess worker, Place place) {
    log.struck(strike);
    if (strike.kind() == Kind.KILL) {
      worker.kill();
      fleet.add();
      return Optional.empty();
    }
    worker.stall();
    if (!fleet.hasWorking()) {
      // Somebody has to take over.
      fleet.add();
    }
    return Optional.of(watchers.submit(() -> watch(worker, place)));
  }

  private void watch(WorkerProcess worker, Place place) {
    long since = System.nanoTime();
    try {
      while (!isOvertaken(place) && !tally.isSettled(place.executionId())) {
        if (System.nanoTime() - since > patience.toNanos()) {
          throw new CannotGoOn(
              "nobody takes over execution %s from the stalled %s"
                  .formatted(place.executionId(), worker.name()),
              null);
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      }
      log.expectLateWrite(worker);
      worker.wake();
      worker.tell("GO");
      log.awaitLateWrite(worker, LATE_WRITE_WITHIN);
      fleet.recovered(worker);
    } catch (InterruptedException e) {
      worker.kill();
      Thread.currentThread().interrupt();
    }
  }

  /** Somebody else has written under a higher token. */
  private boolean isOvertaken(Place place) {
    Optional<ExecutionHead> head = orders.executions().head(place.executionId());
    return head.isPresent()
        && head.get().fencingToken() > place.token()
        && head.get().lastSequence() > place.lastSequence();
  }
}
