/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Persistence.Due;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.lease.AcquireResult;
import io.wovyr.persistence.lease.LeaseKeeper;
import io.wovyr.samples.ordersaga.OrderRunner.Result;
import io.wovyr.samples.ordersaga.OrderRunner.Tools;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a worker does all day: ask what is due, pick one at random so that workers keep apart, take
 * its lease, move it. Nobody tells a worker what to do and no worker knows another. Used on one
 * thread.
 */
final class WorkLoop implements AutoCloseable {
  /** Beside our own orders those of other tenants are due. */
  private static final int DUE_PAGE = 2 * Intake.WINDOW;

  private static final int MAX_DUE_PAGE = 1_000;
  private static final long PAUSE_MILLIS = 15;
  private static final Duration GRACE = Duration.ofSeconds(2);

  private final Persistence.SystemAccess system;
  private final Tools tools;
  private final LeaseKeeper keeper;
  private final String tenant;
  private final String worker;
  private final Duration leaseTtl;
  private final Random random;
  private final Scheduling scheduling;
  private final Set<UUID> setAside = new HashSet<>();
  private int duePage = DUE_PAGE;

  WorkLoop(
      Persistence persistence,
      StoreSettings store,
      Ledger ledger,
      RunSettings settings,
      String worker,
      @Nullable StrikingStorage storage,
      WorkEvents events,
      boolean waits) {
    Repositories repositories = store.repositories(persistence, worker);
    this.tenant = store.tenant();
    this.system = persistence.system("order-saga worker: find what is due");
    this.worker = worker;
    this.leaseTtl = settings.leaseTtl();
    this.random = new Random(settings.seed() ^ worker.hashCode());
    this.keeper = repositories.leases().keeper(leaseTtl.dividedBy(3));
    this.tools =
        new Tools(
            repositories,
            worker,
            ledger,
            new SeededFailures(settings.seed()),
            keeper,
            storage,
            events,
            waits ? Workflow.RETRIES : Workflow.RETRIES.withDelays(Duration.ZERO, Duration.ZERO));
    this.scheduling = new Scheduling(system, repositories, tenant);
  }

  /** Works on what is due until told to stop. */
  void run() {
    while (!tools.events().isStopping()) {
      fireSchedules();
      if (pick().map(this::workOn).isEmpty()) {
        tools.events().pause(PAUSE_MILLIS);
      }
    }
  }

  private void fireSchedules() {
    try {
      scheduling.look();
    } catch (PersistenceException.StorageFailure e) {
      // What is due stays due.
      System.err.println(worker + ": " + e);
    }
  }

  /** Moves these orders to their ends, one after the other, when there is nobody else. */
  void runAll(List<UUID> orders) {
    for (UUID order : orders) {
      Result result = workOn(order);
      while (result != Result.ENDED) {
        if (setAside.contains(order)) {
          throw new CannotGoOn("execution " + order + " cannot go on, undisturbed as it is", null);
        }
        if (result != Result.HANDED_BACK) {
          tools.events().pause(PAUSE_MILLIS);
        }
        result = workOn(order);
      }
    }
  }

  /** Moves one order; null when somebody else has it. */
  private @Nullable Result workOn(UUID id) {
    try {
      AcquireResult acquired = tools.repositories().leases().acquire(id, worker, leaseTtl);
      return acquired instanceof AcquireResult.Acquired yes ? move(yes) : null;
    } catch (PersistenceException.StorageFailure e) {
      // Nothing is known to be wrong with the order: whoever looks at it next loads it again.
      System.err.println(worker + ": " + e);
      return null;
    }
  }

  private Result move(AcquireResult.Acquired acquired) {
    try {
      return OrderRunner.run(tools, acquired.lease());
    } catch (PersistenceException.BrokenHistory | PersistenceException.IllegalTransition e) {
      UUID id = acquired.lease().executionId();
      setAside.add(id);
      tools.events().setAside(id, String.valueOf(e.getMessage()));
      return Result.LOST;
    }
  }

  /** One of our orders that are due; empty when there is none to be seen. */
  private Optional<UUID> pick() {
    try {
      List<Due> due = system.due(duePage);
      List<UUID> ours =
          due.stream()
              .filter(one -> one.tenantId().equals(tenant))
              .map(Due::executionId)
              .filter(id -> !setAside.contains(id))
              .toList();
      if (ours.isEmpty()) {
        // Behind a full page of others ours may be waiting.
        duePage = due.size() == duePage ? Math.min(MAX_DUE_PAGE, 2 * duePage) : DUE_PAGE;
        return Optional.empty();
      }
      return Optional.of(ours.get(random.nextInt(ours.size())));
    } catch (PersistenceException.StorageFailure e) {
      System.err.println(worker + ": " + e);
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    keeper.shutdown(GRACE);
  }
}
