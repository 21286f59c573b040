/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.conformance.fault.Fault;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.PersistenceException.LostRace;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.UnitOfWork;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.feed.RegisteredCursor;
import io.wovyr.persistence.lease.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How long a commit is tried, and what is tried again. */
public abstract class RetryingContract extends RepositoryContract {
  protected RetryingContract(TestStore.Factory stores) {
    super(stores);
  }

  private UnitOfWork unit() {
    return repositories().unitOfWork();
  }

  @Test
  void transientFailuresAreRetriedWithinTheDeadline() {
    UUID id = newExecution().id();
    node().faults().failNext(Fault.BEFORE, Fault.BEFORE, Fault.BEFORE);

    committed(repositories().events().append(id, Append.signal("s"), event("A")));

    assertThat(history(id)).hasSize(2);
  }

  @Test
  void whenTheStoreStaysAwayNothingIsWrittenAndTheDeadlineHolds() {
    UUID id = newExecution().id();
    node()
        .probe()
        .aroundCommit(
            (store, batches, deadline) -> {
              throw new Unavailable("away", null);
            });
    long begun = System.nanoTime();

    assertThatThrownBy(
            () ->
                unit()
                    .append(id, Append.signal("s"), event("A"))
                    .within(Duration.ofMillis(300))
                    .commit())
        .isInstanceOf(Unavailable.class);

    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
    assertThat(history(id)).hasSize(1);
  }

  @Test
  void aStepWaitsForAnotherOfItsLeaseNoLongerThanItsDeadline() throws Exception {
    UUID id = newExecution().id();
    Lease lease = acquire(id);
    var entered = new java.util.concurrent.CountDownLatch(1);
    var goOn = new java.util.concurrent.CountDownLatch(1);
    node()
        .probe()
        .aroundCommit(
            (store, batches, deadline) -> {
              entered.countDown();
              Together.awaitLatch(goOn);
              return store.commit(batches, deadline);
            });
    var pool = java.util.concurrent.Executors.newSingleThreadExecutor();
    try {
      var slow =
          pool.submit(() -> repositories().events().append(id, Append.next(lease), event("Slow")));
      Together.awaitLatch(entered);

      assertThatThrownBy(
              () ->
                  unit()
                      .append(id, Append.next(lease), event("Waits"))
                      .within(Duration.ofMillis(200))
                      .commit())
          .isInstanceOf(Unavailable.class);

      goOn.countDown();
      committed(Together.result(slow));
      assertThat(types(id)).containsExactly("wovyr.ExecutionCreated", "Slow");
    } finally {
      goOn.countDown();
      pool.shutdownNow();
    }
  }

  @Test
  void retryingReadsAndDecidesAgainUntilItWins() {
    UUID id = newExecution().id();
    move(id, ExecutionStatus.RUNNING, Append.signal("run"));
    AtomicInteger runs = new AtomicInteger();
    Repositories outside = newNode().as(tenant());

    CommitResult result =
        repositories()
            .retrying(
                SOON,
                again -> {
                  WorkflowExecution before = again.executions().find(id).orElseThrow();
                  if (runs.incrementAndGet() < 3) {
                    ExecutionStatus other =
                        before.status() == ExecutionStatus.RUNNING
                            ? ExecutionStatus.WAITING
                            : ExecutionStatus.RUNNING;
                    committed(
                        outside
                            .executions()
                            .transition(
                                before, Transition.to(other), Append.signal("x" + runs.get())));
                  }
                  return again
                      .executions()
                      .transition(
                          before,
                          Transition.to(ExecutionStatus.CANCELLED),
                          Append.signal("cancel"));
                });

    committed(result);
    assertThat(runs.get()).isEqualTo(3);
    assertThat(execution(id).status()).isEqualTo(ExecutionStatus.CANCELLED);
  }

  @Test
  void retryingEndsWithItsBudgetAndTheLastAnswer() {
    UUID id = newExecution().id();
    WorkflowExecution old = execution(id);
    move(id, ExecutionStatus.RUNNING, Append.signal("run"));

    CommitResult result =
        repositories()
            .retrying(
                Duration.ofMillis(200),
                again ->
                    again
                        .executions()
                        .transition(
                            old, Transition.to(ExecutionStatus.CANCELLED), Append.signal("c")));

    conflict(result, Reason.STALE_VERSION);
    assertThatThrownBy(result::orThrow)
        .isInstanceOf(LostRace.class)
        .hasMessageContaining("STALE_VERSION")
        .hasMessageContaining(id.toString());
  }

  @Test
  void manyCountersRacingUnderRetryingLoseNoIncrement() {
    committed(
        repositories()
            .feed()
            .cursors()
            .insert(RegisteredCursor.of("counter", new FeedCursor(1, "0"))));

    Together.run(
        16,
        i -> {
          for (int round = 0; round < 5; round++) {
            committed(
                repositories()
                    .retrying(
                        Duration.ofMinutes(2),
                        again -> {
                          RegisteredCursor before =
                              again.feed().cursors().find("counter").orElseThrow();
                          String next = Long.toString(Long.parseLong(before.position()) + 1);
                          return again
                              .feed()
                              .cursors()
                              .update(before, before.movedTo(new FeedCursor(1, next)));
                        }));
          }
          return Optional.empty();
        });

    RegisteredCursor counter = repositories().feed().cursors().find("counter").orElseThrow();
    assertThat(counter.position()).isEqualTo("80");
    assertThat(counter.header().version()).isEqualTo(81);
  }

  @Test
  void whoeverWaitsForTheStoreStopsWaitingWhenItIsClosed() {
    UUID id = newExecution().id();
    Node closing = newNode();
    Repositories through = closing.as(tenant());
    closing.close();
    long begun = System.nanoTime();

    assertThatThrownBy(() -> through.executions().find(id)).isInstanceOf(Unavailable.class);
    assertThatThrownBy(() -> through.executions().create(NewExecution.of(ORDER)))
        .isInstanceOf(Unavailable.class);
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
  }
}
