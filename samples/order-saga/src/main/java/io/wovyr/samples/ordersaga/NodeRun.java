/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.samples.ordersaga.Controller.Interrupted;
import io.wovyr.samples.ordersaga.Controller.Outcome;
import io.wovyr.samples.ordersaga.Evidence.Expected;
import io.wovyr.samples.ordersaga.Tally.Counts;
import io.wovyr.samples.ordersaga.sabotage.Sabotage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One run over a store that one process at a time can have open: a {@link Node} after the other,
 * each killed with a worker where it is to be struck, until one comes to the end. This process has
 * the store only before the first and after the last. Used once.
 */
final class NodeRun implements WorkerProcess.Listener {
  private static final int MAX_FAILURES = 5;
  private static final Duration STOP_WITHIN = Duration.ofSeconds(8);

  private final DemoOptions options;
  private final RunDirectory directory;
  private final List<Order> orders;
  private final RunStore store;
  private final Shutdown shutdown;
  private final Screen screen;
  private final Progress progress;
  private final ChaosLog chaosLog = new ChaosLog();
  private final BlockingQueue<Heard> heard = new LinkedBlockingQueue<>();
  private final AtomicReference<@Nullable WorkerProcess> current = new AtomicReference<>();
  private volatile boolean interrupted;
  private int settled;
  private Counts counts = new Counts(0, 0, 0);
  private @Nullable Counts before;
  private int settledBefore;
  private long firstEndNanos;

  /** What a node said; no words when it is gone. */
  private record Heard(WorkerProcess node, List<String> words, int exitCode) {}

  /** How a node ended. */
  private enum End {
    KILLED,
    DONE,
    FAILED,
    STUCK
  }

  NodeRun(
      DemoOptions options,
      RunDirectory directory,
      List<Order> orders,
      RunStore store,
      Shutdown shutdown,
      Screen screen) {
    this.options = options;
    this.directory = directory;
    this.orders = orders;
    this.store = store;
    this.shutdown = shutdown;
    this.screen = screen;
    progress = screen.progress(orders.size());
  }

  /** What was done to the nodes. */
  ChaosLog chaosLog() {
    return chaosLog;
  }

  /**
   * Runs until every order ended, or nothing moves any more.
   *
   * @param startedAtNanos when the whole run began
   */
  Outcome run(long startedAtNanos) {
    Runnable interrupt = this::interrupt;
    shutdown.push(interrupt);
    long workingSince = System.nanoTime();
    try {
      runNodes(workingSince);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Interrupted();
    } finally {
      WorkerProcess node = current.get();
      if (node != null && !interrupted) {
        node.kill();
        node.awaitExit(STOP_WITHIN);
      }
    }
    if (interrupted) {
      throw new Interrupted();
    }
    shutdown.remove(interrupt);
    Duration worked = Duration.ofNanos(System.nanoTime() - workingSince);
    Counts done = done();
    progress.finish(settled, done, chaosLog, worked);
    Map<UUID, Expected> expected =
        UndisturbedRun.run(
            store.undisturbed(directory.scratch()),
            directory.path().resolve("undisturbed"),
            orders,
            directory.run().settings());
    double seconds = worked.toNanos() / 1e9;
    return new Outcome(
        new Report.Speed(
            firstEndNanos == 0 ? 0 : (firstEndNanos - startedAtNanos) / 1e9,
            seconds,
            done.steps(),
            done.steps() / Math.max(0.001, seconds),
            0),
        expected);
  }

  private Counts done() {
    return before == null ? counts : counts.minus(before);
  }

  private void runNodes(long workingSince) throws InterruptedException {
    int kills = 0;
    int failures = 0;
    for (int number = 1; !interrupted; number++) {
      Strike strike =
          kills < options.kills()
              ? new Strike(
                  Strike.Kind.KILL, Chaos.KILL_PHASES.get(kills % Chaos.KILL_PHASES.size()))
              : null;
      End end = runNode("worker-" + number, kills, strike, workingSince);
      if (end == End.DONE || end == End.STUCK) {
        return;
      }
      kills += end == End.KILLED ? 1 : 0;
      failures += end == End.FAILED ? 1 : 0;
      if (failures > MAX_FAILURES) {
        throw new CannotGoOn(
            "the process that has the store keeps failing; the last log is "
                + directory.log("worker-" + number),
            null);
      }
    }
  }

  private End runNode(String name, int kills, @Nullable Strike strike, long workingSince)
      throws InterruptedException {
    WorkerProcess node =
        WorkerProcess.start(
            Node.class,
            name,
            directory.path(),
            store.settings(),
            directory.log(name),
            options.sabotage().map(Sabotage::text).orElse(""),
            this);
    current.set(node);
    node.tell(
        "PLAN %d %d %d %s"
            .formatted(
                options.workers(),
                kills,
                options.kills(),
                strike == null ? "-" : strike.phase().name()));
    boolean killed = false;
    long movedAtNanos = System.nanoTime();
    while (true) {
      Heard next = heard.poll(50, TimeUnit.MILLISECONDS);
      long now = System.nanoTime();
      progress.show(settled, done(), chaosLog, Duration.ofNanos(now - workingSince));
      if (now - movedAtNanos > options.patience().toNanos()) {
        return End.STUCK;
      }
      if (next == null || next.node() != node) {
        continue;
      }
      if (next.words().isEmpty()) {
        current.set(null);
        return killed ? End.KILLED : next.exitCode() == 0 ? End.DONE : End.FAILED;
      }
      switch (next.words().get(0)) {
        case "COUNTS" -> movedAtNanos = count(next.words(), now) ? now : movedAtNanos;
        case "PHASE" -> {
          if (strike == null || killed) {
            node.tell("GO");
          } else {
            killed = true;
            chaosLog.struck(strike);
            node.kill();
          }
        }
        case "READY" -> movedAtNanos = now;
        default -> {
          // What is set aside is in the node's own counts.
        }
      }
    }
  }

  /** Whether anything moved. */
  private boolean count(List<String> words, long now) {
    int nowSettled = Integer.parseInt(words.get(1));
    Counts next =
        new Counts(
            Long.parseLong(words.get(2)),
            Long.parseLong(words.get(3)),
            Long.parseLong(words.get(4)));
    if (before == null) {
      before = options.resume() ? next : new Counts(0, 0, 0);
      settledBefore = options.resume() ? nowSettled : 0;
      settled = settledBefore;
      progress.resumedAfter(settledBefore);
    }
    boolean moved = nowSettled != settled || !next.equals(counts);
    settled = nowSettled;
    counts = next;
    if (firstEndNanos == 0 && settled > settledBefore) {
      firstEndNanos = now;
    }
    return moved;
  }

  private void interrupt() {
    interrupted = true;
    WorkerProcess node = current.get();
    if (node != null) {
      node.tell("STOP");
      if (!node.awaitExit(STOP_WITHIN)) {
        node.kill();
      }
    }
    screen.interrupted(options);
  }

  @Override
  public void said(WorkerProcess node, List<String> words) {
    heard.add(new Heard(node, words, 0));
  }

  @Override
  public void gone(WorkerProcess node, int exitCode) {
    heard.add(new Heard(node, List.of(), exitCode));
  }
}
