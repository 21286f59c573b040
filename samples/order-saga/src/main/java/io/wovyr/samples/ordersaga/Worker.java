/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.samples.ordersaga.sabotage.Sabotage;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One worker process. It is told nothing but where the run is, and takes what is due until it is
 * stopped: by its controller, by the end of its standard input (the controller is gone), or by
 * SIGINT or SIGTERM. It hands back what it holds before it goes; killed, it does not, and others
 * take over.
 */
final class Worker {
  private static final long HAND_BACK_SECONDS = 5;
  private static final int WARM_UP_TRIES = 6;

  private Worker() {}

  /**
   * Arguments: the run's directory, this worker's name, and a sabotage if there is one. The first
   * line of standard input says which store; it may hold passwords, so it is no argument.
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
      work(Path.of(arguments[0]), arguments[1], sabotage(arguments), port);
      port.say("STOPPED");
    } catch (PersistenceException e) {
      // Its words are for people, and the last thing in this worker's log.
      System.err.println(arguments[1] + ": " + e.getMessage());
      done.countDown();
      System.exit(1);
    } finally {
      done.countDown();
    }
  }

  private static void work(Path directory, String name, String sabotage, WorkerPort port) {
    StoreSettings where = port.store();
    Storage store = where.open();
    Storage promised =
        Sabotage.named(sabotage).map(sabotaged -> sabotaged.applyTo(store)).orElse(store);
    StrikingStorage storage = new StrikingStorage(promised, port);
    RunSettings settings = RunDirectory.look(directory).settings();
    try (Persistence persistence = where.persistence(storage);
        Ledger ledger = Ledger.open(RunDirectory.ledger(directory));
        WorkLoop loop =
            new WorkLoop(persistence, where, ledger, settings, name, storage, port, true)) {
      warmUp(where.repositories(persistence, name), port);
      port.say("READY");
      loop.run();
    }
  }

  /**
   * What is built on first use is built before the first lease is taken: none runs out meanwhile.
   */
  private static void warmUp(Repositories repositories, WorkerPort port) {
    for (int i = 1; !port.isStopping(); i++) {
      try {
        repositories.executions().list(Optional.empty(), 1, Optional.empty());
        return;
      } catch (PersistenceException.Unavailable e) {
        if (i == WARM_UP_TRIES) {
          throw e;
        }
      }
    }
  }

  private static String sabotage(String[] arguments) {
    return arguments.length > 2 ? arguments[2] : "";
  }

  private static void handBack(WorkerPort port, CountDownLatch done) {
    port.stop();
    try {
      if (!done.await(HAND_BACK_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("the order at hand was not handed back in time; it will be taken over");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
