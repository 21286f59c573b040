/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.conformance.fault.Fault;
import io.wovyr.persistence.CommitReference;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Resolution;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.lease.AcquireResult;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Storage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lease changes and steps whose answer is lost. */
public abstract class UnknownLeasesContract extends RepositoryContract {
  protected UnknownLeasesContract(TestStore.Factory stores) {
    super(stores);
  }

  private int count(UUID id, String type) {
    return (int) types(id).stream().filter(type::equals).count();
  }

  private void landAll() {
    while (node().faults().land()) {
      // A try that was in flight arrives late.
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"TIMEOUT_AFTER"},
      mode = EnumSource.Mode.EXCLUDE)
  void leasesGetThroughEveryFault(Fault fault) {
    UUID id = newExecution().id();
    node().faults().failNext(fault);
    Lease lease = acquire(id);
    long renewals = head(id).renewals();
    node().faults().failNext(fault);
    assertThat(repositories().leases().heartbeat(lease)).isTrue();
    landAll();
    assertThat(head(id).renewals()).isEqualTo(renewals + 1);
    assertThat(head(id).fencingToken()).isEqualTo(lease.token());
    committed(repositories().events().append(id, Append.next(lease), event("E")));
    node().faults().failNext(fault);
    assertThat(repositories().leases().release(lease, Wake.onSignal())).isTrue();
    landAll();
    assertThat(head(id).owner()).isEmpty();
    assertThat(head(id).dueAt()).isEmpty();
    node().faults().failNext(fault);
    AcquireResult assigned = repositories().leases().assign(id, "worker-2", TTL);
    landAll();
    assertThat(assigned).isInstanceOf(AcquireResult.Held.class);
    assertThat(head(id).owner()).contains("worker-2");
    assertThat(head(id).fencingToken()).isEqualTo(lease.token() + 1);
  }

  @Test
  void aHeartbeatInFlightIsNotTakenForOneThatCounted() {
    UUID id = newExecution().id();
    Lease lease = running(id);
    long renewals = head(id).renewals();
    Repositories outside = newNode().as(tenant());
    node().faults().failNext(Fault.IN_FLIGHT);
    // A signal moves the version to where the heartbeat would have moved it.
    node()
        .probe()
        .beforeNextCommit(
            () -> committed(outside.events().append(id, Append.signal("s"), event("S"))));

    assertThat(repositories().leases().heartbeat(lease)).isTrue();

    assertThat(head(id).renewals()).isEqualTo(renewals + 1);
    landAll();
    assertThat(head(id).renewals()).isEqualTo(renewals + 1);
    assertThat(lease.head()).isEqualTo(head(id));
  }

  @Test
  void anAcquisitionWhoseAnswerIsLateIsFoundAndCountsFromWhenItWasSent() {
    UUID id = newExecution().id();
    Node hasty = newNode(Duration.ZERO, Map.of("wovyr.commit.deadline", "PT1.5S"));
    hasty.faults().failNext(Fault.TIMEOUT_AFTER);

    Lease lease = acquire(hasty.as(tenant()), id, "worker-1");

    assertThat(head(id).fencingToken()).isEqualTo(lease.token());
    assertThat(lease.remaining()).isLessThan(TTL.minusMillis(1_600));
    committed(hasty.as(tenant()).events().append(id, Append.next(lease), event("E")));
  }

  @Test
  void anAcquisitionNobodyKnowsOfHoldsNoLongerThanItsTtl() {
    UUID id = newExecution().id();
    Node hasty = newNode(Duration.ZERO, Map.of("wovyr.commit.deadline", "PT1S"));
    hasty.faults().failNext(Fault.IN_FLIGHT);
    hasty
        .probe()
        .aroundCommit(
            (store, batches, deadline) -> {
              throw new Unavailable("away", null);
            });
    assertThatThrownBy(() -> hasty.as(tenant()).leases().acquire(id, "worker-1", TTL))
        .isInstanceOf(OutcomeUnknown.class);
    hasty.probe().aroundCommit(Storage::commit);
    assertThat(hasty.faults().land()).isTrue();
    assertThat(head(id).owner()).contains("worker-1");

    assertThat(repositories().leases().acquire(id, "worker-2", TTL))
        .isInstanceOf(AcquireResult.Held.class);
    pass(TTL.plusSeconds(1));
    assertThat(acquire(repositories(), id, "worker-2").takenOver()).isTrue();
  }

  @Test
  void aHeartbeatWhoseAnswerIsLostUntilTheEndSaysItIsOver() {
    UUID id = newExecution().id();
    AcquireResult result = repositories().leases().acquire(id, "worker-1", Duration.ofMillis(300));
    Lease lease = ((AcquireResult.Acquired) result).lease();
    node().faults().failNext(Fault.TIMEOUT_AFTER);

    assertThat(repositories().leases().heartbeat(lease)).isFalse();

    assertThat(lease.isHeld()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"LOST", "AFTER", "IN_FLIGHT"})
  void pastTheEndOfTheLeaseAnUnknownStepIsSettledNotSentAgain(Fault fault) {
    boolean written = fault == Fault.AFTER;
    int[] writes = {0};
    Node owner =
        newNode(
            () -> {
              if (writes[0]++ != 2) {
                return Optional.empty();
              }
              if (!written) {
                pass(TTL.plusSeconds(1));
              }
              return Optional.of(fault);
            });
    UUID id = newExecution().id();
    Repositories mine = owner.as(tenant());
    Lease lease = acquire(mine, id, "worker-1");
    committed(mine.events().append(id, Append.next(lease), event("Before")));
    List<CommitReference> references = new ArrayList<>();
    owner
        .probe()
        .aroundCommit(
            (store, batches, deadline) -> {
              List<CommitOutcome> outcomes = store.commit(batches, deadline);
              if (written) {
                owner.probe().aroundCommit(Storage::commit);
                pass(TTL.plusSeconds(1));
              }
              return outcomes;
            });

    CommitResult result =
        mine.unitOfWork()
            .append(id, Append.next(lease), event("E"))
            .beforeSend(references::add)
            .commit();
    while (owner.faults().land()) {
      // The try in flight arrives late.
    }

    assertThat(references).hasSize(1);
    assertThat(count(id, "E")).isEqualTo(written ? 1 : 0);
    assertThat(lease.isHeld()).isFalse();
    if (written) {
      committed(result);
    } else {
      conflict(result, Reason.LEASE_EXPIRED);
    }
    assertThat(mine.outcome(references.get(0)))
        .isEqualTo(written ? Resolution.APPLIED : Resolution.NEVER_APPLIED);
  }
}
