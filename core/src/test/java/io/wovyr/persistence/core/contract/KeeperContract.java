/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.execution.ExecutionHead;
import io.wovyr.persistence.lease.AcquireResult;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.LeaseKeeper;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.storage.spi.Storage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Leases kept in the background, by heartbeats in real time. Where a lease is to stay, time is let
 * go by between two heartbeats: so a machine that stands still for a while loses none.
 */
public abstract class KeeperContract extends RepositoryContract {
  /** For what is to run out by itself. */
  private static final Duration SHORT = Duration.ofMillis(1_500);

  private static final Duration STRIDE = TTL.dividedBy(2);
  private static final Duration RENEW = Duration.ofMillis(250);

  private final List<LeaseKeeper> keepers = new ArrayList<>();
  private final ExecutorService bodies = Executors.newCachedThreadPool();

  protected KeeperContract(TestStore.Factory stores) {
    super(stores);
  }

  @AfterEach
  void stopAll() {
    keepers.forEach(LeaseKeeper::close);
    bodies.shutdownNow();
  }

  private LeaseKeeper keeper(Repositories through) {
    LeaseKeeper keeper = through.leases().keeper(RENEW);
    keepers.add(keeper);
    return keeper;
  }

  /** So much time goes by, a stride at a time, and after each of them a heartbeat comes. */
  private void passKept(UUID id, Duration duration) {
    Duration left = duration;
    while (left.compareTo(Duration.ZERO) > 0) {
      long renewals = head(id).renewals();
      pass(STRIDE);
      left = left.minus(STRIDE);
      Together.await("a heartbeat", SOON, () -> head(id).renewals() > renewals);
    }
  }

  private static Lease acquireShort(Repositories through, UUID id, String worker) {
    AcquireResult result = through.leases().acquire(id, worker, SHORT);
    assertThat(result).isInstanceOf(AcquireResult.Acquired.class);
    return ((AcquireResult.Acquired) result).lease();
  }

  /** Another worker that wants the execution all the time, until it has it or is told to stop. */
  private Future<Lease> contend(Repositories through, UUID id, AtomicBoolean stop) {
    return bodies.submit(
        () -> {
          while (!stop.get()) {
            if (through.leases().acquire(id, "contender", SHORT)
                instanceof AcquireResult.Acquired acquired) {
              return acquired.lease();
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
          }
          return null;
        });
  }

  @Test
  @DisplayName("C083: a body longer than its lease runs once while heartbeats go on")
  void aLongBodyKeepsItsLease() {
    UUID id = newExecution().id();
    Lease lease = acquire(id);
    AtomicBoolean stop = new AtomicBoolean();
    Future<Lease> contender = contend(newNode().as(tenant()), id, stop);
    AtomicInteger lost = new AtomicInteger();

    LeaseKeeper.Kept kept = keeper(repositories()).keep(lease, lost::incrementAndGet);
    passKept(id, TTL.multipliedBy(4));

    assertThat(lease.isHeld()).isTrue();
    assertThat(lost.get()).isZero();
    committed(repositories().events().append(id, Append.next(lease), event("Done")));
    stop.set(true);
    assertThat(Together.result(contender)).isNull();
    kept.close();
    assertThat(lease.isHeld()).as("closing does not give it back").isTrue();
    assertThat(head(id).owner()).contains("worker-1");
  }

  @Test
  @DisplayName("C083: heartbeats that do not get through end the body, and its result is refused")
  void blockedHeartbeatsEndTheBody() {
    UUID id = newExecution().id();
    AcquireResult acquired = repositories().leases().acquire(id, "worker-1", SHORT.multipliedBy(2));
    Lease lease = ((AcquireResult.Acquired) acquired).lease();
    committed(repositories().events().append(id, Append.next(lease), event("Attempt")));
    CountDownLatch lost = new CountDownLatch(1);
    CountDownLatch storeIsBack = new CountDownLatch(1);
    keeper(repositories()).keep(lease, lost::countDown);
    node()
        .probe()
        .aroundCommit(
            (store, batches, deadline) -> {
              Together.awaitLatch(storeIsBack);
              return store.commit(batches, deadline);
            });
    AtomicBoolean stop = new AtomicBoolean();
    Future<Lease> contender = contend(newNode().as(tenant()), id, stop);

    Together.awaitLatch(lost);

    assertThat(lease.isHeld()).isFalse();
    Lease next = Together.result(contender);
    assertThat(next.takenOver()).isTrue();
    assertThat(head(id).acquisitionsWithoutProgress()).isEqualTo(1);
    ExecutionHead before = head(id);
    node().probe().aroundCommit(Storage::commit);
    storeIsBack.countDown();
    CommitResult late = repositories().events().append(id, Append.next(lease), event("Late"));
    assertThat(late).isInstanceOf(CommitResult.Conflict.class);
    assertThat(repositories().leases().heartbeat(lease)).isFalse();
    assertThat(head(id)).isEqualTo(before);
  }

  @Test
  @DisplayName("C083: however many heartbeats hang, every body hears that its lease is over")
  void everyBodyHearsItThoughTheStoreHangs() {
    int count = 8;
    CountDownLatch lost = new CountDownLatch(count);
    CountDownLatch storeIsBack = new CountDownLatch(1);
    LeaseKeeper keeper = keeper(repositories());
    for (int i = 0; i < count; i++) {
      UUID id = newExecution().id();
      keeper.keep(acquireShort(repositories(), id, "worker-1"), lost::countDown);
    }
    node()
        .probe()
        .aroundCommit(
            (store, batches, deadline) -> {
              Together.awaitLatch(storeIsBack);
              return store.commit(batches, deadline);
            });

    Together.awaitLatch(lost);
    storeIsBack.countDown();
  }

  @Test
  void aHeartbeatThatFailsIsTriedAgain() {
    UUID id = newExecution().id();
    Lease lease = acquire(id);
    AtomicInteger failures = new AtomicInteger();
    AtomicInteger lost = new AtomicInteger();
    node()
        .probe()
        .aroundCommit(
            (store, batches, deadline) -> {
              if (failures.incrementAndGet() % 2 == 1) {
                throw failures.get() < 5
                    ? new Unavailable("away", null)
                    : new IllegalStateException("a mistake of the driver");
              }
              return store.commit(batches, deadline);
            });

    keeper(repositories()).keep(lease, lost::incrementAndGet);

    for (int times = 0; times < 5; times++) {
      awaitTwoMore(failures);
      pass(TTL.dividedBy(4));
    }
    awaitTwoMore(failures);
    assertThat(lease.isHeld()).isTrue();
    assertThat(lost.get()).isZero();
  }

  /** Counted from now: what was done before renewed for the time that passed before. */
  private static void awaitTwoMore(AtomicInteger tries) {
    int enough = tries.get() + 2;
    Together.await("two more tries", SOON, () -> tries.get() >= enough);
  }

  @Test
  void overtakenTheBodyHearsItOnceThoughItsCallbackThrows() {
    UUID id = newExecution().id();
    Lease lease = acquireShort(repositories(), id, "worker-1");
    AtomicInteger lost = new AtomicInteger();
    LeaseKeeper keeper = keeper(repositories());
    keeper.keep(
        lease,
        () -> {
          lost.incrementAndGet();
          throw new IllegalStateException("the body does not stop");
        });
    move(id, io.wovyr.persistence.execution.ExecutionStatus.CANCELLED, Append.signal("cancel"));

    Together.await("the body hears it", SOON, () -> lost.get() == 1);
    assertThat(keeper.shutdown(SOON)).isTrue();
    assertThat(lost.get()).isEqualTo(1);
  }

  @Test
  @DisplayName("C082: stopping waits for the body and keeps its lease until it has ended")
  void stoppingWaitsForTheBody() {
    UUID id = newExecution().id();
    Lease lease = acquire(id);
    LeaseKeeper keeper = keeper(repositories());
    AtomicInteger lost = new AtomicInteger();
    LeaseKeeper.Kept kept = keeper.keep(lease, lost::incrementAndGet);
    AtomicBoolean stop = new AtomicBoolean();
    Future<Lease> contender = contend(newNode().as(tenant()), id, stop);
    CountDownLatch stopping = new CountDownLatch(1);
    Future<Boolean> shutdown =
        bodies.submit(
            () -> {
              stopping.countDown();
              return keeper.shutdown(SOON);
            });
    Together.awaitLatch(stopping);

    passKept(id, TTL.multipliedBy(3));
    assertThat(shutdown.isDone()).isFalse();
    assertThat(contender.isDone()).as("nobody else runs it meanwhile").isFalse();
    assertThat(lease.isHeld()).isTrue();
    UUID another = newExecution().id();
    Lease more = acquireShort(repositories(), another, "worker-1");
    assertThatThrownBy(() -> keeper.keep(more, () -> {})).isInstanceOf(IllegalStateException.class);
    committed(repositories().events().append(id, Append.next(lease), event("Done")));
    kept.close();

    assertThat(Together.result(shutdown)).isTrue();
    assertThat(lost.get()).isZero();
    stop.set(true);
    Together.result(contender);
  }

  @Test
  @DisplayName("C082: a body that does not end in time is cancelled, then its lease is free")
  void aBodyThatDoesNotEndIsCancelledThenFreed() {
    UUID id = newExecution().id();
    Lease lease = acquire(id);
    List<String> order = new java.util.concurrent.CopyOnWriteArrayList<>();
    LeaseKeeper keeper = keeper(repositories());
    keeper.keep(
        lease, () -> order.add("cancelled while owned by " + head(id).owner().orElse("nobody")));

    assertThat(keeper.shutdown(Duration.ofMillis(150))).isFalse();

    assertThat(order).containsExactly("cancelled while owned by worker-1");
    assertThat(head(id).owner()).isEmpty();
    assertThat(head(id).dueAt()).isPresent();
    assertThat(lease.isHeld()).isFalse();
    assertThat(acquireShort(newNode().as(tenant()), id, "worker-2").takenOver()).isFalse();
    assertThat(repositories().events().append(id, Append.next(lease), event("Late")).isCommitted())
        .isFalse();
  }

  @Test
  void closingThePersistenceLetsItsBodiesEndAndTakesNothingNew() {
    UUID id = newExecution().id();
    UUID another = newExecution().id();
    Node node = newNode();
    Repositories there = node.as(tenant());
    Lease lease = acquire(there, id, "worker-1");
    AtomicInteger lost = new AtomicInteger();
    LeaseKeeper.Kept kept = keeper(there).keep(lease, lost::incrementAndGet);

    Future<Boolean> closed =
        bodies.submit(
            () -> {
              node.close();
              return true;
            });
    Together.await("no more leases are taken", SOON, () -> isRefused(there, another));
    assertThat(closed.isDone()).isFalse();
    committed(there.events().append(id, Append.next(lease), event("Done")));
    assertThat(there.leases().release(lease, Wake.now())).isTrue();
    kept.close();

    assertThat(Together.result(closed)).isTrue();
    assertThat(lost.get()).isZero();
    assertThat(acquireShort(repositories(), id, "worker-2").takenOver()).isFalse();
  }

  private static boolean isRefused(Repositories there, UUID id) {
    try {
      if (there.leases().acquire(id, "worker-1", SHORT)
          instanceof AcquireResult.Acquired acquired) {
        there.leases().release(acquired.lease(), Wake.now());
      }
      return false;
    } catch (Unavailable e) {
      assertThat(e).hasMessageContaining("being closed");
      assertThatThrownBy(() -> there.leases().assign(id, "worker-1", SHORT))
          .isInstanceOf(Unavailable.class);
      assertThatThrownBy(() -> there.leases().acquireName("name", "worker-1", SHORT))
          .isInstanceOf(Unavailable.class);
      return true;
    }
  }

  @Test
  void closingThePersistenceCancelsABodyThatDoesNotEndAndFreesItsLease() {
    UUID id = newExecution().id();
    Node node = newNode(Duration.ZERO, Map.of("wovyr.shutdown.grace", "PT0.15S"));
    Lease lease = acquire(node.as(tenant()), id, "worker-1");
    AtomicInteger lost = new AtomicInteger();
    keeper(node.as(tenant())).keep(lease, lost::incrementAndGet);

    node.close();

    assertThat(lost.get()).isEqualTo(1);
    assertThat(head(id).owner()).isEmpty();
    assertThat(head(id).dueAt()).isPresent();
    assertThat(acquireShort(repositories(), id, "worker-2").takenOver()).isFalse();
  }

  @Test
  void stoppingTwiceDoesNothingMore() {
    LeaseKeeper keeper = keeper(repositories());
    assertThat(keeper.shutdown(Duration.ZERO)).isTrue();
    assertThat(keeper.shutdown(Duration.ZERO)).isTrue();
    keeper.close();
  }

  @Test
  void badIntervalsAreRefused() {
    UUID id = newExecution().id();
    Lease lease = acquireShort(repositories(), id, "worker-1");

    assertThatThrownBy(() -> repositories().leases().keeper(Duration.ZERO))
        .isInstanceOf(InvalidInput.class);
    LeaseKeeper slow = repositories().leases().keeper(SHORT);
    keepers.add(slow);
    assertThatThrownBy(() -> slow.keep(lease, () -> {})).isInstanceOf(InvalidInput.class);
  }

  @Test
  void aStepRenewsByItself() {
    UUID id = newExecution().id();
    Lease lease = acquire(id);
    long renewals = head(id).renewals();
    for (int step = 0; step < 5; step++) {
      pass(STRIDE);
      committed(repositories().events().append(id, Append.next(lease), event("Step")));
    }

    assertThat(lease.isHeld()).isTrue();
    assertThat(head(id).renewals()).as("one for each step").isEqualTo(renewals + 5);
  }
}
