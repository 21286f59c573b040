/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.CommitOutcome.Conflict;
import io.wovyr.persistence.storage.spi.CommitOutcome.Expectation;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is unique beside the key. */
abstract class UniqueKeysArea extends Area {
  UniqueKeysArea(StorageContract contract) {
    super(contract);
  }

  private static Row execution(KitTenant tenant, @Nullable String liveWorkflowId) {
    return tenant
        .row(Key.of(RecordTypes.EXECUTION, UUID.randomUUID()))
        .with("liveWorkflowId", liveWorkflowId);
  }

  private static Optional<Row> holder(KitTenant tenant, String liveWorkflowId) {
    return tenant
        .storage()
        .readUnique(
            tenant.scope(),
            RecordTypes.EXECUTION,
            "live_workflow",
            List.of(liveWorkflowId),
            KitTenant.strong());
  }

  private static void assertTaken(Conflict conflict, Row late, Row holder) {
    GuardsArea.assertFailed(
        conflict, late.key(), new Expectation.UniqueKeyFree("live_workflow"), Optional.of(holder));
  }

  @Test
  void anInsertOfATakenEntryConflicts() {
    KitTenant tenant = tenant();
    Row holder = tenant.insert(execution(tenant, "order-1"));
    Row late = execution(tenant, "order-1");

    assertTaken(tenant.conflict(new Mutation.Insert(late)), late, holder);
    assertEquals(Optional.empty(), tenant.read(late.key()));
    assertEquals(Optional.of(holder), holder(tenant, "order-1"));
  }

  @Test
  void anUpdateToATakenEntryConflicts() {
    KitTenant tenant = tenant();
    Row holder = tenant.insert(execution(tenant, "order-1"));
    Row other = tenant.insert(execution(tenant, "order-2"));
    Row none = tenant.insert(execution(tenant, null));

    for (Row late : List.of(other, none)) {
      Row after = SampleRows.next(late).with("liveWorkflowId", "order-1");
      assertTaken(tenant.conflict(new Mutation.Update(late, after)), late, holder);
      assertEquals(late, tenant.stored(late.key()));
    }
    assertEquals(Optional.of(other), holder(tenant, "order-2"));
  }

  @Test
  void anUpdateKeepsItsOwnEntry() {
    KitTenant tenant = tenant();
    Row holder = tenant.insert(execution(tenant, "order-1"));

    Row after = tenant.update(holder, SampleRows.next(holder).with("status", "WAITING"));

    assertEquals(Optional.of(after), holder(tenant, "order-1"));
  }

  @Test
  void aNullMakesNoEntry() {
    KitTenant tenant = tenant();
    UUID run = UUID.randomUUID();
    for (int i = 1; i <= 3; i++) {
      tenant.insert(execution(tenant, null));
      tenant.insert(tenant.event(run, i).with("dedupeKey", null));
    }
    assertEquals(3, tenant.events(run).size());
  }

  @Test
  void anEntryIsFreeAgainWhenItsRowLetsGoOfIt() {
    KitTenant tenant = tenant();
    Row closing = tenant.insert(execution(tenant, "order-1"));
    tenant.update(closing, SampleRows.next(closing).with("liveWorkflowId", null));
    assertEquals(Optional.empty(), holder(tenant, "order-1"));

    Row second = tenant.insert(execution(tenant, "order-1"));
    Row renamed = tenant.update(second, SampleRows.next(second).with("liveWorkflowId", "order-2"));
    assertEquals(Optional.of(renamed), holder(tenant, "order-2"));

    Row third = tenant.insert(execution(tenant, "order-1"));
    tenant.update(third, SampleRows.next(third).with("liveWorkflowId", "order-3"));
    assertEquals(Optional.empty(), holder(tenant, "order-1"));

    Row fourth = tenant.insert(execution(tenant, "order-1"));
    assertEquals(Optional.of(fourth), holder(tenant, "order-1"));
  }

  @Test
  void aConflictLeavesNoEntryBehind() {
    KitTenant tenant = tenant();
    Row taken = tenant.insert(tenant.row(Key.of(RecordTypes.NAMED_LEASE, "taken")));
    tenant.conflict(new Mutation.Insert(execution(tenant, "order-1")), new Mutation.Insert(taken));

    assertEquals(Optional.empty(), holder(tenant, "order-1"));
    tenant.insert(execution(tenant, "order-1"));
  }

  @Test
  void entriesDifferInEveryCharacter() {
    KitTenant tenant = tenant();
    List<String> names =
        List.of(
            "order",
            "Order",
            "ORDER",
            "order ",
            " order",
            "ord\u00e9r",
            "orde\u0301r",
            "ordér/",
            "order%",
            "order_",
            "\u00df",
            "ss",
            "\ud83d\ude80");
    List<Row> rows = new ArrayList<>();
    for (String name : names) {
      rows.add(tenant.insert(execution(tenant, name)));
    }
    for (int i = 0; i < names.size(); i++) {
      assertEquals(Optional.of(rows.get(i)), holder(tenant, names.get(i)));
    }
  }

  @Test
  void anEntryOfSeveralAttributesTakesThemTogether() {
    KitTenant tenant = tenant();
    UUID one = UUID.randomUUID();
    UUID other = UUID.randomUUID();
    Row signal = tenant.insert(tenant.event(one, 1).with("dedupeKey", "signal-1"));
    tenant.insert(tenant.event(other, 1).with("dedupeKey", "signal-1"));
    tenant.insert(tenant.event(one, 2).with("dedupeKey", "signal-2"));
    Row repeated = tenant.event(one, 3).with("dedupeKey", "signal-1");

    GuardsArea.assertFailed(
        tenant.conflict(new Mutation.Insert(repeated)),
        repeated.key(),
        new Expectation.UniqueKeyFree("dedupe"),
        Optional.of(signal));
    assertEquals(2, tenant.events(one).size());
  }

  @Test
  void exactlyOneOfManyClaimsTheSameEntry() {
    KitTenant tenant = tenant();
    UUID run = UUID.randomUUID();
    try (Race race = new Race()) {
      for (int round = 0; round < subject().rounds(); round++) {
        String signal = "signal-" + round;
        List<Batch> claims = new ArrayList<>();
        for (int i = 0; i < Race.CONTENDERS; i++) {
          long number = 1L + i + (long) round * Race.CONTENDERS;
          Row event = tenant.event(run, number).with("dedupeKey", signal);
          claims.add(tenant.batch(new Mutation.Insert(event)));
        }
        List<CommitOutcome> outcomes = race.round(i -> tenant.commit(claims.get(i)));
        assertEquals(1, committed(outcomes), "winners of round " + round);
      }
    }
    assertEquals(subject().rounds(), tenant.events(run).size());
  }

  @Test
  void exactlyOneOfManyCreatesTheExecutionOfAName() {
    KitTenant tenant = tenant();
    try (Race race = new Race()) {
      for (int round = 0; round < rounds(10); round++) {
        String name = "order-" + round;
        List<Batch> claims = new ArrayList<>();
        for (int i = 0; i < Race.CONTENDERS; i++) {
          claims.add(tenant.batch(new Mutation.Insert(execution(tenant, name))));
        }
        List<CommitOutcome> outcomes = race.round(i -> tenant.commit(claims.get(i)));
        assertEquals(1, committed(outcomes), "winners of round " + round);
      }
    }
  }
}
