/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.wovyr.persistence.PersistenceException.FeedTruncated;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.CommitOutcome.Committed;
import io.wovyr.persistence.storage.spi.FeedChunk;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordType.FeedRole;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Every committed row of the feed exactly once, in order per execution. */
abstract class FeedArea extends Area {
  private static final Scope.System SYSTEM = new Scope.System("conformance");

  FeedArea(StorageContract contract) {
    super(contract);
  }

  private static List<Row> rows(List<FeedChunk.Entry> entries) {
    return entries.stream().map(FeedChunk.Entry::row).toList();
  }

  private static List<Key> keys(List<FeedChunk.Entry> entries) {
    return entries.stream().map(entry -> entry.row().key()).toList();
  }

  /** Commits steps of one execution, and answers its head. */
  private static Row steps(KitTenant tenant, Row head, int count) {
    for (int i = 0; i < count; i++) {
      tenant.committed(tenant.step(head));
      head = tenant.stored(head.key());
    }
    return head;
  }

  /** The system's reader of some tenants, beginning now. */
  private Follower system(Set<String> tenants) {
    KitTenant beacon = tenant("beacon");
    beacon.insert(beacon.event(UUID.randomUUID(), 1));
    FeedCursor now = beacon.follow(Optional.empty(), 1).get(0).cursor();
    return Follower.of(storage(), SYSTEM, Optional.of(now), subject().patience())
        .only(entry -> tenants.contains(entry.tenantId()));
  }

  @Test
  void deliversTheRowsOfTheFeedAsTheyAreStored() {
    KitTenant tenant = tenant();
    List<Row> inFeed = new ArrayList<>();
    for (RecordType type : RecordTypes.all()) {
      Row row = tenant.insert(SampleRows.full(tenant.id(), SampleRows.key(type)));
      if (type.feedRole() == FeedRole.RECORDS) {
        inFeed.add(row);
      }
    }

    List<FeedChunk.Entry> entries = tenant.follow(Optional.empty(), inFeed.size());

    assertEquals(inFeed, rows(entries));
    assertEquals(
        Set.of(tenant.id()),
        entries.stream().map(FeedChunk.Entry::tenantId).collect(Collectors.toSet()));
  }

  @Test
  void anEmptyFeedGivesThePlaceWhereItsReaderBegan() {
    KitTenant tenant = tenant();
    FeedChunk chunk = tenant.feed(Optional.empty(), 10);

    assertEquals(List.of(), chunk.entries());
    FeedCursor began = chunk.next().orElseThrow();
    assertEquals(Optional.of(began), tenant.feed(Optional.of(began), 10).next(), "still empty");
    UUID execution = UUID.randomUUID();
    Row head = steps(tenant, tenant.insert(tenant.head(execution)), 3);
    assertEquals(tenant.events(execution), rows(tenant.follow(Optional.of(began), 3)));
    KitTenant again = tenant.through(reopen());
    assertEquals(again.events(execution), rows(again.follow(Optional.of(began), 3)));
    PurgeArea.purge(again, again.stored(head.key()), 1, 3);
    assertThrows(
        FeedTruncated.class,
        () -> again.feed(Optional.of(began), 10),
        "it began before the purge and missed two rows");
  }

  @Test
  void keepsTheOrderOfEachExecution() {
    KitTenant tenant = tenant();
    List<Key> heads = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      heads.add(tenant.insert(tenant.head(UUID.randomUUID())).key());
    }
    Follower all = system(Set.of(tenant.id()));
    for (int step = 0; step < 8; step++) {
      heads.forEach(head -> steps(tenant, tenant.stored(head), 1));
    }

    assertInOrder(tenant.follow(Optional.empty(), 40));
    assertInOrder(all.until(40));
  }

  /** Each execution's numbers rise by one, without a hole or a repetition. */
  private static void assertInOrder(List<FeedChunk.Entry> entries) {
    Map<Object, Long> last = new HashMap<>();
    for (FeedChunk.Entry entry : entries) {
      List<Object> key = entry.row().key().values();
      long expected = last.getOrDefault(key.get(0), 0L) + 1;
      assertEquals(expected, key.get(1), "next number of an execution in the feed");
      last.put(key.get(0), expected);
    }
  }

  @Test
  void everyCursorIsAPlaceToGoOn() {
    KitTenant tenant = tenant();
    steps(tenant, tenant.insert(tenant.head(UUID.randomUUID())), 12);
    List<FeedChunk.Entry> all = tenant.follow(Optional.empty(), 12);

    for (int i = 0; i < all.size(); i++) {
      List<FeedChunk.Entry> rest = tenant.follow(Optional.of(all.get(i).cursor()), 11 - i);
      assertEquals(keys(all.subList(i + 1, 12)), keys(rest));
    }
    for (int limit : new int[] {1, 5, 12, 13}) {
      Follower follower = tenant.follower(Optional.empty());
      await("12 rows in chunks of " + limit, () -> !follower.poll(limit));
      assertEquals(keys(all), keys(follower.seen()));
    }
  }

  @Test
  void everyCursorIsOfThisEpoch() {
    KitTenant tenant = tenant();
    steps(tenant, tenant.insert(tenant.head(UUID.randomUUID())), 1);

    FeedCursor cursor = tenant.follow(Optional.empty(), 1).get(0).cursor();

    assertEquals(storage().identity().epoch(), cursor.epoch());
  }

  @Test
  void aTenantSeesItsOwnRowsAndTheSystemAll() {
    KitTenant one = tenant("one");
    KitTenant other = tenant("other");
    UUID execution = UUID.randomUUID();
    Follower system = system(Set.of(one.id(), other.id()));
    steps(one, one.insert(one.head(execution)), 3);
    steps(other, other.insert(other.head(execution)), 4);

    assertEquals(one.events(execution), rows(one.follow(Optional.empty(), 3)));
    assertEquals(other.events(execution), rows(other.follow(Optional.empty(), 4)));
    List<FeedChunk.Entry> all = system.until(7);
    assertEquals(7, all.size());
    for (KitTenant tenant : List.of(one, other)) {
      assertEquals(
          tenant.events(execution),
          rows(all.stream().filter(entry -> entry.tenantId().equals(tenant.id())).toList()));
    }
  }

  @Test
  void whatWasNotCommittedIsNotDeliveredAndHoldsNothingUp() {
    KitTenant tenant = tenant();
    Row head = tenant.insert(tenant.head(UUID.randomUUID()));
    for (int i = 0; i < 10; i++) {
      Batch stale = tenant.step(head);
      head = steps(tenant, head, 1);
      tenant.conflict(stale);
    }
    List<FeedChunk.Entry> entries = tenant.follow(Optional.empty(), 10);

    assertEquals(10, entries.size());
    assertInOrder(entries);
  }

  @Test
  @DisplayName("C001: a row that commits late is not passed by")
  void c001ARowThatCommitsLateIsNotPassedBy() {
    KitTenant tenant = tenant();
    Row slow = tenant.insert(tenant.head(UUID.randomUUID()));
    Row quick = tenant.insert(tenant.head(UUID.randomUUID()));

    Follower follower = overtaken(tenant, slow, tenant.step(slow), tenant.step(quick), 2);

    assertEquals(2, new TreeSet<>(keys(follower.seen())).size(), "both are delivered");
    assertEquals(2, follower.seen().size(), "each once");
  }

  @Test
  @DisplayName("C001: a row that rolls back late leaves no hole to stall at")
  void c001ARowThatRollsBackLateHoldsNothingUp() {
    KitTenant tenant = tenant();
    Row slow = tenant.insert(tenant.head(UUID.randomUUID()));
    Row moved = tenant.update(slow, SampleRows.next(slow));
    Row quick = tenant.insert(tenant.head(UUID.randomUUID()));

    Follower follower = overtaken(tenant, moved, tenant.step(slow), tenant.step(quick), 1);

    steps(tenant, tenant.stored(quick.key()), 1);
    assertInOrder(follower.until(2));
    assertEquals(2, follower.seen().size());
  }

  /**
   * A batch waits for a locked row while another overtakes it and a follower stores its cursor;
   * then the lock goes. (Where a lock stops all writers, nobody overtakes, and that is as good.)
   */
  private Follower overtaken(KitTenant tenant, Row locked, Batch slow, Batch quick, int rows) {
    Follower follower = tenant.follower(Optional.empty());
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Future<CommitOutcome>> running =
          whileLocked(
              tenant,
              locked.key(),
              () -> {
                Future<CommitOutcome> waiting = threads.submit(() -> tenant.commit(slow));
                pollFor(follower, WAITING_MILLIS);
                Future<CommitOutcome> overtaking = threads.submit(() -> tenant.commit(quick));
                pollFor(follower, WAITING_MILLIS);
                return List.of(waiting, overtaking);
              });
      CommitOutcome outcome = Race.result(running.get(0));
      assertEquals(rows == 2, outcome instanceof Committed, "the batch that waited: " + outcome);
      assertTrue(Race.result(running.get(1)) instanceof Committed);
      follower.until(rows);
      return follower;
    } finally {
      threads.shutdownNow();
    }
  }

  private void pollFor(Follower follower, long millis) {
    long end = System.nanoTime() + millis * 1_000_000;
    await(
        millis + " ms of polling",
        () -> {
          follower.poll(10);
          return System.nanoTime() - end > 0;
        });
  }

  @Test
  @DisplayName("C001: a follower beside many writers sees every row exactly once")
  void c001AFollowerBesideManyWritersSeesEveryRowOnce() {
    KitTenant tenant = tenant();
    int writers = 8;
    int each = rounds(16);
    List<Row> heads = new ArrayList<>();
    for (int i = 0; i < writers; i++) {
      heads.add(tenant.insert(tenant.head(UUID.randomUUID())));
    }
    Follower follower = tenant.follower(Optional.empty());
    Follower systemFollower = system(Set.of(tenant.id()));
    systemFollower.toTheEnd();
    ExecutorService threads = Executors.newFixedThreadPool(writers);
    try {
      List<Future<Row>> running = new ArrayList<>();
      for (Row head : heads) {
        running.add(threads.submit(() -> steps(tenant, head, each)));
      }
      while (!running.stream().allMatch(Future::isDone)) {
        follower.poll(50);
        systemFollower.poll(50);
      }
      running.forEach(Race::result);
    } finally {
      threads.shutdownNow();
    }

    for (Follower one : List.of(follower, systemFollower)) {
      List<FeedChunk.Entry> seen = one.until(writers * each);
      assertEquals(writers * each, seen.size(), "every row once");
      assertInOrder(seen);
    }
  }

  @Test
  void aCursorSurvivesReopening() {
    KitTenant tenant = tenant();
    UUID execution = UUID.randomUUID();
    steps(tenant, tenant.insert(tenant.head(execution)), 4);
    FeedCursor second = tenant.follow(Optional.empty(), 4).get(1).cursor();

    KitTenant again = tenant.through(reopen());

    assertEquals(again.events(execution).subList(2, 4), rows(again.follow(Optional.of(second), 2)));
    steps(again, again.stored(Key.of(RecordTypes.HEAD, execution)), 1);
    assertEquals(3, again.follow(Optional.of(second), 3).size());
  }

  @Test
  void aCursorBelowWhatWasPurgedIsRefused() {
    KitTenant tenant = tenant();
    UUID execution = UUID.randomUUID();
    Row head = steps(tenant, tenant.insert(tenant.head(execution)), 6);
    List<FeedChunk.Entry> all = tenant.follow(Optional.empty(), 6);
    PurgeArea.purge(tenant, head, 1, 5);

    for (int i = 0; i < 3; i++) {
      Optional<FeedCursor> below = Optional.of(all.get(i).cursor());
      assertThrows(FeedTruncated.class, () -> tenant.feed(below, 10));
      assertThrows(
          FeedTruncated.class,
          () -> storage().feed(SYSTEM, below, 10, KitTenant.deadline()),
          "the system's reader is below it too");
    }
    for (int i = 3; i < 6; i++) {
      assertEquals(
          keys(all.subList(Math.max(4, i + 1), 6)),
          keys(tenant.follow(Optional.of(all.get(i).cursor()), 5 - i)),
          "at the mark and above it nothing is missing");
    }
  }

  @Test
  void whoBeginsAfterAPurgeSeesWhatIsLeft() {
    KitTenant tenant = tenant();
    UUID execution = UUID.randomUUID();
    Row head = steps(tenant, tenant.insert(tenant.head(execution)), 6);
    PurgeArea.purge(tenant, head, 1, 5);

    assertEquals(tenant.events(execution), rows(tenant.follow(Optional.empty(), 2)));
  }

  @Test
  void whoBeginsAfterAPurgeReadsOnToTheEnd() {
    KitTenant tenant = tenant();
    UUID kept = UUID.randomUUID();
    steps(tenant, tenant.insert(tenant.head(kept)), 3);
    Row head = steps(tenant, tenant.insert(tenant.head(UUID.randomUUID())), 3);
    PurgeArea.purge(tenant, head, 1, 4);
    Follower follower = tenant.follower(Optional.empty());

    await("the three rows that are left, one by one", () -> !follower.poll(1));

    assertEquals(tenant.events(kept), rows(follower.seen()));
  }

  @Test
  void aPurgeOfOneTenantTruncatesNoOther() {
    KitTenant one = tenant("one");
    KitTenant other = tenant("other");
    UUID execution = UUID.randomUUID();
    steps(other, other.insert(other.head(execution)), 3);
    Row head = steps(one, one.insert(one.head(execution)), 3);
    FeedCursor first = other.follow(Optional.empty(), 3).get(0).cursor();
    PurgeArea.purge(one, head, 1, 4);

    assertEquals(2, other.follow(Optional.of(first), 2).size());
    assertThrows(
        FeedTruncated.class,
        () -> storage().feed(SYSTEM, Optional.of(first), 10, KitTenant.deadline()));
  }

  @Test
  void theBatchesOfOneCallAreDeliveredEachOnceAndInOrder() {
    KitTenant tenant = tenant();
    List<Batch> left = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Row head = tenant.insert(tenant.head(UUID.randomUUID()));
      for (int step = 0; step < 3; step++) {
        Batch batch = tenant.step(head);
        left.add(batch);
        head = ((Mutation.Update) batch.mutations().get(0)).after();
      }
    }
    int most = storage().limits().mergedBatches();
    await(
        "every step to find its place, whatever order the batches of a call are applied in",
        () -> {
          List<Batch> call = List.copyOf(left.subList(0, Math.min(most, left.size())));
          List<CommitOutcome> outcomes = storage().commit(call, KitTenant.deadline());
          for (int i = 0; i < call.size(); i++) {
            left.remove(call.get(i));
            if (!(outcomes.get(i) instanceof Committed)) {
              left.add(call.get(i));
            }
          }
          return left.isEmpty();
        });

    List<FeedChunk.Entry> entries = tenant.follow(Optional.empty(), 12);

    assertEquals(12, entries.size());
    assertInOrder(entries);
  }

  @Test
  void aBatchOfManyRowsIsDeliveredWholeOverSmallChunks() {
    KitTenant tenant = tenant();
    UUID execution = UUID.randomUUID();
    List<Mutation> inserts = new ArrayList<>();
    for (int i = 1; i <= 20; i++) {
      inserts.add(new Mutation.Insert(tenant.event(execution, i)));
    }
    tenant.committed(tenant.batch(inserts, List.of()));

    Follower follower = tenant.follower(Optional.empty());
    await(
        "20 rows in chunks of 3",
        () -> {
          follower.poll(3);
          return follower.seen().size() >= 20;
        });
    assertInOrder(follower.toTheEnd());
    assertEquals(20, follower.seen().size());
    assertTrue(follower.cursor().isPresent());
  }
}
