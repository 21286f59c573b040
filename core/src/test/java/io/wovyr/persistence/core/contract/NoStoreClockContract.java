/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.lease.AcquireResult;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.Wake;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Leases over a store without a clock: who wants to take over has to see the holder stand still.
 */
public abstract class NoStoreClockContract extends RepositoryContract {
  private static final Duration BEFORE_THE_END = TTL.minusSeconds(15);
  private static final Duration PAST_THE_END = Duration.ofSeconds(16);

  protected NoStoreClockContract(TestStore.Factory stores) {
    super(stores);
  }

  private CommitResult append(Lease lease, String type) {
    return repositories().events().append(lease.executionId(), Append.next(lease), event(type));
  }

  @Test
  void theHolderMustBeSeenStandingStillForOneTtl() {
    UUID id = newExecution().id();
    Lease lease = acquire(id);
    Repositories other = newNode().as(tenant());
    pass(TTL.multipliedBy(10));

    assertThat(other.leases().acquire(id, "other", TTL))
        .as("the first look only begins the watch")
        .isInstanceOf(AcquireResult.Held.class);
    pass(BEFORE_THE_END);
    assertThat(other.leases().acquire(id, "other", TTL)).isInstanceOf(AcquireResult.Held.class);
    pass(PAST_THE_END);

    Lease taken = acquire(other, id, "other");
    assertThat(taken.takenOver()).isTrue();
    assertThat(lease.isHeld()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"heartbeat", "step"})
  void everyRenewalBeginsTheWatchAnew(String renewal) {
    UUID id = newExecution().id();
    Lease lease = running(id);
    Repositories other = newNode().as(tenant());
    for (int i = 0; i < 5; i++) {
      assertThat(other.leases().acquire(id, "other", TTL)).isInstanceOf(AcquireResult.Held.class);
      pass(TTL.dividedBy(2));
      if (renewal.equals("heartbeat")) {
        assertThat(repositories().leases().heartbeat(lease)).isTrue();
      } else {
        committed(append(lease, "Step"));
      }
      pass(TTL.dividedBy(4));
    }
    assertThat(lease.isHeld()).isTrue();
  }

  @Test
  void aSignalDoesNotKeepADeadHolderAlive() {
    UUID id = newExecution().id();
    acquire(id);
    Repositories other = newNode().as(tenant());
    assertThat(other.leases().acquire(id, "other", TTL)).isInstanceOf(AcquireResult.Held.class);
    pass(BEFORE_THE_END);
    committed(other.events().append(id, Append.signal("s"), event("Signal")));
    pass(PAST_THE_END);

    assertThat(acquire(other, id, "other").takenOver()).isTrue();
  }

  @Test
  void anotherHolderIsWatchedFromTheBeginning() {
    UUID id = newExecution().id();
    Lease first = acquire(id);
    Repositories other = newNode().as(tenant());
    assertThat(other.leases().acquire(id, "other", TTL)).isInstanceOf(AcquireResult.Held.class);
    pass(BEFORE_THE_END);
    assertThat(repositories().leases().release(first, Wake.now())).isTrue();
    acquire(id);
    pass(PAST_THE_END);

    assertThat(other.leases().acquire(id, "other", TTL)).isInstanceOf(AcquireResult.Held.class);
  }
}
