/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Persistence.Due;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
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
  /** The tenant all orders belong to. */
  static final String TENANT = "orders";

  private static final int DUE_PAGE = Intake.WINDOW;
  private static final long PAUSE_MILLIS = 15;
  private static final Duration GRACE = Duration.ofSeconds(2);

  private final Persistence.SystemAccess system;
  private final Tools tools;
  private final LeaseKeeper keeper;
  private final String worker;
  private final Duration leaseTtl;
  private final Random random;
  private final Set<UUID> setAside = new HashSet<>();

  WorkLoop(
      Persistence persistence,
      Ledger ledger,
      RunSettings settings,
      String worker,
      @Nullable StrikingStorage storage,
      WorkEvents events,
      boolean waits) {
    Repositories repositories = repositories(persistence, worker);
    this.system = persistence.system("order-saga worker: find what is due");
    this.worker = worker;
    this.leaseTtl = settings.leaseTtl();
    this.random = new Random(settings.seed() ^ worker.hashCode());
    this.keeper = repositories.leases().keeper(leaseTtl.dividedBy(3));
    this.tools =
        new Tools(
            repositories,
            ledger,
            new SeededFailures(settings.seed()),
            keeper,
            storage,
            events,
            waits);
  }

  /** The orders' repositories, for somebody of this name. */
  static Repositories repositories(Persistence persistence, String actor) {
    return persistence.as(Caller.of(TENANT, actor, Role.READER, Role.WRITER));
  }

  /** Works until told to stop, or until so many orders ended. */
  void run(long orders) {
    long ended = 0;
    while (ended < orders && !tools.events().isStopping()) {
      Result result = workOnce();
      if (result == Result.ENDED) {
        ended++;
      } else if (result == null) {
        tools.events().pause(PAUSE_MILLIS);
      }
    }
  }

  /** Moves one due order; null when there was none to be had. */
  private @Nullable Result workOnce() {
    try {
      Optional<Due> due = pick();
      if (due.isEmpty()) {
        return null;
      }
      UUID id = due.get().executionId();
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

  private Optional<Due> pick() {
    List<Due> due =
        system.due(DUE_PAGE).stream()
            .filter(one -> one.tenantId().equals(TENANT) && !setAside.contains(one.executionId()))
            .toList();
    return due.isEmpty() ? Optional.empty() : Optional.of(due.get(random.nextInt(due.size())));
  }

  @Override
  public void close() {
    keeper.shutdown(GRACE);
  }
}
