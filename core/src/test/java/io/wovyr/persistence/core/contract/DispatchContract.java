/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.execution.ExecutionHead;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.lease.AcquireResult;
import io.wovyr.persistence.lease.AcquireResult.Why;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.Wake;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who gets an execution next: what is due, assigned, parked or held by a person. */
public abstract class DispatchContract extends RepositoryContract {
  protected DispatchContract(TestStore.Factory stores) {
    super(stores);
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
