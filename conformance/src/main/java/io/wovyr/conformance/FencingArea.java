/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome.Committed;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who was taken over never writes again: his batches are guarded by a head that moved on. */
abstract class FencingArea extends Area {
  FencingArea(StorageContract contract) {
    super(contract);
  }

  private static long token(Row row) {
    return (Long) Objects.requireNonNull(row.get("fencingToken"));
  }

  /** The head as the next owner takes it. */
  static Row takenBy(Row head, String owner) {
    return SampleRows.next(head)
        .with("owner", owner)
        .with("leaseId", UUID.randomUUID())
        .with("fencingToken", token(head) + 1);
  }

  @Test
  @DisplayName("C079: nothing guarded by a former token applies, even when the same worker is back")
  void c079NothingGuardedByAFormerTokenApplies() {
    KitTenant tenant = tenant();
    UUID id = UUID.randomUUID();
    Row execution = tenant.insert(tenant.row(Key.of(RecordTypes.EXECUTION, id)));
    Row free = tenant.insert(tenant.head(id));
    Row former = tenant.update(free, takenBy(free, "worker-1"));
    Row freed = tenant.update(former, SampleRows.next(former).with("owner", null));
    Row current = tenant.update(freed, takenBy(freed, "worker-1"));

    for (Batch late : writesGuardedBy(former, execution, tenant)) {
      tenant.conflict(late);
      assertEquals(current, tenant.stored(current.key()), "the row of the current token");
      assertEquals(execution, tenant.stored(execution.key()));
      assertEquals(List.of(), tenant.events(id));
    }
    tenant.committed(tenant.step(current));
  }

  /** Heartbeat, release, append, completion, and a write that only checks the head. */
  private static List<Batch> writesGuardedBy(Row head, Row execution, KitTenant tenant) {
    Row done = SampleRows.next(execution).with("status", "COMPLETED");
    Mutation complete = new Mutation.Update(execution, done);
    return List.of(
        tenant.batch(new Mutation.Update(head, SampleRows.next(head).with("renewals", 9L))),
        tenant.batch(new Mutation.Update(head, SampleRows.next(head).with("owner", null))),
        tenant.step(head),
        tenant.batch(
            complete, new Mutation.Update(head, SampleRows.next(head).with("closed", true))),
        tenant.batch(List.of(complete), List.of(new Batch.VersionIs(head.key(), head.version()))));
  }

  @Test
  void tokensNeverFallAlongAnExecution() {
    KitTenant tenant = tenant();
    try (Race race = new Race(4)) {
      for (int round = 0; round < rounds(40); round++) {
        UUID id = UUID.randomUUID();
        Row free = tenant.insert(tenant.head(id));
        Row owned = tenant.update(free, takenBy(free, "worker-0"));

        race.round(
            worker -> {
              work(tenant, worker == 0 ? owned : takeOver(tenant, owned.key(), worker));
              return worker;
            });

        assertTokensRise(tenant, id);
      }
    }
  }

  private static Row takeOver(KitTenant tenant, Key head, int worker) {
    while (true) {
      Row before = tenant.stored(head);
      Row after = takenBy(before, "worker-" + worker);
      if (tenant.commit(new Mutation.Update(before, after)) instanceof Committed) {
        return after;
      }
    }
  }

  /** Steps until taken over, five at most. */
  private static void work(KitTenant tenant, Row owned) {
    Row head = owned;
    for (int i = 0; i < 5; i++) {
      Batch step = stepUnderToken(tenant, head);
      if (!(tenant.commit(step) instanceof Committed)) {
        return;
      }
      head = ((Mutation.Update) step.mutations().get(0)).after();
    }
  }

  private static Batch stepUnderToken(KitTenant tenant, Row head) {
    Batch step = tenant.step(head);
    Mutation.Insert insert = (Mutation.Insert) step.mutations().get(1);
    Row event = insert.after().with("fencingToken", token(head));
    return tenant.batch(
        step.commitId(),
        step.witness(),
        List.of(step.mutations().get(0), new Mutation.Insert(event)),
        List.of());
  }

  private static void assertTokensRise(KitTenant tenant, UUID execution) {
    List<Row> events = tenant.events(execution);
    List<Long> tokens = new ArrayList<>();
    for (int i = 0; i < events.size(); i++) {
      assertEquals((long) i + 1, events.get(i).key().values().get(1), "no hole");
      tokens.add(token(events.get(i)));
    }
    assertEquals(tokens.stream().sorted().toList(), tokens, "tokens along the sequence");
    assertEquals((long) events.size(), KitTenant.lastSequence(tenant.stored(head(execution))));
  }

  private static Key head(UUID execution) {
    return Key.of(RecordTypes.HEAD, execution);
  }
}
