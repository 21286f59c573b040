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
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
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
      return BackgroundOfContainerTest.persistence(threads);
    }

    @Override
    public void close() {
      end.countDown();
      threads.shutdownNow();
    }
  }

  /** Its component was stopped: it says so by an exception of its own. */
  private static final class StoppedContainer extends ScheduledThreadPoolExecutor
      implements AutoCloseable {
    StoppedContainer() {
      super(1);
    }

    @Override
    public void execute(Runnable work) {
      throw new IllegalStateException("the component was stopped");
    }

    @Override
    public void close() {
      shutdownNow();
    }
  }

  private static Persistence persistence(ScheduledExecutorService container) {
    return WovyrPersistence.builder()
        .provider(new MemoryStorageProvider())
        .setting("wovyr.sealing.provider", "none")
        .background(container)
        .build();
  }

  private static Lease lease(Repositories orders, Duration ttl) {
    UUID id = UUID.randomUUID();
    orders.executions().create(NewExecution.of(DefinitionRef.of("order", 1)).withId(id)).orThrow();
    return ((Acquired) orders.leases().acquire(id, "worker", ttl)).lease();
  }

  @Test
  void leasesAreKeptWhileSomebodyElseHoldsAllThreads() throws Exception {
    try (HeldContainer container = new HeldContainer();
        Persistence persistence = container.persistence()) {
      isRenewedAgainAndAgain(persistence);
    }
  }

  @Test
  void leasesAreKeptAndLossesToldThoughTheContainersComponentWasStopped() throws Exception {
    try (StoppedContainer container = new StoppedContainer();
        Persistence persistence = persistence(container)) {
      isRenewedAgainAndAgain(persistence);
      isToldThatItsLeaseIsOver(persistence);
    }
  }

  private static void isRenewedAgainAndAgain(Persistence persistence) {
    Repositories orders = persistence.as(Caller.of("acme", "worker", Role.WRITER));
    try (LeaseKeeper keeper = orders.leases().keeper(Duration.ofMillis(100))) {
      Lease lease = lease(orders, Duration.ofSeconds(60));
      keeper.keep(lease, () -> {});
      for (int times = 1; times <= 5; times++) {
        awaitRenewal(lease, times);
      }
    }
  }

  /** Without a renewal less and less time is left. */
  private static void awaitRenewal(Lease lease, int times) {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    Duration before = lease.remaining();
    Duration now = before;
    while (now.compareTo(before) <= 0) {
      assertThat(System.nanoTime() - until).as("waited for renewal %d", times).isNegative();
      before = now;
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
      now = lease.remaining();
    }
  }

  @Test
  void aBodyIsToldThatItsLeaseIsOverWhileSomebodyElseHoldsAllThreads() throws Exception {
    try (HeldContainer container = new HeldContainer();
        Persistence persistence = container.persistence()) {
      isToldThatItsLeaseIsOver(persistence);
    }
  }

  private static void isToldThatItsLeaseIsOver(Persistence persistence)
      throws InterruptedException {
    Repositories orders = persistence.as(Caller.of("acme", "worker", Role.WRITER));
    try (LeaseKeeper keeper = orders.leases().keeper(Duration.ofMillis(400))) {
      Lease lease = lease(orders, Duration.ofSeconds(60));
      CountDownLatch told = new CountDownLatch(1);
      keeper.keep(lease, told::countDown);
      orders.leases().release(lease, Wake.now());

      assertThat(told.await(60, TimeUnit.SECONDS)).as("told").isTrue();
    }
  }

  @Test
  void aCallbackThatWaitsForAThreadOfTheContainersIsStillRunWhenTheKeeperEnds() throws Exception {
    try (HeldContainer container = new HeldContainer()) {
      Background background = new Background(Optional.of(container.threads));
      Background.Timer clock = background.clock("clock");
      Background.Worker callbacks = background.callbacks("callback", clock, Duration.ofHours(1));
      CountDownLatch told = new CountDownLatch(1);
      callbacks.executor().execute(told::countDown);
      clock.close();
      callbacks.close();

      assertThat(told.await(60, TimeUnit.SECONDS)).as("told").isTrue();
    }
  }
}
