/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.wovyr.conformance.fault.Fault;
import io.wovyr.conformance.fault.FaultPlan;
import io.wovyr.conformance.fault.FaultyStorage;
import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.CommitOutcome.Committed;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Purge;
import io.wovyr.persistence.storage.spi.PurgeOutcome;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Whatever happens to a commit on its way, sending the identical batch again leads to exactly one
 * application.
 */
abstract class FaultsArea extends Area {
  FaultsArea(StorageContract contract) {
    super(contract);
  }

  private static Deadline soon() {
    return Deadline.after(Duration.ofMillis(150));
  }

  /** Submits until there is an answer; true when the batch applied, by this try or a former one. */
  private static boolean resolve(KitTenant tenant, FaultyStorage faulty, Batch batch) {
    while (true) {
      try {
        CommitOutcome outcome = faulty.commit(batch, soon());
        if (outcome instanceof Committed) {
          return true;
        }
        Row witness = tenant.read(batch.witness().orElseThrow()).orElse(null);
        return witness != null && batch.commitId().equals(witness.get("commitId"));
      } catch (Unavailable | OutcomeUnknown e) {
        // The next try is the answer.
      }
    }
  }

  @Test
  void afterAFaultBeforeNothingIsWrittenAndARetryApplies() {
    KitTenant tenant = tenant();
    Row head = tenant.insert(tenant.head(UUID.randomUUID()));
    Batch batch = tenant.step(head);
    FaultyStorage faulty = new FaultyStorage(storage()).failNext(Fault.BEFORE);

    assertThrows(Unavailable.class, () -> faulty.commit(batch, soon()));
    assertEquals(head, tenant.stored(head.key()));

    assertTrue(resolve(tenant, faulty, batch));
    ResubmissionArea.assertAppliedOnce(tenant, batch, head);
  }

  @Test
  void everyUnknownOutcomeResolvesToOneApplication() {
    for (Fault fault : List.of(Fault.LOST, Fault.AFTER, Fault.TIMEOUT_AFTER, Fault.IN_FLIGHT)) {
      KitTenant tenant = tenant();
      Row head = tenant.insert(tenant.head(UUID.randomUUID()));
      Batch batch = tenant.step(head);
      FaultyStorage faulty = new FaultyStorage(storage()).failNext(fault, fault, Fault.BEFORE);

      assertThrows(OutcomeUnknown.class, () -> faulty.commit(batch, soon()), fault.name());

      assertTrue(resolve(tenant, faulty, batch), fault.name());
      ResubmissionArea.assertAppliedOnce(tenant, batch, head);
      while (faulty.land()) {
        ResubmissionArea.assertAppliedOnce(tenant, batch, head);
      }
    }
  }

  @Test
  void aTryThatLandsBeforeItsResubmissionIsRecognised() {
    KitTenant tenant = tenant();
    Row head = tenant.insert(tenant.head(UUID.randomUUID()));
    Batch batch = tenant.step(head);
    FaultyStorage faulty = new FaultyStorage(storage()).failNext(Fault.IN_FLIGHT);
    assertThrows(OutcomeUnknown.class, () -> faulty.commit(batch, soon()));

    assertTrue(faulty.land());

    assertTrue(resolve(tenant, faulty, batch));
    ResubmissionArea.assertAppliedOnce(tenant, batch, head);
  }

  @Test
  void aTryThatLandsBesideItsResubmissionAppliesOnce() {
    KitTenant tenant = tenant();
    try (Race race = new Race(2)) {
      for (int round = 0; round < rounds(10); round++) {
        Row head = tenant.insert(tenant.head(UUID.randomUUID()));
        Batch batch = tenant.step(head);
        FaultyStorage faulty = new FaultyStorage(storage()).failNext(Fault.IN_FLIGHT);
        assertThrows(OutcomeUnknown.class, () -> faulty.commit(batch, soon()));

        race.round(i -> i == 0 ? faulty.land() : resolve(tenant, faulty, batch));

        ResubmissionArea.assertAppliedOnce(tenant, batch, head);
      }
    }
  }

  @Test
  void aTryInFlightCannotWinOnceTheHeadMovedOn() {
    KitTenant tenant = tenant();
    Row head = tenant.insert(tenant.head(UUID.randomUUID()));
    Batch batch = tenant.step(head);
    FaultyStorage faulty = new FaultyStorage(storage()).failNext(Fault.IN_FLIGHT);
    assertThrows(OutcomeUnknown.class, () -> faulty.commit(batch, soon()));

    Row bumped = tenant.update(head, SampleRows.next(head));
    faulty.land();

    assertEquals(bumped, tenant.stored(head.key()));
    assertEquals(Optional.empty(), tenant.read(batch.witness().orElseThrow()));
  }

  @Test
  void aTryInFlightCannotWinOnceItsMarkerIsVoided() {
    KitTenant tenant = tenant();
    UUID commitId = UUID.randomUUID();
    Row marker = tenant.row(Key.of(RecordTypes.COMMIT_MARKER, commitId));
    Row lease = tenant.row(Key.of(RecordTypes.NAMED_LEASE, "sealer"));
    Batch batch =
        tenant.batch(
            commitId,
            Optional.of(marker.key()),
            List.of(new Mutation.Insert(lease), new Mutation.Insert(marker)),
            List.of());
    FaultyStorage faulty = new FaultyStorage(storage()).failNext(Fault.IN_FLIGHT);
    assertThrows(OutcomeUnknown.class, () -> faulty.commit(batch, soon()));

    Row voided = tenant.insert(marker.with("voided", true));
    faulty.land();

    assertEquals(voided, tenant.stored(marker.key()));
    assertEquals(Optional.empty(), tenant.read(lease.key()));
  }

  @Test
  void aLongRunUnderRandomFaultsLosesAndDoublesNothing() {
    KitTenant tenant = tenant();
    UUID execution = UUID.randomUUID();
    Row head = tenant.insert(tenant.head(execution));
    FaultPlan plan =
        FaultPlan.random(42, 0.5, Fault.BEFORE, Fault.LOST, Fault.AFTER, Fault.IN_FLIGHT);
    FaultyStorage faulty = new FaultyStorage(storage(), plan);
    int steps = rounds(20);
    for (int i = 0; i < steps; i++) {
      assertTrue(resolve(tenant, faulty, tenant.step(head)), "step " + i);
      head = tenant.stored(head.key());
      if (i % 7 == 0) {
        faulty.land();
      }
    }
    while (faulty.land()) {
      assertEquals(head, tenant.stored(head.key()), "what lands late changes nothing");
    }

    List<Row> events = tenant.events(execution);
    assertEquals(steps, events.size());
    assertEquals((long) steps, KitTenant.lastSequence(head));
    assertEquals(steps, tenant.follow(Optional.empty(), steps).size());
  }

  @Test
  void aPurgeWhoseAnswerWasLostHappensOnce() {
    KitTenant tenant = tenant();
    UUID execution = UUID.randomUUID();
    Row head = tenant.insert(tenant.head(execution));
    tenant.committed(tenant.step(head));
    Row grown = tenant.stored(head.key());
    Row raised = SampleRows.next(grown).with("lowWaterMark", 2L);
    Purge purge =
        new Purge(
            tenant.batch(new Mutation.Update(grown, raised)),
            RecordTypes.EVENT,
            List.of(execution),
            1L,
            2L,
            List.of());
    FaultyStorage faulty = new FaultyStorage(storage()).failNext(Fault.AFTER);
    assertThrows(
        OutcomeUnknown.class, () -> faulty.purge(tenant.scope(), purge, KitTenant.deadline()));

    PurgeOutcome again = faulty.purge(tenant.scope(), purge, KitTenant.deadline());

    assertInstanceOf(PurgeOutcome.Conflict.class, again);
    assertEquals(List.of(), tenant.events(execution));
    assertEquals(raised, tenant.stored(head.key()));
  }
}
