/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.conformance.memory.MemoryStorageProvider;
import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.lease.AcquireResult.Acquired;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.LeaseKeeper;
import io.wovyr.persistence.lease.Wake;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** What is left behind in an executor that goes on when we are gone. */
class BackgroundOfContainerTest {
  @Test
  void nothingWaitsThereThatHasOurClasses() {
    ScheduledThreadPoolExecutor containers = new ScheduledThreadPoolExecutor(4);
    try {
      Persistence persistence =
          WovyrPersistence.builder()
              .provider(new MemoryStorageProvider())
              .setting("wovyr.sealing.provider", "none")
              .setting("wovyr.housekeeping.every", "PT1H")
              .setting("wovyr.metrics.sample-every", "PT1H")
              .background(containers)
              .build();
      assertThat(containers.getQueue()).as("housekeeping at least").isNotEmpty();
      persistence.close();

      assertThat(containers.getQueue())
          .as("let go of, and not only far away")
          .allMatch(task -> ((Future<?>) task).isCancelled());
    } finally {
      containers.shutdownNow();
    }
  }

  /** A container with one thread, which somebody else has. */
  private static final class HeldContainer implements AutoCloseable {
    private final ScheduledThreadPoolExecutor threads = new ScheduledThreadPoolExecutor(1);
    private final CountDownLatch end = new CountDownLatch(1);

    HeldContainer() throws InterruptedException {
      CountDownLatch held = new CountDownLatch(1);
      threads.execute(
          () -> {
            held.countDown();
            try {
              end.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
      held.await();
    }

    Persistence persistence() {
      return WovyrPersistence.builder()
          .provider(new MemoryStorageProvider())
          .setting("wovyr.sealing.provider", "none")
          .background(threads)
          .build();
    }

    @Override
    public void close() {
      end.countDown();
      threads.shutdownNow();
    }
  }

  private static Lease lease(Repositories orders, Duration ttl) {
    UUID id = UUID.randomUUID();
    orders.executions().create(NewExecution.of(DefinitionRef.of("order", 1)).withId(id)).orThrow();
    return ((Acquired) orders.leases().acquire(id, "worker", ttl)).lease();
  }

  @Test
  void leasesAreKeptWhileSomebodyElseHoldsAllThreads() throws Exception {
    Duration ttl = Duration.ofSeconds(2);
    try (HeldContainer container = new HeldContainer();
        Persistence persistence = container.persistence()) {
      Repositories orders = persistence.as(Caller.of("acme", "worker", Role.WRITER));
      try (LeaseKeeper keeper = orders.leases().keeper(Duration.ofMillis(400))) {
        Lease lease = lease(orders, ttl);
        keeper.keep(lease, () -> {});
        long until = System.nanoTime() + ttl.multipliedBy(2).toNanos();
        while (System.nanoTime() - until < 0) {
          assertThat(lease.isHeld()).as("held, with %s left", lease.remaining()).isTrue();
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
      }
    }
  }

  @Test
  void aBodyIsToldThatItsLeaseIsOverWhileSomebodyElseHoldsAllThreads() throws Exception {
    try (HeldContainer container = new HeldContainer();
        Persistence persistence = container.persistence()) {
      Repositories orders = persistence.as(Caller.of("acme", "worker", Role.WRITER));
      try (LeaseKeeper keeper = orders.leases().keeper(Duration.ofMillis(400))) {
        Lease lease = lease(orders, Duration.ofSeconds(2));
        CountDownLatch told = new CountDownLatch(1);
        keeper.keep(lease, told::countDown);
        orders.leases().release(lease, Wake.now());

        assertThat(told.await(30, TimeUnit.SECONDS)).as("told").isTrue();
      }
    }
  }
}
