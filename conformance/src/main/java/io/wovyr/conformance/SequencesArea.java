/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.CommitOutcome.Committed;
import io.wovyr.persistence.storage.spi.CommitOutcome.Expectation;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Row;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The numbers of an execution's events: 1, 2, 3 and so on, once each. */
abstract class SequencesArea extends Area {
  private static final int APPENDERS = 20;

  SequencesArea(StorageContract contract) {
    super(contract);
  }

  private static List<Long> sequences(KitTenant tenant, UUID execution) {
    return tenant.events(execution).stream()
        .map(event -> (Long) event.key().values().get(1))
        .toList();
  }

  private static List<Long> upTo(long last) {
    return LongStream.rangeClosed(1, last).boxed().toList();
  }

  /** An execution that has so many events. */
  private static Row grown(KitTenant tenant, UUID execution, int events) {
    Row head = tenant.insert(tenant.head(execution));
    for (int i = 0; i < events; i++) {
      tenant.committed(tenant.step(head));
      head = tenant.stored(head.key());
    }
    return head;
  }

  @Test
  @DisplayName("C003: one of 20 appends at the same expected version wins, 19 conflict")
  void c003OneOfTwentyAppendsAtTheSameVersionWins() {
    try (Race race = new Race(APPENDERS)) {
      for (int round = 0; round < rounds(40); round++) {
        KitTenant tenant = tenant();
        UUID execution = UUID.randomUUID();
        Row head = grown(tenant, execution, 7);
        List<Batch> appends = new ArrayList<>();
        for (int i = 0; i < APPENDERS; i++) {
          appends.add(tenant.step(head));
        }

        List<CommitOutcome> outcomes = race.round(i -> tenant.commit(appends.get(i)));

        assertEquals(1, committed(outcomes));
        assertEquals(upTo(8), sequences(tenant, execution));
        assertEquals(winner(appends, outcomes), tenant.events(execution).get(7).get("commitId"));
      }
    }
  }

  private static UUID winner(List<Batch> batches, List<CommitOutcome> outcomes) {
    for (int i = 0; i < batches.size(); i++) {
      if (outcomes.get(i) instanceof Committed) {
        return batches.get(i).commitId();
      }
    }
    throw new AssertionError("nobody won");
  }

  @Test
  @DisplayName("C003: 20 appends that read again after a conflict all succeed, without a hole")
  void c003TwentyGuardedRetriesLeaveNoHole() {
    try (Race race = new Race(APPENDERS)) {
      KitTenant tenant = tenant();
      UUID execution = UUID.randomUUID();
      Row head = grown(tenant, execution, 7);

      List<Long> numbers = race.round(i -> append(tenant, head));

      assertEquals(upTo(27), sequences(tenant, execution));
      assertEquals(
          LongStream.rangeClosed(8, 27).boxed().toList(), numbers.stream().sorted().toList());
      assertEquals(27L, tenant.stored(head.key()).get("lastSequence"));
    }
  }

  /** Appends one event, reading again after every conflict; answers its number. */
  private static long append(KitTenant tenant, Row head) {
    Row current = head;
    while (true) {
      if (tenant.commit(tenant.step(current)) instanceof Committed) {
        return KitTenant.lastSequence(current) + 1;
      }
      current = tenant.stored(head.key());
    }
  }

  @Test
  void aTakenSequenceConflictsAndKeepsTheFirstEvent() {
    KitTenant tenant = tenant();
    UUID execution = UUID.randomUUID();
    Row first = tenant.insert(tenant.event(execution, 1));
    Row other = tenant.event(execution, 1);

    GuardsArea.assertFailed(
        tenant.conflict(new Mutation.Insert(other)),
        first.key(),
        new Expectation.Absent(),
        Optional.of(first));
    assertEquals(List.of(first), tenant.events(execution));
  }

  @Test
  @DisplayName("C012: two writers of one number never both succeed")
  void c012ExactlyOneOfManyInsertsTheSameNumber() {
    KitTenant tenant = tenant();
    UUID execution = UUID.randomUUID();
    try (Race race = new Race()) {
      for (int round = 1; round <= subject().rounds(); round++) {
        List<Batch> inserts = new ArrayList<>();
        for (int i = 0; i < Race.CONTENDERS; i++) {
          inserts.add(tenant.batch(new Mutation.Insert(tenant.event(execution, round))));
        }
        List<CommitOutcome> outcomes = race.round(i -> tenant.commit(inserts.get(i)));
        assertEquals(1, committed(outcomes), "winners of number " + round);
      }
    }
    assertEquals(upTo(subject().rounds()), sequences(tenant, execution));
  }

  @Test
  @DisplayName("C010: events are read by number, whatever their times say")
  void c010EventsAreReadByNumber() {
    KitTenant tenant = tenant();
    UUID execution = UUID.randomUUID();
    String[] times = {"03.637", "03.645", "03.647", "03.613"};
    for (int i = 0; i < times.length; i++) {
      tenant.insert(
          at(tenant.event(execution, 6 + i), Instant.parse("2026-01-01T10:00:" + times[i] + "Z")));
    }
    assertEquals(List.of(6L, 7L, 8L, 9L), sequences(tenant, execution));
    assertEquals(
        List.of(6L, 7L, 8L, 9L),
        tenant.follow(Optional.empty(), 4).stream()
            .map(entry -> entry.row().key().values().get(1))
            .toList());
  }

  private static Row at(Row row, Instant created) {
    RecordHeader header = row.header();
    return row.with(
        new RecordHeader(
            header.id(),
            header.tenantId(),
            header.version(),
            created,
            created,
            header.updatedBy(),
            header.schemaVersion(),
            header.entityVersion(),
            header.serializationVersion(),
            header.extra()));
  }

  @Test
  void severalEventsOfOneBatchAreThereTogether() {
    KitTenant tenant = tenant();
    UUID execution = UUID.randomUUID();
    Row head = tenant.insert(tenant.head(execution));
    List<Mutation> mutations = new ArrayList<>();
    mutations.add(new Mutation.Update(head, SampleRows.next(head).with("lastSequence", 9L)));
    for (int i = 9; i >= 1; i--) {
      mutations.add(new Mutation.Insert(tenant.event(execution, i)));
    }
    tenant.committed(tenant.batch(mutations, List.of()));

    assertEquals(upTo(9), sequences(tenant, execution));
    assertTrue(tenant.conflict(tenant.step(head)).failed().size() >= 1);
  }
}
