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
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Leases over a store with a clock of its own: the store judges what has expired. */
public abstract class StoreClockContract extends RepositoryContract {
  private static final Duration BEFORE_THE_END = TTL.minusSeconds(15);
  private static final Duration PAST_THE_END = Duration.ofSeconds(16);

  protected StoreClockContract(TestStore.Factory stores) {
    super(stores);
  }

  private CommitResult append(Lease lease, String type) {
    return repositories().events().append(lease.executionId(), Append.next(lease), event(type));
  }

  @ParameterizedTest
  @ValueSource(strings = {"append", "transition", "heartbeat", "release"})
  @DisplayName("C080: a writer that was made to wait until past the end is refused by the store")
  void aWriterThatHadToWaitIsRefusedByTheStoresClock(String call) {
    UUID id = newExecution().id();
    Lease lease = running(id);
    ExecutionHead before = head(id);
    node().probe().beforeNextCommit(() -> pass(TTL.plusSeconds(1)));

    switch (call) {
      case "append" -> conflict(append(lease, "Late"), Reason.LEASE_EXPIRED);
      case "transition" ->
          conflict(
              repositories()
                  .executions()
                  .transition(
                      execution(id), Transition.to(ExecutionStatus.COMPLETED), Append.next(lease)),
              Reason.LEASE_EXPIRED);
      case "heartbeat" -> assertThat(repositories().leases().heartbeat(lease)).isFalse();
      default -> assertThat(repositories().leases().release(lease, Wake.now())).isFalse();
    }

    assertThat(head(id)).isEqualTo(before);
    assertThat(lease.isHeld()).isFalse();
  }

  @Test
  void anExpiredLeaseIsTakenAtOnce() {
    UUID id = newExecution().id();
    acquire(id);
    Repositories other = newNode().as(tenant());
    pass(BEFORE_THE_END);
    assertThat(other.leases().acquire(id, "other", TTL)).isInstanceOf(AcquireResult.Held.class);
    pass(PAST_THE_END);

    assertThat(acquire(other, id, "other").takenOver()).isTrue();
  }
}
