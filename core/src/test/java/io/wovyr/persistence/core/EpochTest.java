/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.conformance.fault.Fault;
import io.wovyr.conformance.fault.FaultyStorage;
import io.wovyr.conformance.memory.MemorySettings;
import io.wovyr.conformance.memory.MemoryStore;
import io.wovyr.persistence.Caller;
import io.wovyr.persistence.CommitReference;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Resolution;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.core.contract.ProbedStorage;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.lease.AcquireResult;
import io.wovyr.persistence.lease.HeldName;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A new epoch: the store was restored, and what was read before may never have been. */
final class EpochTest {
  private static final Duration TTL = Duration.ofSeconds(40);
  private static final NewEvent EVENT = NewEvent.of("E");

  private final MemoryStore store = new MemoryStore(MemorySettings.defaults().withoutClock());
  private final ProbedStorage probe = new ProbedStorage(store.open());
  private final FaultyStorage faults = new FaultyStorage(probe);
  private final Repositories repositories =
      WovyrPersistence.builder()
          .storage(faults)
          .setting("wovyr.sealing.provider", "none")
          .build()
          .as(Caller.of("acme", "test", Role.WRITER));
  private final UUID id =
      repositories
          .executions()
          .create(NewExecution.of(DefinitionRef.of("order", 1)))
          .orThrow()
          .records(WorkflowExecution.class)
          .get(0)
          .id();

  private Lease acquire() {
    AcquireResult result = repositories.leases().acquire(id, "worker", TTL);
    assertThat(result).isInstanceOf(AcquireResult.Acquired.class);
    return ((AcquireResult.Acquired) result).lease();
  }

  private long events() {
    return repositories.executions().head(id).orElseThrow().lastSequence();
  }

  private static void assertLost(CommitResult result) {
    assertThat(result).isInstanceOf(CommitResult.Conflict.class);
    assertThat(((CommitResult.Conflict) result).has(Reason.LEASE_LOST)).isTrue();
  }

  @Test
  void leasesOfTheFormerEpochAreLost() {
    for (String call : List.of("next", "after", "heartbeat", "release", "unit")) {
      Lease lease = acquire();
      store.raiseEpoch();

      switch (call) {
        case "next" -> assertLost(repositories.events().append(id, Append.next(lease), EVENT));
        case "after" ->
            assertLost(repositories.events().append(id, Append.after(lease, events()), EVENT));
        case "heartbeat" -> assertThat(repositories.leases().heartbeat(lease)).isFalse();
        case "release" -> assertThat(repositories.leases().release(lease, Wake.now())).isFalse();
        default -> assertLost(repositories.unitOfWork().release(lease, Wake.now()).commit());
      }

      assertThat(lease.isHeld()).as(call).isFalse();
      assertThat(events()).isEqualTo(1);
      free();
    }
  }

  /** A store without a clock needs somebody to look for a whole ttl; here it is freed by a seed. */
  private void free() {
    var key = Key.of(RecordTypes.HEAD, id);
    var scope = Scope.tenant("acme");
    var deadline = Deadline.after(TTL);
    var head = probe.read(scope, List.of(key), ReadOptions.strong(deadline)).get(0).orElseThrow();
    var freed =
        FencedRows.free(new RowEdit(head))
            .build(head.header().next(head.header().updatedAt(), "seed"));
    assertThat(
            probe.commit(
                new Batch(
                    UUID.randomUUID(),
                    probe.identity().epoch(),
                    scope,
                    Optional.empty(),
                    List.of(new Mutation.Update(head, freed)),
                    List.of()),
                deadline))
        .isInstanceOf(CommitOutcome.Committed.class);
  }

  @Test
  void namesOfTheFormerEpochAreLost() {
    HeldName held = repositories.leases().acquireName("gc", "worker", TTL).orElseThrow();
    store.raiseEpoch();

    assertThat(repositories.leases().heartbeat(held)).isFalse();
    assertThat(held.isHeld()).isFalse();
  }

  @Test
  void tokensOfTheNewEpochAreAboveAllOfTheFormer() {
    Lease former = acquire();
    assertThat(repositories.leases().release(former, Wake.now())).isTrue();
    store.raiseEpoch();
    store.raiseEpoch();

    Lease lease = acquire();

    assertThat(lease.token()).isGreaterThan(3L << 40).isLessThan(4L << 40);
    assertThat(repositories.events().append(id, Append.next(lease), EVENT).isCommitted()).isTrue();
  }

  @Test
  void whatWasReadBeforeTheRestoreIsNotWrittenAfterIt() {
    probe.beforeNextCommit(store::raiseEpoch);
    assertThatThrownBy(() -> repositories.events().append(id, Append.signal("s"), EVENT))
        .isInstanceOf(Unavailable.class);
    probe.beforeNextCommit(store::raiseEpoch);
    assertThatThrownBy(() -> repositories.leases().acquire(id, "worker", TTL))
        .isInstanceOf(Unavailable.class);

    assertThat(events()).isEqualTo(1);
    assertThat(repositories.executions().head(id).orElseThrow().owner()).isEmpty();
    assertThat(repositories.events().append(id, Append.signal("s"), EVENT).isCommitted()).isTrue();
  }

  @Test
  void anUnknownOutcomeAcrossARestoreIsSettledByWhatIsThere() {
    for (Fault fault : List.of(Fault.AFTER, Fault.LOST)) {
      List<CommitReference> references = new ArrayList<>();
      long before = events();
      probe.aroundCommit(
          (next, batches, deadline) -> {
            List<CommitOutcome> outcomes = next.commit(batches, deadline);
            probe.aroundCommit(Storage::commit);
            store.raiseEpoch();
            return outcomes;
          });
      if (fault == Fault.LOST) {
        probe.aroundCommit(
            (next, batches, deadline) -> {
              probe.aroundCommit(Storage::commit);
              store.raiseEpoch();
              return next.commit(batches, deadline);
            });
      }
      faults.failNext(fault);
      boolean committed = false;
      try {
        committed =
            repositories
                .unitOfWork()
                .append(id, Append.signal("s" + fault), EVENT)
                .beforeSend(references::add)
                .commit()
                .isCommitted();
      } catch (Unavailable e) {
        assertThat(fault).isEqualTo(Fault.LOST);
      }

      assertThat(committed).isEqualTo(fault == Fault.AFTER);
      assertThat(events()).isEqualTo(before + (committed ? 1 : 0));
      assertThat(repositories.outcome(references.get(0)))
          .isEqualTo(committed ? Resolution.APPLIED : Resolution.NEVER_APPLIED);
    }
  }
}
