/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.samples.ordersaga.Evidence.Expected;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The same orders and the same seed, run by one worker in this process, in a store of its own, with
 * nobody killed or stalled: what everything should come to. It moves a few orders at a time, each
 * on one thread from its beginning to its end, and does not wait between attempts, since waiting
 * leaves no trace in the state.
 */
final class UndisturbedRun {
  private static final int PAGE = 200;
  private static final int THREADS = 2;

  private UndisturbedRun() {}

  /**
   * Runs it.
   *
   * @param store without an order of this tenant
   * @param directory for its ledger
   */
  static Map<UUID, Expected> run(
      StoreSettings store, Path directory, List<Order> orders, RunSettings settings) {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (Persistence persistence = store.persistence(store.open());
        Ledger ledger = Ledger.openScratch(RunDirectory.ledger(directory))) {
      Workflow.store(store.administration(persistence));
      List<Future<?>> parts = new ArrayList<>();
      int size = (orders.size() + THREADS - 1) / THREADS;
      for (int i = 0; i < orders.size(); i += size) {
        List<Order> part = orders.subList(i, Math.min(orders.size(), i + size));
        parts.add(threads.submit(() -> move(persistence, store, ledger, part, settings)));
      }
      for (Future<?> part : parts) {
        part.get();
      }
      return expected(store.repositories(persistence, "undisturbed-run"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CannotGoOn("the undisturbed run was interrupted", e);
    } catch (ExecutionException e) {
      throw new CannotGoOn("the undisturbed run failed: " + e.getCause(), e);
    } finally {
      threads.shutdownNow();
    }
  }

  private static void move(
      Persistence persistence,
      StoreSettings store,
      Ledger ledger,
      List<Order> orders,
      RunSettings settings) {
    WorkEvents nothing = new WorkEvents() {};
    try (WorkLoop loop =
        new WorkLoop(persistence, store, ledger, settings, "only-worker", null, nothing, false)) {
      Repositories repositories = store.repositories(persistence, "undisturbed-run");
      Intake.createAll(repositories, orders, loop::runAll);
    }
  }

  private static Map<UUID, Expected> expected(Repositories orders) {
    EvidenceReader reader = new EvidenceReader(orders);
    Map<UUID, Expected> all = new HashMap<>();
    Optional<String> next = Optional.empty();
    do {
      Page<WorkflowExecution> page = orders.executions().list(Optional.empty(), PAGE, next);
      for (WorkflowExecution execution : page.items()) {
        all.put(
            execution.id(),
            new Expected(
                execution.workflowId(),
                execution.status(),
                reader.contentHash(execution.id()),
                reader.facts(execution.id()).summary()));
      }
      next = page.next();
    } while (next.isPresent());
    return all;
  }
}
