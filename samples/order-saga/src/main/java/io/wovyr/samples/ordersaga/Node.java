/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.samples.ordersaga.WorkerPort.Plan;
import io.wovyr.samples.ordersaga.sabotage.Sabotage;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The one process that has the store open, where only one at a time can: workers are threads in it,
 * and it lets the orders in and follows the feed. Killed, it loses all workers at once; the next
 * one finds their leases and takes over. It ends by itself when every order has ended and nothing
 * is left to strike at.
 */
final class Node {
  private static final long LOOK_MILLIS = 50;
  private static final long HAND_BACK_SECONDS = 6;
  private static final int MORE = 20;

  private final StoreSettings where;
  private final WorkerPort port;
  private final RunSettings settings;
  private final String sabotage;
  private final String name;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  private Node(
      StoreSettings where, WorkerPort port, RunSettings settings, String name, String sabotage) {
    this.where = where;
    this.port = port;
    this.settings = settings;
    this.name = name;
    this.sabotage = sabotage;
  }

  /**
   * Arguments: the run's directory, this node's name, and a sabotage if there is one. Standard
   * input says which store, and how it is to be struck.
   */
  public static void main(String[] arguments) {
    PrintStream lines =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    // Whatever else in this process prints must not be taken for a message.
    System.setOut(System.err);
    WorkerPort port = new WorkerPort(System.in, lines);
    CountDownLatch done = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> handBack(port, done), "hand-back"));
    try {
      Path directory = Path.of(arguments[0]);
      Node node =
          new Node(
              port.store(),
              port,
              RunDirectory.look(directory).settings(),
              arguments[1],
              arguments.length > 2 ? arguments[2] : "");
      node.run(directory, RunDirectory.ordersIn(directory));
      port.say("STOPPED");
    } catch (PersistenceException | CannotGoOn e) {
      // Its words are for people, and the last thing in this node's log.
      System.err.println(arguments[1] + ": " + e.getMessage());
      done.countDown();
      System.exit(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      done.countDown();
    }
  }

  private static void handBack(WorkerPort port, CountDownLatch done) {
    port.stop();
    try {
      if (!done.await(HAND_BACK_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("what was at hand was not handed back in time; it will be taken over");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run(Path directory, List<Order> orders) throws InterruptedException {
    Plan plan = port.plan();
    try (Persistence persistence = where.persistence(where.open());
        Ledger ledger = Ledger.open(RunDirectory.ledger(directory))) {
      Repositories administrator = where.administration(persistence);
      Workflow.store(administrator);
      SettlementSchedule settlements = new SettlementSchedule(administrator);
      settlements.begin();
      Repositories repositories = where.repositories(persistence, name);
      Tally tally =
          new Tally(
              repositories, orders.stream().map(Order::executionId).collect(Collectors.toSet()));
      tally.follow();
      Intake intake = new Intake(repositories, orders, plan.admitted(orders.size()));
      intake.settled(tally.settled());
      List<Thread> workers = new ArrayList<>();
      for (int i = 1; i <= plan.workers(); i++) {
        String worker = name + "-worker-" + i;
        workers.add(thread(worker, () -> work(worker, ledger)));
      }
      Thread letIn = thread("intake", intake::run);
      port.say("READY");
      try {
        follow(plan, tally, intake, settlements, orders.size());
      } finally {
        port.stop();
        intake.close();
        letIn.join();
        for (Thread worker : workers) {
          worker.join();
        }
      }
    }
  }

  /** A worker as any other, but for its process. */
  private void work(String worker, Ledger ledger) {
    Storage store = where.open();
    Storage promised =
        Sabotage.named(sabotage).map(sabotaged -> sabotaged.applyTo(store)).orElse(store);
    StrikingStorage storage = new StrikingStorage(promised, port);
    try (Persistence persistence = where.persistence(storage);
        WorkLoop loop =
            new WorkLoop(persistence, where, ledger, settings, worker, storage, port, true)) {
      loop.run();
    }
  }

  private Thread thread(String called, Runnable body) {
    Thread thread =
        new Thread(
            () -> {
              try {
                body.run();
              } catch (RuntimeException | Error e) {
                failure.compareAndSet(null, e);
              }
            },
            called);
    thread.start();
    return thread;
  }

  private void follow(
      Plan plan, Tally tally, Intake intake, SettlementSchedule settlements, int orders)
      throws InterruptedException {
    boolean armed = false;
    while (!port.isStopping()) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      check();
      tally.follow();
      port.setAside().forEach(tally::setAside);
      int settled = tally.settled();
      intake.settled(settled);
      Tally.Counts counts = tally.counts();
      port.say("COUNTS", settled, counts.events(), counts.steps(), counts.takeovers());
      if (!armed && plan.strikes() && settled >= plan.strikeFrom(orders)) {
        armed = true;
        port.arm(plan.strike());
      }
      if (!plan.strikes() || settled >= orders) {
        intake.admitAll();
      } else if (settled >= intake.admitted()) {
        // Nobody came to where it is to be struck: there has to be work.
        intake.admitMore(MORE);
      }
      if (settled >= orders && tally.settlements() >= settlements.end()) {
        return;
      }
    }
  }

  private void check() {
    Throwable thrown = failure.get();
    if (thrown instanceof RuntimeException exception) {
      throw exception;
    }
    if (thrown != null) {
      throw new CannotGoOn(String.valueOf(thrown), thrown);
    }
  }
}
