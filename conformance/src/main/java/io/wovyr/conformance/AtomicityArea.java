/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.CommitOutcome.Committed;
import io.wovyr.persistence.storage.spi.CommitOutcome.Conflict;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** All of a batch or nothing, for those who write and for those who read. */
abstract class AtomicityArea extends Area {
  AtomicityArea(StorageContract contract) {
    super(contract);
  }

  @Test
  void everyKindOfMutationOfOneBatchIsWritten() {
    KitTenant tenant = tenant();
    UUID execution = UUID.randomUUID();
    Row head = tenant.insert(tenant.head(execution));
    Row gone = tenant.insert(SampleRows.full(tenant.id(), SampleRows.key(RecordTypes.FEED_CURSOR)));
    Row checked = tenant.insert(tenant.row(Key.of(RecordTypes.NAMED_LEASE, "checked")));
    Row event = tenant.event(execution, 1);
    Row after = SampleRows.next(head).with("lastSequence", 1L);

    tenant.committed(
        tenant.batch(
            List.of(
                new Mutation.Insert(event),
                new Mutation.Update(head, after),
                new Mutation.Delete(gone)),
            List.of(new Batch.VersionIs(checked.key(), 1))));

    assertEquals(event, tenant.stored(event.key()));
    assertEquals(after, tenant.stored(head.key()));
    assertEquals(Optional.empty(), tenant.read(gone.key()));
    assertEquals(checked, tenant.stored(checked.key()));
  }

  @Test
  void aFailedMutationAnywhereInTheBatchLeavesNothing() {
    for (int position = 0; position <= 3; position++) {
      KitTenant tenant = tenant();
      Written before = new Written(tenant);
      List<Mutation> mutations = before.changes();
      Row taken = tenant.insert(tenant.row(Key.of(RecordTypes.NAMED_LEASE, "taken")));
      mutations.add(position, new Mutation.Insert(taken));

      tenant.conflict(tenant.batch(mutations, List.of()));

      before.assertUntouched();
    }
  }

  @Test
  void aFailedCheckLeavesNothing() {
    KitTenant tenant = tenant();
    Written before = new Written(tenant);
    Row checked = tenant.insert(tenant.row(Key.of(RecordTypes.NAMED_LEASE, "checked")));

    tenant.conflict(tenant.batch(before.changes(), List.of(new Batch.VersionIs(checked.key(), 2))));

    before.assertUntouched();
  }

  @Test
  void aTakenUniqueKeyLeavesNothing() {
    KitTenant tenant = tenant();
    Written before = new Written(tenant);
    Key holder = Key.of(RecordTypes.EXECUTION, UUID.randomUUID());
    tenant.insert(tenant.row(holder).with("liveWorkflowId", "order-1"));
    List<Mutation> mutations = before.changes();
    Key late = Key.of(RecordTypes.EXECUTION, UUID.randomUUID());
    mutations.add(new Mutation.Insert(tenant.row(late).with("liveWorkflowId", "order-1")));

    tenant.conflict(tenant.batch(mutations, List.of()));

    before.assertUntouched();
    assertEquals(Optional.empty(), tenant.read(late));
  }

  @Test
  void theBatchesOfOneCallAreIndependent() {
    KitTenant tenant = tenant();
    Row taken = tenant.insert(tenant.row(Key.of(RecordTypes.NAMED_LEASE, "taken")));
    Row first = tenant.row(Key.of(RecordTypes.NAMED_LEASE, "first"));
    Row beside = tenant.row(Key.of(RecordTypes.NAMED_LEASE, "beside the taken one"));
    Row last = tenant.row(Key.of(RecordTypes.NAMED_LEASE, "last"));
    List<Batch> batches =
        List.of(
            tenant.batch(new Mutation.Insert(first)),
            tenant.batch(new Mutation.Insert(beside), new Mutation.Insert(taken)),
            tenant.batch(new Mutation.Insert(last)));
    int most = Math.min(batches.size(), storage().limits().mergedBatches());

    List<CommitOutcome> outcomes = new ArrayList<>();
    for (int from = 0; from < batches.size(); from += most) {
      outcomes.addAll(
          storage()
              .commit(
                  batches.subList(from, Math.min(from + most, batches.size())),
                  KitTenant.deadline()));
    }

    assertEquals(
        batches.get(0).commitId(), assertInstanceOf(Committed.class, outcomes.get(0)).commitId());
    assertInstanceOf(Conflict.class, outcomes.get(1));
    assertEquals(
        batches.get(2).commitId(), assertInstanceOf(Committed.class, outcomes.get(2)).commitId());
    assertTrue(tenant.read(first.key()).isPresent());
    assertEquals(Optional.empty(), tenant.read(beside.key()));
    assertTrue(tenant.read(last.key()).isPresent());
  }

  @Test
  void twoBatchesOfOneCallOnTheSameBeforeImageHaveOneWinner() {
    for (int i = 0; i < 10 && storage().limits().mergedBatches() > 1; i++) {
      KitTenant tenant = tenant();
      Row head = tenant.insert(tenant.head(UUID.randomUUID()));

      List<CommitOutcome> outcomes =
          storage().commit(List.of(tenant.step(head), tenant.step(head)), KitTenant.deadline());

      assertEquals(2, outcomes.size());
      assertEquals(1, committed(outcomes), "exactly one wins");
      assertEquals(2, tenant.stored(head.key()).version());
    }
  }

  @Test
  void aPageNeverShowsHalfABatch() throws Exception {
    KitTenant tenant = tenant();
    Row left = tenant.insert(tenant.head(UUID.randomUUID()));
    Row right = tenant.insert(tenant.head(UUID.randomUUID()));
    int writes = rounds(8);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Future<?> writer = thread.submit(() -> raiseTogether(tenant, left, right, writes));
      do {
        List<Row> page =
            storage()
                .scan(
                    tenant.scope(), Scan.byKey(RecordTypes.HEAD, List.of(), 10), KitTenant.strong())
                .items();
        if (page.size() == 2) {
          assertEquals(
              page.get(0).get("lastSequence"),
              page.get(1).get("lastSequence"),
              "both heads of one batch are seen, or neither");
        }
      } while (!writer.isDone());
      Race.result(writer);
    } finally {
      thread.shutdownNow();
    }
  }

  private static void raiseTogether(KitTenant tenant, Row left, Row right, int writes) {
    Row one = left;
    Row other = right;
    for (long i = 1; i <= writes; i++) {
      Row oneAfter = SampleRows.next(one).with("lastSequence", i);
      Row otherAfter = SampleRows.next(other).with("lastSequence", i);
      tenant.committed(new Mutation.Update(one, oneAfter), new Mutation.Update(other, otherAfter));
      one = oneAfter;
      other = otherAfter;
    }
  }

  /** Rows of a tenant and changes of all kinds to them, to see that a conflict changed nothing. */
  private static final class Written {
    private final KitTenant tenant;
    private final UUID execution = UUID.randomUUID();
    private final Row head;
    private final Row cursor;
    private final Row event;

    Written(KitTenant tenant) {
      this.tenant = tenant;
      head = tenant.insert(tenant.head(execution));
      cursor = tenant.insert(tenant.row(Key.of(RecordTypes.FEED_CURSOR, "kept")));
      event =
          tenant.event(execution, 1).with("dedupeKey", "signal-1").with("correlationId", execution);
    }

    List<Mutation> changes() {
      List<Mutation> changes = new ArrayList<>();
      Collections.addAll(
          changes,
          new Mutation.Insert(event),
          new Mutation.Update(
              head, SampleRows.next(head).with("lastSequence", 1L).with("owner", "worker")),
          new Mutation.Delete(cursor));
      return changes;
    }

    void assertUntouched() {
      assertEquals(Optional.empty(), tenant.read(event.key()), "no event of the batch");
      assertEquals(head, tenant.stored(head.key()), "the head as it was");
      assertEquals(cursor, tenant.stored(cursor.key()), "the deleted row is still there");
      assertEquals(
          Optional.empty(),
          tenant
              .storage()
              .readUnique(
                  tenant.scope(),
                  RecordTypes.EVENT,
                  "dedupe",
                  List.of(execution, "signal-1"),
                  KitTenant.strong()),
          "no unique entry of the batch");
      assertEquals(
          List.of(),
          tenant.all(Scan.byPath(RecordTypes.EVENT, "by_correlation", List.of(execution), 10)),
          "no path entry of the batch");
      assertEquals(
          List.of(),
          tenant.all(Scan.byPath(RecordTypes.HEAD, "held", List.of(), 10)),
          "no path entry of an updated row");
      assertEquals(List.of(), tenant.follower(Optional.empty()).toTheEnd(), "nothing in the feed");
      tenant.committed(tenant.batch(changes(), List.of()));
    }
  }
}
