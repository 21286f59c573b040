/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.CommitOutcome.Conflict;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The identical batch sent again applies at most once, and tells that it did. */
abstract class ResubmissionArea extends Area {
  ResubmissionArea(StorageContract contract) {
    super(contract);
  }

  /** That the batch applied once: its witness carries its id, the head went up by one. */
  static void assertAppliedOnce(KitTenant tenant, Batch batch, Row head) {
    UUID execution = (UUID) head.key().values().get(0);
    assertEquals(batch.commitId(), tenant.stored(batch.witness().orElseThrow()).get("commitId"));
    assertEquals(
        1,
        tenant.events(execution).stream()
            .filter(event -> batch.commitId().equals(event.get("commitId")))
            .count(),
        "events of the commit");
    assertEquals(head.version() + 1, tenant.stored(head.key()).version());
  }

  @Test
  void theSameBatchAgainIsAConflictWhoseWitnessCarriesTheCommit() {
    KitTenant tenant = tenant();
    Row head = tenant.insert(tenant.head(UUID.randomUUID()));
    Batch batch = tenant.step(head);
    tenant.committed(batch);

    for (int again = 0; again < 3; again++) {
      Conflict conflict = tenant.conflict(batch);
      assertEquals(
          true,
          conflict.failed().stream()
              .allMatch(
                  failed ->
                      failed.key().equals(head.key())
                          || failed.key().equals(batch.witness().orElseThrow())),
          "only keys of the batch are named");
      assertAppliedOnce(tenant, batch, head);
    }
  }

  @Test
  void itIsRecognisedAfterOthersWentOn() {
    KitTenant tenant = tenant();
    Row head = tenant.insert(tenant.head(UUID.randomUUID()));
    Batch batch = tenant.step(head);
    tenant.committed(batch);
    for (int i = 0; i < 3; i++) {
      tenant.committed(tenant.step(tenant.stored(head.key())));
    }

    tenant.conflict(batch);

    assertEquals(batch.commitId(), tenant.stored(batch.witness().orElseThrow()).get("commitId"));
    assertEquals(5, tenant.stored(head.key()).version());
    assertEquals(4, tenant.events((UUID) head.key().values().get(0)).size());
  }

  @Test
  void anotherCommitInItsPlaceCarriesAnotherId() {
    KitTenant tenant = tenant();
    Row head = tenant.insert(tenant.head(UUID.randomUUID()));
    Batch lost = tenant.step(head);
    Batch won = tenant.step(head);
    tenant.committed(won);

    tenant.conflict(lost);

    assertEquals(won.commitId(), tenant.stored(lost.witness().orElseThrow()).get("commitId"));
  }

  @Test
  void twiceInOneCallItAppliesOnce() {
    KitTenant tenant = tenant();
    Row head = tenant.insert(tenant.head(UUID.randomUUID()));
    Batch batch = tenant.step(head);
    if (storage().limits().mergedBatches() > 1) {
      List<CommitOutcome> outcomes = storage().commit(List.of(batch, batch), KitTenant.deadline());
      assertEquals(1, committed(outcomes));
    } else {
      tenant.committed(batch);
      tenant.conflict(batch);
    }
    assertAppliedOnce(tenant, batch, head);
  }

  @Test
  void aBatchOfMutableRowsIsToldByItsMarker() {
    KitTenant tenant = tenant();
    Row execution =
        tenant.insert(SampleRows.full(tenant.id(), SampleRows.key(RecordTypes.EXECUTION)));
    UUID commitId = UUID.randomUUID();
    Row marker = tenant.row(Key.of(RecordTypes.COMMIT_MARKER, commitId));
    Batch batch =
        tenant.batch(
            commitId,
            Optional.of(marker.key()),
            List.of(
                new Mutation.Update(execution, SampleRows.next(execution)),
                new Mutation.Insert(marker)),
            List.of());
    tenant.committed(batch);

    tenant.conflict(batch);

    assertEquals(marker, tenant.stored(marker.key()));
    assertEquals(2, tenant.stored(execution.key()).version());
  }

  @Test
  void oneOfManySimultaneousSubmissionsApplies() {
    KitTenant tenant = tenant();
    try (Race race = new Race()) {
      for (int round = 0; round < rounds(2); round++) {
        Row head = tenant.insert(tenant.head(UUID.randomUUID()));
        Batch batch = tenant.step(head);
        List<CommitOutcome> outcomes = race.round(i -> tenant.commit(batch));
        assertEquals(1, committed(outcomes), "applications in round " + round);
        if (round % 20 == 0) {
          assertAppliedOnce(tenant, batch, head);
        }
      }
    }
  }
}
