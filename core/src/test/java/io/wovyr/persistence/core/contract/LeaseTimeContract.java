/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.execution.ExecutionHead;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.lease.AcquireResult;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.Wake;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Leases and time: what expires, by whose clock, and who may take over when. */
public abstract class LeaseTimeContract extends RepositoryContract {
  private static final Duration BEFORE_THE_END = TTL.minusSeconds(15);
  private static final Duration PAST_THE_END = Duration.ofSeconds(16);

  protected LeaseTimeContract(TestStore.Factory stores) {
    super(stores);
  }

  private CommitResult append(Lease lease, String type) {
    return repositories().events().append(lease.executionId(), Append.next(lease), event(type));
  }

  @Test
  @DisplayName("C080: before its end a lease has authority, after it none, though it is free")
  void expiredMeansNoAuthorityEvenIfFree() {
    UUID id = newExecution().id();
    Lease lease = running(id);
    pass(BEFORE_THE_END);
    committed(append(lease, "InTime"));
    pass(BEFORE_THE_END);
    assertThat(lease.isHeld()).as("a step renews").isTrue();
    pass(PAST_THE_END);
    ExecutionHead before = head(id);

    conflict(append(lease, "Late"), Reason.LEASE_EXPIRED);
    conflict(
        repositories()
            .executions()
            .transition(
                execution(id), Transition.to(ExecutionStatus.COMPLETED), Append.next(lease)),
        Reason.LEASE_EXPIRED);
    assertThat(repositories().leases().heartbeat(lease)).as("no renewal after the end").isFalse();
    assertThat(repositories().leases().release(lease, Wake.now())).isFalse();

    assertThat(head(id)).isEqualTo(before);
    assertThat(types(id)).endsWith("InTime");
    assertThat(lease.isHeld()).isFalse();
    assertThat(lease.remaining()).isZero();
  }

  @Test
  @DisplayName("C080: who runs out acquires again and gets a new token")
  void whoRunsOutAcquiresAgain() {
    UUID id = newExecution().id();
    Lease lease = running(id);
    repositories().leases().acquire(id, "worker-1", TTL);
    pass(TTL.plusSeconds(1));
    conflict(append(lease, "Late"), Reason.LEASE_EXPIRED);

    Lease again = takeOver(repositories(), id, "worker-1");

    assertThat(again.token()).isGreaterThan(lease.token());
    committed(append(again, "InTime"));
    conflict(append(lease, "Late"), Reason.LEASE_LOST);
  }

  @Test
  @DisplayName(
      "C080: a writer that was made to wait is refused by the token once another took over")
  void aWriterThatHadToWaitIsRefusedAfterATakeover() {
    UUID id = newExecution().id();
    Lease lease = running(id);
    Repositories other = newNode().as(tenant());
    other.leases().acquire(id, "worker-2", TTL);
    node()
        .probe()
        .beforeNextCommit(
            () -> {
              pass(TTL.plusSeconds(1));
              Lease fresh = takeOver(other, id, "worker-2");
              committed(other.events().append(id, Append.next(fresh), event("Fresh")));
            });

    CommitResult late = append(lease, "Late");

    assertThat(late).isInstanceOf(CommitResult.Conflict.class);
    assertThat(types(id)).endsWith("Fresh").doesNotContain("Late");
    assertThat(lease.isHeld()).isFalse();
  }

  @Test
  @DisplayName("C080: the store is given no longer to write than the lease still has")
  void theStoreGetsNoLongerThanTheLeaseHas() {
    UUID id = newExecution().id();
    Repositories mine = repositories();
    Lease lease =
        ((AcquireResult.Acquired) mine.leases().acquire(id, "worker-1", Duration.ofSeconds(5)))
            .lease();
    Duration[] given = new Duration[1];
    node()
        .probe()
        .aroundCommit(
            (store, batches, deadline) -> {
              given[0] = deadline.remaining();
              return store.commit(batches, deadline);
            });

    committed(append(lease, "Step"));
    assertThat(given[0]).isLessThanOrEqualTo(Duration.ofMillis(4_750));
    assertThat(mine.leases().heartbeat(lease)).isTrue();
    assertThat(given[0]).isLessThanOrEqualTo(Duration.ofMillis(4_750));
  }

  @Test
  @DisplayName("C081: a node whose clock runs ahead does not steal a lease that is kept")
  void aClockAheadStealsNothing() {
    UUID id = newExecution().id();
    Lease lease = running(id);
    Repositories ahead = newNode(Duration.ofMinutes(10), Map.of()).as(tenant());

    for (int i = 0; i < 6; i++) {
      assertThat(ahead.leases().acquire(id, "thief", TTL)).isInstanceOf(AcquireResult.Held.class);
      pass(TTL.dividedBy(2));
      assertThat(repositories().leases().heartbeat(lease)).isTrue();
    }

    committed(append(lease, "Mine"));
  }

  @ParameterizedTest
  @ValueSource(longs = {-600, 600, 3_600})
  @DisplayName("C081: an owner's wrong clock neither shortens nor lengthens its lease")
  void anOwnersWrongClockChangesNothing(long secondsWrong) {
    Repositories owner = newNode(Duration.ofSeconds(secondsWrong), Map.of()).as(tenant());
    UUID id = newExecution().id();
    Lease lease = acquire(owner, id, "owner");
    Repositories other = newNode().as(tenant());

    assertThat(other.leases().acquire(id, "other", TTL)).isInstanceOf(AcquireResult.Held.class);
    pass(BEFORE_THE_END);
    assertThat(other.leases().acquire(id, "other", TTL)).isInstanceOf(AcquireResult.Held.class);
    assertThat(owner.leases().heartbeat(lease)).isTrue();
    assertThat(other.leases().acquire(id, "other", TTL)).isInstanceOf(AcquireResult.Held.class);
    pass(BEFORE_THE_END);
    assertThat(other.leases().acquire(id, "other", TTL)).isInstanceOf(AcquireResult.Held.class);
    pass(PAST_THE_END);

    Lease taken = acquire(other, id, "other");

    assertThat(taken.takenOver()).isTrue();
    assertThat(lease.isHeld()).isFalse();
    assertThat(owner.leases().heartbeat(lease)).isFalse();
  }

  @Test
  @DisplayName("C081: an owner's clock that jumps back while it holds changes nothing")
  void anOwnersClockThatJumpsBackChangesNothing() {
    java.util.concurrent.atomic.AtomicReference<Duration> wrong =
        new java.util.concurrent.atomic.AtomicReference<>(Duration.ZERO);
    Node jumping = newNode(() -> time().now().plus(wrong.get()));
    Repositories owner = jumping.as(tenant());
    UUID id = newExecution().id();
    Lease lease = acquire(owner, id, "owner");
    Repositories other = newNode().as(tenant());
    other.leases().acquire(id, "other", TTL);
    wrong.set(Duration.ofHours(-1));

    assertThat(owner.leases().heartbeat(lease)).isTrue();
    committed(owner.events().append(id, Append.next(lease), event("Step")));
    assertThat(other.leases().acquire(id, "other", TTL)).isInstanceOf(AcquireResult.Held.class);
    pass(TTL.plusSeconds(1));

    assertThat(acquire(other, id, "other").takenOver()).isTrue();
    assertThat(owner.leases().heartbeat(lease)).isFalse();
  }

  @Test
  void theOwnersMarginEndsBeforeTheLeaseDoes() {
    UUID id = newExecution().id();
    Lease lease = acquire(id);

    assertThat(lease.remaining()).isLessThanOrEqualTo(TTL.minusMillis(250));
    pass(TTL.minusMillis(200));
    assertThat(lease.isHeld()).isFalse();
    assertThat(lease.remaining()).isZero();
  }

  @Test
  void aLeaseThatRanOutNeverComesBack() {
    UUID id = newExecution().id();
    Lease lease = running(id);
    node().probe().beforeNextCommit(() -> assertThatItRanOutOnTheWay(lease));

    CommitResult result = append(lease, "Step");

    assertThat(result.isCommitted()).isEqualTo(!node().hasStoreClock());
    assertThat(lease.isHeld()).isFalse();
    assertThat(lease.isHeld()).isFalse();
    assertThat(append(lease, "Next").isCommitted()).isFalse();
  }

  private void assertThatItRanOutOnTheWay(Lease lease) {
    pass(TTL.plusSeconds(1));
    assertThat(lease.isHeld()).isFalse();
  }
}
