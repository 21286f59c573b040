/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.Persistence.Due;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.execution.ExecutionHead;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.lease.AcquireResult;
import io.wovyr.persistence.lease.AcquireResult.Why;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.lease.WorkerLease;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Taking executions, giving them back, taking them over. */
public abstract class LeasesContract extends RepositoryContract {
  protected LeasesContract(TestStore.Factory stores) {
    super(stores);
  }

  @Test
  void whoAcquiresHoldsItAndNobodyElse() {
    UUID id = newExecution().id();

    Lease lease = acquire(id);

    assertThat(lease.executionId()).isEqualTo(id);
    assertThat(lease.worker()).isEqualTo("worker-1");
    assertThat(lease.isHeld()).isTrue();
    assertThat(lease.takenOver()).isFalse();
    assertThat(lease.remaining()).isPositive().isLessThan(TTL);
    assertThat(lease.head()).isEqualTo(head(id));
    assertThat(newNode().as(tenant()).leases().acquire(id, "worker-2", TTL))
        .isEqualTo(new AcquireResult.Held(id, "worker-1", lease.token()));
    assertThat(repositories().leases().acquire(id, "worker-1", TTL))
        .as("the same name proves nothing")
        .isInstanceOf(AcquireResult.Held.class);
    WorkerLease seen = repositories().leases().find(id).orElseThrow();
    assertThat(seen.owner()).isEqualTo("worker-1");
    assertThat(seen.token()).isEqualTo(lease.token());
    assertThat(seen.ttl()).isEqualTo(TTL);
    assertThat(seen.leaseId()).isPresent();
  }

  @Test
  void ofManyWhoAcquireAtOnceOneHoldsIt() {
    List<Repositories> processes =
        List.of(repositories(), newNode().as(tenant()), newNode().as(tenant()));
    for (int round = 0; round < 20; round++) {
      UUID id = newExecution().id();

      List<AcquireResult> results =
          Together.run(16, i -> processes.get(i % 3).leases().acquire(id, "worker-" + i, TTL));

      assertThat(results).filteredOn(AcquireResult.Acquired.class::isInstance).hasSize(1);
      assertThat(results).filteredOn(AcquireResult.Held.class::isInstance).hasSize(15);
    }
  }

  @Test
  void tokensGrowWithEveryAcquisition() {
    UUID id = newExecution().id();
    long former = 0;
    for (int i = 0; i < 3; i++) {
      Lease lease = acquire(id);
      assertThat(lease.token()).isGreaterThan(former).isGreaterThan(1L << 40);
      former = lease.token();
      assertThat(repositories().leases().release(lease, Wake.now())).isTrue();
    }
    Lease lease = acquire(id);
    pass(TTL.plusSeconds(1));
    assertThat(takeOver(newNode().as(tenant()), id, "worker-2").token())
        .isGreaterThan(lease.token());
  }

  @Test
  void givenBackItIsFreeForTheNext() {
    UUID id = newExecution().id();
    Lease lease = acquire(id);

    assertThat(repositories().leases().release(lease, Wake.now())).isTrue();

    assertThat(lease.isHeld()).isFalse();
    assertThat(lease.remaining()).isZero();
    assertThat(repositories().leases().find(id)).isEmpty();
    assertThat(repositories().leases().release(lease, Wake.now())).isFalse();
    assertThat(repositories().leases().heartbeat(lease)).isFalse();
    conflict(
        repositories().events().append(id, Append.next(lease), event("Late")), Reason.LEASE_LOST);
    Lease next = acquire(newNode().as(tenant()), id, "worker-2");
    assertThat(next.takenOver()).isFalse();
    assertThat(head(id).acquisitionsWithoutProgress()).isZero();
  }

  @Test
  void whenToLookNextIsSaidWithTheRelease() {
    UUID id = newExecution().id();
    Instant timer = time().now().plusSeconds(300);

    assertThat(repositories().leases().release(acquire(id), Wake.at(timer))).isTrue();
    assertThat(head(id).dueAt()).contains(timer.truncatedTo(ChronoUnit.MICROS));
    assertThat(isDue(id)).isFalse();
    pass(Duration.ofSeconds(301));
    assertThat(isDue(id)).isTrue();

    assertThat(repositories().leases().release(acquire(id), Wake.onSignal())).isTrue();
    assertThat(head(id).dueAt()).isEmpty();
    assertThat(isDue(id)).isFalse();

    assertThat(repositories().leases().release(acquire(id), Wake.now())).isTrue();
    assertThat(isDue(id)).isTrue();
  }

  /** Ids of this test's tenant that are due, soonest first. */
  private List<UUID> due() {
    return node().persistence().system("contract").due(1_000).stream()
        .filter(due -> due.tenantId().equals(tenant()))
        .map(Due::executionId)
        .toList();
  }

  private boolean isDue(UUID id) {
    return due().contains(id);
  }

  @Test
  void dueIsTheSoonestFirstAndHidesWhatNobodyShouldLookAt() {
    List<UUID> ids = new ArrayList<>();
    Instant base = time().now();
    for (int i = 0; i < 5; i++) {
      UUID id = newExecution().id();
      assertThat(repositories().leases().release(acquire(id), Wake.at(base.minusSeconds(60 + i))))
          .isTrue();
      ids.add(0, id);
    }
    UUID owned = newExecution().id();
    acquire(owned);
    UUID paused = newExecution().id();
    move(paused, ExecutionStatus.PAUSED, Append.signal("pause"));
    UUID closed = newExecution().id();
    move(closed, ExecutionStatus.CANCELLED, Append.signal("cancel"));
    UUID later = newExecution().id();
    assertThat(repositories().leases().release(acquire(later), Wake.at(base.plusSeconds(3_600))))
        .isTrue();

    assertThat(due()).isEqualTo(ids);

    pass(TTL.multipliedBy(2).plusSeconds(1));
    assertThat(due()).as("an owner that is gone shows up").contains(owned);
    assertThat(due()).doesNotContain(paused, closed, later);
  }

  @Test
  void dueAnswersNoMoreThanAskedFor() {
    for (int i = 0; i < 7; i++) {
      newExecution();
    }

    assertThat(node().persistence().system("contract").due(3)).hasSize(3);
    assertThat(due()).hasSize(7);
  }

  @Test
  void aRenewalMovesWhenItIsDueAtMostOncePerTtl() {
    UUID id = newExecution().id();
    Lease lease = acquire(id);
    Instant due = head(id).dueAt().orElseThrow();
    Instant expiry = head(id).leaseExpiresAt().orElseThrow();
    assertThat(due).isAfterOrEqualTo(expiry);
    int moved = 0;

    for (int i = 0; i < 20; i++) {
      pass(TTL.dividedBy(10));
      assertThat(repositories().leases().heartbeat(lease)).isTrue();
      assertThat(head(id).leaseExpiresAt().orElseThrow()).isAfter(expiry);
      expiry = head(id).leaseExpiresAt().orElseThrow();
      Instant now = head(id).dueAt().orElseThrow();
      assertThat(now).isAfterOrEqualTo(expiry);
      moved += now.equals(due) ? 0 : 1;
      due = now;
    }

    assertThat(moved).isLessThanOrEqualTo(3);
  }

  @Test
  @DisplayName("C079: an old acquisition of the same worker name has no rights left")
  void anOldAcquisitionOfTheSameNameHasNoRights() {
    UUID id = newExecution().id();
    Lease old = running(id);
    pass(TTL.plusSeconds(1));
    Lease fresh = takeOver(newNode().as(tenant()), id, "worker-1");
    ExecutionHead before = head(id);
    WorkflowExecution execution = execution(id);

    assertEveryCallIsRefused(old, execution);

    assertThat(head(id)).isEqualTo(before);
    assertThat(fresh.token()).isGreaterThan(old.token());
    assertThat(old.isHeld()).isFalse();
  }

  private void assertEveryCallIsRefused(Lease old, WorkflowExecution execution) {
    UUID id = execution.id();
    Repositories mine = repositories();
    assertThat(mine.leases().heartbeat(old)).isFalse();
    assertThat(mine.leases().release(old, Wake.now())).isFalse();
    for (Append mode : List.of(Append.next(old), Append.after(old, head(id).lastSequence()))) {
      refused(mine.events().append(id, mode, event("Late")));
      refused(
          mine.executions().transition(execution, Transition.to(ExecutionStatus.COMPLETED), mode));
    }
    refused(mine.unitOfWork().release(old, Wake.now()).commit());
  }

  private static void refused(CommitResult result) {
    assertThat(result).isInstanceOf(CommitResult.Conflict.class);
    assertThat(((CommitResult.Conflict) result).failures())
        .allMatch(
            failure ->
                failure.reason() == Reason.LEASE_LOST || failure.reason() == Reason.LEASE_EXPIRED);
  }

  @Test
  @DisplayName("C079: an owner that still trusts its clock is stopped by the token alone")
  void aFastTakeoverIsStoppedByTheTokenAlone() {
    for (String call : List.of("next", "after", "transition", "heartbeat", "release", "unit")) {
      UUID id = newExecution().id();
      Lease old = running(id);
      // Freed from outside and taken by another: the old owner's own clock says it holds it.
      Repositories other = newNode().as(tenant());
      seizedBySomebodyElse(id, other);
      ExecutionHead before = head(id);
      WorkflowExecution execution = execution(id);
      assertThat(old.isHeld()).isTrue();

      switch (call) {
        case "next" ->
            conflict(
                repositories().events().append(id, Append.next(old), event("Late")),
                Reason.LEASE_LOST);
        case "after" ->
            conflict(
                repositories()
                    .events()
                    .append(id, Append.after(old, before.lastSequence()), event("Late")),
                Reason.LEASE_LOST);
        case "transition" ->
            conflict(
                repositories()
                    .executions()
                    .transition(
                        execution,
                        Transition.to(ExecutionStatus.COMPLETED),
                        Append.after(old, before.lastSequence())),
                Reason.LEASE_LOST);
        case "heartbeat" -> assertThat(repositories().leases().heartbeat(old)).isFalse();
        case "release" -> assertThat(repositories().leases().release(old, Wake.now())).isFalse();
        default ->
            conflict(
                repositories().unitOfWork().release(old, Wake.now()).commit(), Reason.LEASE_LOST);
      }

      assertThat(head(id)).as(call).isEqualTo(before);
      assertThat(old.isHeld()).as(call).isFalse();
    }
  }

  /** As if the lease had run out and a new owner had done a step: past the repositories. */
  private void seizedBySomebodyElse(UUID id, Repositories other) {
    seed(
        id,
        row ->
            row.with("owner", null)
                .with("leaseId", null)
                .with("leaseExpiresAt", null)
                .with("leaseTtl", null));
    Lease fresh = acquire(other, id, "worker-2");
    committed(other.events().append(id, Append.next(fresh), event("Fresh")));
  }

  private void seed(
      UUID id, java.util.function.UnaryOperator<io.wovyr.persistence.storage.spi.Row> change) {
    var head =
        rawRow(
            io.wovyr.persistence.storage.spi.Key.of(
                io.wovyr.persistence.storage.spi.RecordTypes.HEAD, id));
    var touched = change.apply(head).with(head.header().next(head.header().updatedAt(), "seed"));
    rawCommit(new io.wovyr.persistence.storage.spi.Mutation.Update(head, touched));
  }

  @Test
  @DisplayName("C041: a node that gets its execution back goes on from the store, not from memory")
  void whoComesBackGoesOnFromTheStore() {
    UUID id = newExecution().id();
    Node nodeA = newNode();
    Node nodeB = newNode();
    Lease first = acquire(nodeA.as(tenant()), id, "a");
    append(nodeA, id, first, 99);
    WorkflowExecution seenByA = nodeA.as(tenant()).executions().find(id).orElseThrow();
    assertThat(nodeA.as(tenant()).leases().release(first, Wake.now())).isTrue();
    Lease second = acquire(nodeB.as(tenant()), id, "b");
    append(nodeB, id, second, 50);
    committed(
        nodeB
            .as(tenant())
            .executions()
            .transition(seenByA, Transition.to(ExecutionStatus.RUNNING), Append.next(second)));
    assertThat(nodeB.as(tenant()).leases().release(second, Wake.now())).isTrue();

    Lease third = acquire(nodeA.as(tenant()), id, "a");

    assertThat(third.head().lastSequence()).isEqualTo(151);
    assertThat(nodeA.as(tenant()).executions().find(id).orElseThrow().status())
        .isEqualTo(ExecutionStatus.RUNNING);
    assertThat(nodeA.as(tenant()).executions().state(id))
        .extracting(state -> state.hash())
        .isEqualTo(nodeB.as(tenant()).executions().state(id).hash());
    conflict(
        nodeA.as(tenant()).events().append(id, Append.after(third, 100), event("Old")),
        Reason.WRONG_SEQUENCE);
    committed(nodeA.as(tenant()).events().append(id, Append.after(third, 151), event("New")));
  }

  private void append(Node through, UUID id, Lease lease, int count) {
    for (int done = 0; done < count; ) {
      List<io.wovyr.persistence.event.NewEvent> some = new ArrayList<>();
      for (int i = 0; i < 10 && done < count; i++, done++) {
        some.add(put("k" + done, "v"));
      }
      committed(through.as(tenant()).events().append(id, Append.next(lease), some));
    }
  }

  @Test
  @DisplayName("C085: of two recoverers with the same list the second runs nothing")
  void aSecondRecovererRunsNothing() {
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      UUID id = newExecution().id();
      acquire(id);
      ids.add(id);
    }
    Repositories first = newNode().as(tenant());
    Repositories second = newNode().as(tenant());
    // Without a store clock a first look begins the watch.
    ids.forEach(id -> first.leases().acquire(id, "first", TTL));
    ids.forEach(id -> second.leases().acquire(id, "second", TTL));
    pass(TTL.multipliedBy(2).plusSeconds(1));
    assertThat(due()).containsExactlyInAnyOrderElementsOf(ids);
    List<UUID> list = due();

    List<AcquireResult> ofFirst =
        list.stream().map(id -> first.leases().acquire(id, "first", TTL)).toList();
    List<AcquireResult> ofSecond =
        list.stream().map(id -> second.leases().acquire(id, "second", TTL)).toList();

    assertThat(ofFirst).hasSize(10).allMatch(AcquireResult.Acquired.class::isInstance);
    assertThat(ofSecond).hasSize(10).allMatch(AcquireResult.Held.class::isInstance);
    assertThat(ofFirst).allMatch(result -> ((AcquireResult.Acquired) result).lease().takenOver());
  }

  @Test
  @DisplayName("C085: of 16 recoverers racing for a dead worker's executions each goes to one")
  void racingRecoverersShareTheList() {
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      UUID id = newExecution().id();
      acquire(id);
      ids.add(id);
    }
    List<Repositories> processes = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      processes.add(newNode().as(tenant()));
    }
    for (Repositories process : processes) {
      ids.forEach(id -> process.leases().acquire(id, "watch", TTL));
    }
    pass(TTL.plusSeconds(1));

    List<Integer> won =
        Together.run(
            16,
            i -> {
              int count = 0;
              for (UUID id : ids) {
                if (processes.get(i % 4).leases().acquire(id, "recoverer-" + i, TTL)
                    instanceof AcquireResult.Acquired) {
                  count++;
                }
              }
              return count;
            });

    assertThat(won.stream().mapToInt(Integer::intValue).sum()).isEqualTo(10);
  }

  @Test
  @DisplayName("C086: whoever acquires after the end sees the end and cannot go back")
  void whatWasReadBeforeTheAcquisitionIsVoid() {
    UUID id = newExecution().id();
    move(id, ExecutionStatus.RUNNING, Append.signal("run"));
    WorkflowExecution early = execution(id);
    Repositories other = newNode().as(tenant());
    Lease lease = acquire(other, id, "worker-2");
    committed(
        other
            .executions()
            .transition(early, Transition.to(ExecutionStatus.COMPLETED), Append.next(lease)));

    assertThat(repositories().leases().acquire(id, "worker-1", TTL))
        .isEqualTo(new AcquireResult.NotAvailable(id, Why.CLOSED));
    conflict(
        repositories()
            .executions()
            .transition(early, Transition.to(ExecutionStatus.WAITING), Append.signal("wait")),
        Reason.CLOSED);
    assertThat(execution(id).status()).isEqualTo(ExecutionStatus.COMPLETED);
  }

  @Test
  @DisplayName("C086: 30 threads over 200 executions never lead one back from its end")
  void noExecutionComesBackFromItsEnd() {
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      ids.add(newExecution().id());
    }
    List<Node> processes = List.of(node(), newNode(), newNode());

    List<Integer> finished =
        Together.run(
            30,
            thread -> {
              Repositories mine = processes.get(thread % 3).as(tenant());
              Random random = new Random(thread);
              int done = 0;
              for (int i = 0; i < 40; i++) {
                UUID id = ids.get(random.nextInt(ids.size()));
                // Read before the acquisition on purpose: it must not be of any use.
                WorkflowExecution before = mine.executions().find(id).orElseThrow();
                if (!(mine.leases().acquire(id, "w" + thread, TTL)
                    instanceof AcquireResult.Acquired acquired)) {
                  continue;
                }
                WorkflowExecution record =
                    random.nextBoolean() ? before : mine.executions().find(id).orElseThrow();
                done += advance(mine, record, acquired.lease()) ? 1 : 0;
                mine.leases().release(acquired.lease(), Wake.now());
              }
              return done;
            });

    int ends = 0;
    for (UUID id : ids) {
      List<String> statuses =
          history(id).stream()
              .filter(event -> event.type().equals("wovyr.StatusChanged"))
              .map(event -> repositories().events().value(event, 0).orElseThrow().content().utf8())
              .toList();
      if (statuses.contains("COMPLETED")) {
        ends++;
        assertThat(statuses).containsExactly("RUNNING", "COMPLETED");
        assertThat(execution(id).status()).isEqualTo(ExecutionStatus.COMPLETED);
      }
    }
    assertThat(finished.stream().mapToInt(Integer::intValue).sum()).isEqualTo(ends);
    assertThat(ends).isPositive();
  }

  /** One step on; true when it was the last. */
  private static boolean advance(Repositories mine, WorkflowExecution record, Lease lease) {
    ExecutionStatus to =
        record.status() == ExecutionStatus.CREATED
            ? ExecutionStatus.RUNNING
            : ExecutionStatus.COMPLETED;
    try {
      return mine.executions()
              .transition(record, Transition.to(to), Append.next(lease))
              .isCommitted()
          && to == ExecutionStatus.COMPLETED;
    } catch (io.wovyr.persistence.PersistenceException.IllegalTransition e) {
      return false;
    }
  }

  @Test
  @DisplayName("C104: of a completion and a timeout at the same moment one counts")
  void aCompletionAndATimeoutNeverBothCount() {
    Repositories sweeper = newNode().as(tenant());
    for (int round = 0; round < 30; round++) {
      UUID id = newExecution().id();
      Lease lease = running(id);
      WorkflowExecution before = execution(id);

      List<CommitResult> results =
          Together.run(
              2,
              i ->
                  i == 0
                      ? repositories()
                          .executions()
                          .transition(
                              before, Transition.to(ExecutionStatus.COMPLETED), Append.next(lease))
                      : sweeper
                          .executions()
                          .transition(
                              before,
                              Transition.to(ExecutionStatus.WAITING),
                              Append.signal("timeout")));

      assertThat(results).filteredOn(CommitResult::isCommitted).hasSize(1);
      boolean completed = results.get(0).isCommitted();
      assertThat(execution(id).status())
          .isEqualTo(completed ? ExecutionStatus.COMPLETED : ExecutionStatus.WAITING);
      assertThat(history(id)).hasSize(3);
      if (!completed) {
        conflict(results.get(0), Reason.STALE_VERSION);
        assertThat(lease.isHeld()).isTrue();
      }
    }
  }

  @Test
  void anAssignedExecutionGoesToItsWorker() {
    UUID id = newExecution().id();
    Repositories scheduler = newNode().as(tenant());

    AcquireResult assigned = scheduler.leases().assign(id, "worker-1", TTL);

    assertThat(assigned).isInstanceOf(AcquireResult.Held.class);
    assertThat(((AcquireResult.Held) assigned).owner()).isEqualTo("worker-1");
    assertThat(repositories().leases().find(id).orElseThrow().leaseId()).isEmpty();
    assertThat(repositories().leases().acquire(id, "worker-2", TTL))
        .isInstanceOf(AcquireResult.Held.class);
    assertThat(scheduler.leases().assign(id, "worker-2", TTL))
        .extracting(result -> ((AcquireResult.Held) result).owner())
        .isEqualTo("worker-1");
    Lease lease = acquire(repositories(), id, "worker-1");
    assertThat(lease.takenOver()).isFalse();
    assertThat(lease.token()).isGreaterThan(((AcquireResult.Held) assigned).token());
    assertThat(repositories().leases().acquire(id, "worker-1", TTL))
        .as("only the first acquisition under the name")
        .isInstanceOf(AcquireResult.Held.class);
  }

  @Test
  void anAssignmentNobodyTookUpRunsOut() {
    UUID id = newExecution().id();
    assertThat(repositories().leases().assign(id, "gone", TTL))
        .isInstanceOf(AcquireResult.Held.class);
    assertThat(isDue(id)).isFalse();
    Repositories other = newNode().as(tenant());
    other.leases().acquire(id, "worker-2", TTL);
    pass(TTL.multipliedBy(2).plusSeconds(1));

    assertThat(isDue(id)).isTrue();
    assertThat(takeOver(other, id, "worker-2").takenOver()).isTrue();
  }

  @Test
  void assigningIsSteppedOverBySignals() {
    UUID id = newExecution().id();
    Repositories outside = newNode().as(tenant());
    node()
        .probe()
        .beforeNextCommit(
            () -> committed(outside.events().append(id, Append.signal("s"), event("S"))));

    assertThat(repositories().leases().assign(id, "worker-1", TTL))
        .extracting(result -> ((AcquireResult.Held) result).owner())
        .isEqualTo("worker-1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"closed", "paused", "unknown"})
  void whatNobodyMayHaveIsNotAvailable(String state) {
    UUID id = state.equals("unknown") ? UUID.randomUUID() : newExecution().id();
    Why why =
        switch (state) {
          case "closed" -> Why.CLOSED;
          case "paused" -> Why.PAUSED;
          default -> Why.NOT_FOUND;
        };
    if (why == Why.CLOSED) {
      move(id, ExecutionStatus.CANCELLED, Append.signal("c"));
    } else if (why == Why.PAUSED) {
      move(id, ExecutionStatus.PAUSED, Append.signal("p"));
    }

    AcquireResult expected = new AcquireResult.NotAvailable(id, why);
    assertThat(repositories().leases().acquire(id, "worker-1", TTL)).isEqualTo(expected);
    assertThat(repositories().leases().assign(id, "worker-1", TTL)).isEqualTo(expected);
  }

  @Test
  @DisplayName("C083: takeovers without progress end in parking, not in an endless loop")
  void takeoversWithoutProgressAreParked() {
    UUID id = newExecution().id();
    Node strict = newNode(Duration.ZERO, Map.of("wovyr.lease.park-after", "2"));
    Repositories worker = strict.as(tenant());
    acquire(worker, id, "w0");
    Lease last = null;
    for (int takeover = 1; takeover <= 2; takeover++) {
      worker.leases().acquire(id, "look", TTL);
      pass(TTL.plusSeconds(1));
      last = acquire(worker, id, "w" + takeover);
      assertThat(last.takenOver()).isTrue();
      assertThat(head(id).acquisitionsWithoutProgress()).isEqualTo(takeover);
      assertThat(worker.leases().acquire(id, "look", TTL))
          .as("it is held, not parked")
          .isInstanceOf(AcquireResult.Held.class);
    }
    pass(TTL.plusSeconds(1));

    assertThat(worker.leases().acquire(id, "w3", TTL))
        .isEqualTo(new AcquireResult.NotAvailable(id, Why.PARKED));

    assertThat(head(id).parked()).isTrue();
    assertThat(head(id).owner()).isEmpty();
    assertThat(head(id).dueAt()).isEmpty();
    assertThat(isDue(id)).isFalse();
    assertThat(worker.leases().heartbeat(last)).isFalse();
    committed(worker.events().append(id, Append.signal("s"), event("Hello")));
    assertThat(isDue(id)).as("a signal does not wake it").isFalse();
    assertThat(worker.leases().assign(id, "w3", TTL))
        .isEqualTo(new AcquireResult.NotAvailable(id, Why.PARKED));

    committed(worker.leases().unpark(id));
    assertThat(isDue(id)).isTrue();
    assertThat(acquire(worker, id, "w4").takenOver()).isFalse();
    assertThat(head(id).acquisitionsWithoutProgress()).isZero();
  }

  @Test
  void progressIsCountedAnew() {
    UUID id = newExecution().id();
    acquire(id);
    Repositories other = newNode().as(tenant());
    other.leases().acquire(id, "look", TTL);
    pass(TTL.plusSeconds(1));
    Lease second = acquire(other, id, "w2");
    assertThat(head(id).acquisitionsWithoutProgress()).isEqualTo(1);

    committed(other.events().append(id, Append.next(second), event("Progress")));

    assertThat(head(id).acquisitionsWithoutProgress()).isZero();
  }

  @Test
  void unparkingWhatIsNotParkedChangesNothing() {
    UUID id = newExecution().id();
    acquire(id);
    ExecutionHead before = head(id);

    assertThat(only(committed(repositories().leases().unpark(id)), ExecutionHead.class))
        .isEqualTo(before);

    assertThat(head(id)).isEqualTo(before);
  }

  @Test
  void listsTheHeldOnes() {
    List<UUID> held = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      UUID id = newExecution().id();
      if (i % 2 == 0) {
        acquire(repositories(), id, "worker-" + (9 - i));
        held.add(id);
      }
    }

    List<UUID> listed = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      Page<WorkerLease> page = repositories().leases().list(2, next);
      page.items().forEach(lease -> listed.add(lease.executionId()));
      next = page.next();
    } while (next.isPresent());

    assertThat(listed).containsExactlyInAnyOrderElementsOf(held);
    assertThat(listed).as("by worker").containsExactly(held.get(2), held.get(1), held.get(0));
  }

  @Test
  void pausedFromOutsideTheOwnerMayFinishItsStepAndNobodyElseGetsIt() {
    UUID id = newExecution().id();
    Lease lease = running(id);
    move(id, ExecutionStatus.PAUSED, Append.signal("pause"));

    committed(repositories().events().append(id, Append.next(lease), event("StepDone")));
    assertThat(repositories().leases().heartbeat(lease)).isTrue();
    assertThat(head(id).dueAt()).isEmpty();
    assertThat(repositories().leases().release(lease, Wake.now())).isTrue();
    assertThat(head(id).dueAt()).isEmpty();

    move(id, ExecutionStatus.RUNNING, Append.signal("resume"));
    assertThat(isDue(id)).isTrue();
  }
}
