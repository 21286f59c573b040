/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Persistence.Due;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.lease.AcquireResult;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.Wake;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;

/** Works on what is due, as every other node does that has the same store. */
@ApplicationScoped
public class Work {
  private static final String TENANT = "shared-work";
  private static final Duration TTL = Duration.ofSeconds(30);
  private static final int PAGE = 100;
  private static final int STEPS = 10;

  @Inject Persistence persistence;

  private Repositories orders(String tenant) {
    return persistence.as(Caller.of(tenant, "worker", Role.READER, Role.WRITER));
  }

  /** Executions of a tenant; {@link #share} works on those of {@code shared-work}. */
  List<String> create(String tenant, int count) {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      UUID id = UUID.randomUUID();
      orders(tenant)
          .executions()
          .create(NewExecution.of(DefinitionRef.of("order", 1)).withId(id))
          .orThrow();
      ids.add(id.toString());
    }
    return ids;
  }

  /** What one worker came to. */
  private record Done(long steps, long conflicts, long held) {
    Done plus(Done other) {
      return new Done(steps + other.steps, conflicts + other.conflicts, held + other.held);
    }
  }

  /**
   * Takes executions that are due, some steps of each, and gives them back, due now.
   *
   * @return {@code steps conflicts held}: the last is how often somebody else was first
   */
  String share(int threads, Duration time) {
    long end = System.nanoTime() + time.toNanos();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Done>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        running.add(pool.submit(() -> until(end)));
      }
      Done all = new Done(0, 0, 0);
      for (Future<Done> one : running) {
        all = all.plus(one.get());
      }
      return all.steps + " " + all.conflicts + " " + all.held;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    } finally {
      pool.shutdownNow();
    }
  }

  private Done until(long end) {
    Done done = new Done(0, 0, 0);
    Repositories orders = orders(TENANT);
    Persistence.SystemAccess system = persistence.system("find what is due");
    while (System.nanoTime() - end < 0) {
      List<UUID> due =
          system.due(PAGE).stream()
              .filter(one -> one.tenantId().equals(TENANT))
              .map(Due::executionId)
              .toList();
      if (!due.isEmpty()) {
        UUID id = due.get(ThreadLocalRandom.current().nextInt(due.size()));
        AcquireResult acquired = orders.leases().acquire(id, "worker", TTL);
        done =
            done.plus(
                acquired instanceof AcquireResult.Acquired taken
                    ? steps(orders, taken.lease())
                    : new Done(0, 0, 1));
      }
    }
    return done;
  }

  private static Done steps(Repositories orders, Lease lease) {
    long conflicts = 0;
    for (int i = 0; i < STEPS; i++) {
      CommitResult result =
          orders.events().append(lease.executionId(), Append.next(lease), NewEvent.of("Stepped"));
      if (!result.isCommitted()) {
        conflicts++;
      }
    }
    orders.leases().release(lease, Wake.now());
    return new Done(STEPS - conflicts, conflicts, 0);
  }
}
