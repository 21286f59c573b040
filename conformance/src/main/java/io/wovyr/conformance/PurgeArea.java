/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.FeedChunk;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Purge;
import io.wovyr.persistence.storage.spi.PurgeOutcome;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A range of history goes for ever, together with the batch that says so, and nothing else. */
abstract class PurgeArea extends Area {
  PurgeArea(StorageContract contract) {
    super(contract);
  }

  /** The head after a purge below {@code to}. */
  private static Row raised(Row head, long to) {
    return SampleRows.next(head).with("lowWaterMark", to);
  }

  private static Purge range(
      KitTenant tenant, Row head, long from, long to, List<FeedCursor> notBeyond) {
    return new Purge(
        tenant.batch(new Mutation.Update(head, raised(head, to))),
        RecordTypes.EVENT,
        head.key().values(),
        from,
        to,
        notBeyond);
  }

  private static PurgeOutcome run(KitTenant tenant, Purge purge) {
    return tenant.storage().purge(tenant.scope(), purge, KitTenant.deadline());
  }

  /** Purges events of the head's execution, which must succeed; answers the head after it. */
  static Row purge(KitTenant tenant, Row head, long from, long to) {
    PurgeOutcome outcome = run(tenant, range(tenant, head, from, to, List.of()));
    assertEquals(new PurgeOutcome.Purged((int) (to - from)), outcome);
    return raised(head, to);
  }

  /** An execution with so many events; answers its head. */
  private static Row grown(KitTenant tenant, UUID execution, int events) {
    Row head = tenant.insert(tenant.head(execution));
    for (int i = 0; i < events; i++) {
      tenant.committed(tenant.step(head));
      head = tenant.stored(head.key());
    }
    return head;
  }

  private static List<Long> sequences(KitTenant tenant, UUID execution) {
    return tenant.events(execution).stream()
        .map(event -> (Long) event.key().values().get(1))
        .toList();
  }

  private static List<Long> between(long from, long to) {
    return LongStream.rangeClosed(from, to).boxed().toList();
  }

  @Test
  void removesTheRangeAndWritesItsBatch() {
    KitTenant tenant = tenant();
    UUID execution = UUID.randomUUID();
    Row head = grown(tenant, execution, 10);

    Row after = purge(tenant, head, 1, 6);

    assertEquals(between(6, 10), sequences(tenant, execution));
    assertEquals(after, tenant.stored(head.key()));
    assertEquals(Optional.empty(), tenant.read(Key.of(RecordTypes.EVENT, execution, 5L)));
  }

  @Test
  void mayBeRepeatedAndGoOnInPieces() {
    KitTenant tenant = tenant();
    UUID execution = UUID.randomUUID();
    Row head = grown(tenant, execution, 10);
    head = purge(tenant, head, 1, 4);
    head = purge(tenant, head, 4, 6);

    PurgeOutcome again = run(tenant, range(tenant, head, 1, 6, List.of()));

    assertEquals(new PurgeOutcome.Purged(0), again);
    assertEquals(between(6, 10), sequences(tenant, execution));
    assertEquals(head.version() + 1, tenant.stored(head.key()).version());
  }

  @Test
  @DisplayName("C004: the highest sequence survives a purge of everything")
  void c004TheHighestSequenceSurvivesAPurgeOfEverything() {
    KitTenant tenant = tenant();
    UUID execution = UUID.randomUUID();
    Row head = purge(tenant, grown(tenant, execution, 10), 1, 11);

    KitTenant again = tenant.through(reopen());

    assertEquals(List.of(), again.events(execution));
    Row stored = again.stored(head.key());
    assertEquals(10L, stored.get("lastSequence"));
    again.committed(again.step(stored));
    assertEquals(List.of(11L), sequences(again, execution));
  }

  @Test
  void aConflictOfItsBatchKeepsEverything() {
    KitTenant tenant = tenant();
    UUID execution = UUID.randomUUID();
    Row stale = grown(tenant, execution, 5);
    tenant.committed(tenant.step(stale));
    Row head = tenant.stored(stale.key());

    PurgeOutcome outcome = run(tenant, range(tenant, stale, 1, 6, List.of()));

    assertEquals(
        stale.key(), assertInstanceOf(PurgeOutcome.Conflict.class, outcome).failed().get(0).key());
    assertEquals(between(1, 6), sequences(tenant, execution));
    assertEquals(head, tenant.stored(head.key()));
    assertEquals(6, tenant.follow(Optional.empty(), 6).size());
  }

  @Test
  void isHeldBackByACursorThatWouldBePassed() {
    KitTenant tenant = tenant();
    UUID execution = UUID.randomUUID();
    Row head = grown(tenant, execution, 6);
    List<FeedChunk.Entry> feed = tenant.follow(Optional.empty(), 6);
    FeedCursor slow = feed.get(2).cursor();
    FeedCursor quick = feed.get(5).cursor();

    PurgeOutcome held = run(tenant, range(tenant, head, 1, 5, List.of(quick, slow)));

    assertEquals(new PurgeOutcome.HeldBack(slow), held);
    assertEquals(between(1, 6), sequences(tenant, execution));
    assertEquals(head, tenant.stored(head.key()));
    assertEquals(3, tenant.follow(Optional.of(slow), 3).size());

    PurgeOutcome done = run(tenant, range(tenant, head, 1, 4, List.of(quick, slow)));
    assertEquals(new PurgeOutcome.Purged(3), done);
    assertEquals(3, tenant.follow(Optional.of(slow), 3).size());
  }

  @Test
  void otherExecutionsKeepEverything() {
    KitTenant tenant = tenant();
    UUID execution = new UUID(5, 5);
    List<UUID> others = List.of(new UUID(5, 4), new UUID(5, 6), new UUID(5, 0x500000005L));
    Row head = grown(tenant, execution, 4);
    others.forEach(other -> grown(tenant, other, 4));

    purge(tenant, head, 1, 5);

    assertEquals(List.of(), sequences(tenant, execution));
    for (UUID other : others) {
      assertEquals(between(1, 4), sequences(tenant, other));
    }
  }

  @Test
  void whatIsPurgedIsNotFoundByAnyPathOrUniqueKey() {
    KitTenant tenant = tenant();
    UUID execution = UUID.randomUUID();
    Row head = tenant.insert(tenant.head(execution).with("lastSequence", 2L));
    Row gone = SampleRows.full(tenant.id(), Key.of(RecordTypes.EVENT, execution, 1L));
    Row kept = tenant.event(execution, 2);
    for (String attribute : List.of("correlationId", "causationId")) {
      kept = kept.with(attribute, gone.get(attribute));
    }
    tenant.insert(gone);
    tenant.insert(kept);

    purge(tenant, head, 1, 2);

    for (String path : List.of("by_correlation", "by_causation")) {
      String attribute = RecordTypes.EVENT.path(path).equality().get(0);
      List<Object> equal = List.of(Objects.requireNonNull(gone.get(attribute)));
      assertEquals(
          List.of(kept), tenant.all(Scan.byPath(RecordTypes.EVENT, path, equal, 10)), path);
    }
    assertEquals(
        Optional.empty(),
        tenant
            .storage()
            .readUnique(
                tenant.scope(),
                RecordTypes.EVENT,
                "dedupe",
                List.of(execution, Objects.requireNonNull(gone.get("dedupeKey"))),
                KitTenant.strong()));
    assertEquals(
        List.of(kept),
        tenant.follow(Optional.empty(), 1).stream().map(FeedChunk.Entry::row).toList());
  }

  @Test
  void ofAnotherEpochIsRefused() {
    KitTenant tenant = tenant();
    UUID execution = UUID.randomUUID();
    Row head = grown(tenant, execution, 3);
    Purge purge = range(tenant, head, 1, 3, List.of());
    Batch batch = purge.batch();
    Batch late =
        new Batch(
            batch.commitId(),
            batch.epoch() + 1,
            batch.scope(),
            batch.witness(),
            batch.mutations(),
            batch.checks());

    assertThrows(
        Unavailable.class,
        () ->
            run(
                tenant,
                new Purge(late, purge.type(), purge.keyPrefix(), 1L, 3L, purge.notBeyond())));
    assertEquals(between(1, 3), sequences(tenant, execution));
  }

  @Test
  void raceWithAppendsNeverTearsAnExecution() {
    KitTenant tenant = tenant();
    try (Race race = new Race(2)) {
      for (int round = 0; round < rounds(40); round++) {
        UUID execution = UUID.randomUUID();
        Row head = grown(tenant, execution, 3);

        List<Boolean> won =
            race.round(
                i ->
                    i == 0
                        ? committed(List.of(tenant.commit(tenant.step(head)))) == 1
                        : run(tenant, range(tenant, head, 1, 3, List.of()))
                            instanceof PurgeOutcome.Purged);

        assertEquals(!won.get(0), won.get(1), "exactly one of them wins");
        assertEquals(won.get(0) ? between(1, 4) : List.of(3L), sequences(tenant, execution));
      }
    }
  }
}
