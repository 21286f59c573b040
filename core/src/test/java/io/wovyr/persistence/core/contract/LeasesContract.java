/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.Page;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
    refused(mine.unitOfWork().renew(old).commit());
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
}
