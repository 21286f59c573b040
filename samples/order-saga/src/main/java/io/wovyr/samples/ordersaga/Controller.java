/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.samples.ordersaga.Evidence.Expected;
import io.wovyr.samples.ordersaga.Tally.Counts;
import io.wovyr.samples.ordersaga.sabotage.Sabotage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One run, from the first worker to the last: starts workers, lets orders in, strikes, follows the
 * feed until every order ended. It moves no order itself and workers need no word from it. Used
 * once.
 */
final class Controller implements WorkerProcess.Listener {
  private static final long LOOK_MILLIS = 50;
  private static final int HELD_BACK_PER_STRIKE = 6;

  private final DemoOptions options;
  private final RunDirectory directory;
  private final RunSettings settings;
  private final List<Order> orders;
  private final RunStore store;
  private final Shutdown shutdown;
  private final ChaosLog chaosLog = new ChaosLog();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final Fleet fleet;
  private final Tally tally;
  private final Intake intake;
  private final Chaos chaos;
  private final Screen screen;
  private final Progress progress;
  private final Repositories administrator;
  private final SettlementSchedule settlements;
  private final CountDownLatch handedBack = new CountDownLatch(1);
  private volatile boolean interrupted;
  private volatile boolean struck;

  Controller(
      DemoOptions options,
      RunDirectory directory,
      List<Order> orders,
      RunStore store,
      Persistence persistence,
      Shutdown shutdown,
      Screen screen) {
    this.options = options;
    this.directory = directory;
    this.orders = orders;
    this.store = store;
    this.shutdown = shutdown;
    settings = directory.run().settings();
    Repositories repositories = store.settings().repositories(persistence, "controller");
    List<Strike> plan = Chaos.plan(options.kills(), stalls(options));
    administrator = store.settings().administration(persistence);
    settlements = new SettlementSchedule(administrator);
    fleet = new Fleet(directory, this::startWorker, this);
    tally =
        new Tally(
            repositories, orders.stream().map(Order::executionId).collect(Collectors.toSet()));
    int heldBack = Math.min(orders.size() * 2 / 5, plan.size() * HELD_BACK_PER_STRIKE);
    intake = new Intake(repositories, orders, orders.size() - heldBack);
    chaos = new Chaos(plan, fleet, intake, tally, repositories, options, chaosLog);
    this.screen = screen;
    progress = screen.progress(orders.size());
  }

  private WorkerProcess startWorker(String name, WorkerProcess.Listener listener) {
    return WorkerProcess.start(
        name,
        directory.path(),
        store.settings(),
        directory.log(name),
        options.sabotage().map(Sabotage::text).orElse(""),
        listener);
  }

  /** A store without a fence shows only when somebody writes late. */
  static int stalls(DemoOptions options) {
    boolean needsOne = options.sabotage().filter(Sabotage.SKIP_FENCING::equals).isPresent();
    return needsOne ? Math.max(1, options.pauses()) : options.pauses();
  }

  /**
   * What a run came to.
   *
   * @param expected what it should have come to
   */
  record Outcome(Report.Speed speed, Map<UUID, Expected> expected) {}

  /**
   * Runs until every order ended, or nothing moves any more.
   *
   * @param startedAtNanos when the whole run began
   * @throws CannotGoOn when it cannot be carried through
   * @throws Interrupted when the process was asked to end
   */
  Outcome run(long startedAtNanos) {
    Runnable interrupt = this::interrupt;
    shutdown.push(interrupt);
    try {
      return work(startedAtNanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Interrupted();
    } finally {
      intake.close();
      if (!interrupted) {
        shutdown.remove(interrupt);
        fleet.kill();
      }
    }
  }

  /** The process was asked to end: the store is left so that the run can be resumed. */
  static final class Interrupted extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private Outcome work(long startedAtNanos) throws InterruptedException {
    tally.follow();
    Counts before = tally.counts();
    int settledBefore = tally.settled();
    intake.settled(settledBefore);
    progress.resumedAfter(settledBefore);
    Workflow.store(administrator);
    settlements.begin();
    // One worker alone starts fastest; the others follow once it works.
    fleet.add();
    long workingSince = System.nanoTime();
    background("intake", intake::run);
    background("chaos", this::strikeAll);
    CompletableFuture<Map<UUID, Expected>> undisturbed = new CompletableFuture<>();
    long firstEndNanos = 0;
    long movedAtNanos = workingSince;
    Counts last = before;
    while (!isOver()) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      check();
      tally.follow();
      intake.settled(tally.settled());
      Counts now = tally.counts();
      long time = System.nanoTime();
      if (firstEndNanos == 0 && tally.settled() > settledBefore) {
        firstEndNanos = time;
        for (int i = 1; i < options.workers(); i++) {
          fleet.add();
        }
        background("undisturbed", () -> undisturbed.complete(undisturbedRun()));
      }
      if (!now.equals(last) || (last.events() == before.events() && fleet.isStarting())) {
        last = now;
        movedAtNanos = time;
      } else if (time - movedAtNanos > options.patience().toNanos()) {
        break;
      }
      progress.show(
          tally.settled(), now.minus(before), chaosLog, Duration.ofNanos(time - workingSince));
    }
    long endedAt = System.nanoTime();
    Counts done = tally.counts().minus(before);
    Duration worked = Duration.ofNanos(endedAt - workingSince);
    progress.finish(tally.settled(), done, chaosLog, worked);
    fleet.stop();
    Map<UUID, Expected> expected = firstEndNanos == 0 ? undisturbedRun() : await(undisturbed);
    return new Outcome(
        new Report.Speed(
            firstEndNanos == 0 ? 0 : seconds(firstEndNanos - startedAtNanos),
            seconds(worked.toNanos()),
            done.steps(),
            done.steps() / Math.max(0.001, seconds(worked.toNanos())),
            0),
        expected);
  }

  private boolean isOver() {
    return struck && tally.settled() >= orders.size() && tally.settlements() >= settlements.end();
  }

  private void check() {
    if (interrupted) {
      // Workers still need the store, which is closed behind this.
      awaitHandedBack();
      throw new Interrupted();
    }
    fleet.check();
    Throwable thrown = failure.get();
    if (thrown instanceof RuntimeException exception) {
      throw exception;
    }
    if (thrown != null) {
      throw new CannotGoOn(String.valueOf(thrown), thrown);
    }
  }

  private Map<UUID, Expected> undisturbedRun() {
    Path scratch = directory.scratch();
    return UndisturbedRun.run(store.undisturbed(scratch), scratch, orders, settings);
  }

  private Map<UUID, Expected> await(CompletableFuture<Map<UUID, Expected>> undisturbed)
      throws InterruptedException {
    while (true) {
      try {
        return undisturbed.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (java.util.concurrent.TimeoutException e) {
        check();
      } catch (java.util.concurrent.ExecutionException e) {
        throw new CompletionException(e.getCause());
      }
    }
  }

  private void strikeAll() {
    try {
      chaos.run();
      struck = true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void background(String name, Runnable body) {
    Thread thread =
        new Thread(
            () -> {
              try {
                body.run();
              } catch (RuntimeException | Error e) {
                failure.compareAndSet(null, e);
              }
            },
            "demo-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  private void awaitHandedBack() {
    try {
      handedBack.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void interrupt() {
    interrupted = true;
    intake.close();
    fleet.stop();
    handedBack.countDown();
    screen.interrupted(options);
  }

  @Override
  public void said(WorkerProcess worker, List<String> words) {
    switch (words.get(0)) {
      case "PHASE" ->
          chaos.reached(
              worker,
              new Chaos.Place(
                  UUID.fromString(words.get(2)),
                  Long.parseLong(words.get(3)),
                  Long.parseLong(words.get(4))));
      case "REFUSED" -> chaosLog.lateWrite(worker, true, words.get(2));
      case "ACCEPTED" -> chaosLog.lateWrite(worker, false, words.get(2));
      case "SETASIDE" -> tally.setAside(UUID.fromString(words.get(1)));
      default -> {
        // READY and STOPPED are for the fleet.
      }
    }
  }

  @Override
  public void gone(WorkerProcess worker, int exitCode) {
    chaos.gone(worker);
  }

  private static double seconds(long nanos) {
    return nanos / 1_000_000_000.0;
  }

  /** What was done to the workers. */
  ChaosLog chaosLog() {
    return chaosLog;
  }
}
