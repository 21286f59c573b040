/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.CommitOutcome.Committed;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Many at once: nothing is lost, nobody waits for ever, and no two block each other. */
abstract class ContentionArea extends Area {
  ContentionArea(StorageContract contract) {
    super(contract);
  }

  @Test
  void crossingBatchesAreAnsweredAndNeverBlockEachOther() {
    KitTenant tenant = tenant();
    List<Row> heads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      heads.add(tenant.insert(tenant.head(UUID.randomUUID())));
    }
    Random random = new Random(11);
    try (Race race = new Race()) {
      for (int round = 0; round < rounds(8); round++) {
        List<Batch> crossing = new ArrayList<>();
        for (int i = 0; i < Race.CONTENDERS; i++) {
          crossing.add(overTwoHeads(tenant, heads, random));
        }
        List<CommitOutcome> outcomes =
            race.round(
                i -> storage().commit(crossing.get(i), Deadline.after(subject().patience())));
        assertTrue(committed(outcomes) >= 1, "somebody gets on in round " + round);
        heads.replaceAll(head -> tenant.stored(head.key()));
      }
    }
  }

  /** Writes one of two heads and writes or checks the other, in any order. */
  private static Batch overTwoHeads(KitTenant tenant, List<Row> heads, Random random) {
    List<Row> two = new ArrayList<>(heads);
    Collections.shuffle(two, random);
    Row one = two.get(0);
    Row other = two.get(1);
    Mutation write = new Mutation.Update(one, SampleRows.next(one));
    return random.nextInt(4) == 0
        ? tenant.batch(List.of(write), List.of(new Batch.VersionIs(other.key(), other.version())))
        : tenant.batch(write, new Mutation.Update(other, SampleRows.next(other)));
  }

  @Test
  @DisplayName("C108: counters that everybody raises lose nothing")
  void c108CountersThatEverybodyRaisesLoseNothing() {
    KitTenant tenant = tenant();
    int threads = 8;
    int each = rounds(40);
    Row counter = tenant.insert(tenant.head(UUID.randomUUID()));
    try (Race race = new Race(threads)) {
      race.round(i -> raise(tenant, counter, each));
    }
    Row raised = tenant.stored(counter.key());
    assertEquals(1L + (long) threads * each, raised.version());
    assertEquals((long) threads * each, KitTenant.lastSequence(raised));
  }

  /** Raises a counter so many times, reading again after every conflict. */
  static int raise(KitTenant tenant, Row counter, int times) {
    for (int done = 0; done < times; ) {
      Row before = tenant.stored(counter.key());
      Row after = SampleRows.next(before).with("lastSequence", KitTenant.lastSequence(before) + 1);
      if (tenant.commit(new Mutation.Update(before, after)) instanceof Committed) {
        done++;
      }
    }
    return times;
  }

  @Test
  void aCheckedRowCannotChangeUnseen() {
    KitTenant tenant = tenant();
    try (Race race = new Race(2)) {
      for (int round = 0; round < rounds(8); round++) {
        Row left = tenant.insert(tenant.head(UUID.randomUUID()));
        Row right = tenant.insert(tenant.head(UUID.randomUUID()));
        List<Batch> skewed = List.of(closing(tenant, left, right), closing(tenant, right, left));

        List<CommitOutcome> outcomes = race.round(i -> tenant.commit(skewed.get(i)));

        assertTrue(
            committed(outcomes) <= 1,
            "each closes one head on the condition that the other stays: both cannot");
      }
    }
  }

  private static Batch closing(KitTenant tenant, Row head, Row other) {
    return tenant.batch(
        List.of(new Mutation.Update(head, SampleRows.next(head).with("closed", true))),
        List.of(new Batch.VersionIs(other.key(), other.version())));
  }

  @Test
  void nobodyWaitsLongBeyondTheDeadline() {
    KitTenant tenant = tenant();
    Row head = tenant.insert(tenant.head(UUID.randomUUID()));
    ExecutorService writer = Executors.newSingleThreadExecutor();
    try {
      Batch step = tenant.step(head);
      boolean brokenOff =
          whileLocked(
              tenant,
              head.key(),
              () -> {
                Future<Boolean> answered = writer.submit(() -> isBrokenOff(step));
                await("a waiting writer to be told that time is over", answered::isDone);
                return Race.result(answered);
              });
      assertTrue(brokenOff, "it was not told that it was written");
      CommitOutcome again = tenant.commit(step);
      assertEquals(step.commitId(), tenant.stored(step.witness().orElseThrow()).get("commitId"));
      assertFalse(
          tenant.stored(head.key()).version() > 2, "it applied once, by then or now: " + again);
    } finally {
      writer.shutdownNow();
    }
  }

  private boolean isBrokenOff(Batch batch) {
    try {
      storage().commit(batch, Deadline.after(Duration.ofMillis(300)));
      return false;
    } catch (Unavailable | OutcomeUnknown e) {
      return true;
    }
  }
}
