/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.dynamodb;

import static io.wovyr.persistence.kv.TestRows.SCOPE;
import static io.wovyr.persistence.kv.TestRows.deadline;
import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.kv.TestRows;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.FeedChunk;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Storage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that is killed under load, again and again, and forgets all tokens. */
class KilledServerIT {
  private static final int WRITERS = 4;
  private static final int KILLS = 3;
  private static final int STEPS_BETWEEN = 60;

  @TempDir Path directory;

  @Test
  void nothingAcknowledgedIsLostAndNothingIsThereTwice() throws Exception {
    try (DynoxideServer server = DynoxideServer.start(directory.resolve("store.db"))) {
      Map<String, String> settings = server.freshStore();
      ExecutorService pool = Executors.newFixedThreadPool(WRITERS + 1);
      try (Storage storage = DynamoDbStorageProvider.open(settings, List.of())) {
        AtomicLong acknowledged = new AtomicLong();
        AtomicBoolean stop = new AtomicBoolean();
        AtomicBoolean ended = new AtomicBoolean();
        List<Future<Row>> writers = new ArrayList<>();
        List<UUID> executions = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
          UUID execution = UUID.randomUUID();
          executions.add(execution);
          writers.add(pool.submit(() -> write(storage, execution, acknowledged, stop)));
        }
        Future<Map<UUID, List<Long>>> follower = pool.submit(() -> follow(storage, ended));
        for (int kill = 0; kill < KILLS; kill++) {
          await(acknowledged, (kill + 1L) * STEPS_BETWEEN);
          server.kill();
          server.begin();
        }
        await(acknowledged, (KILLS + 1L) * STEPS_BETWEEN);
        stop.set(true);
        Map<UUID, List<Long>> last = new HashMap<>();
        for (int i = 0; i < WRITERS; i++) {
          Row head = writers.get(i).get(60, TimeUnit.SECONDS);
          last.put(executions.get(i), numbers(TestRows.lastSequence(head)));
        }
        ended.set(true);
        assertThat(follower.get(60, TimeUnit.SECONDS)).isEqualTo(last);
        last.forEach((execution, whole) -> assertWhole(storage, execution, whole));
      } finally {
        pool.shutdownNow();
      }
    }
  }

  private static List<Long> numbers(long last) {
    return LongStream.rangeClosed(1, last).boxed().toList();
  }

  private static void await(AtomicLong steps, long at) {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (steps.get() < at) {
      if (System.nanoTime() > end) {
        throw new AssertionError("only " + steps + " steps");
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static void assertWhole(Storage storage, UUID execution, List<Long> whole) {
    assertThat(TestRows.all(storage, RecordTypes.EVENT, execution))
        .extracting(event -> (Long) event.key().values().get(1))
        .isEqualTo(whole);
    assertThat(TestRows.stored(storage, TestRows.head(execution).key()).map(TestRows::lastSequence))
        .contains((long) whole.size());
  }

  /** Steps on until told to end; what the last acknowledged head was. */
  private static Row write(
      Storage storage, UUID execution, AtomicLong acknowledged, AtomicBoolean stop) {
    Row head = TestRows.head(execution);
    storage.commit(TestRows.batch(new Mutation.Insert(head)), deadline());
    while (!stop.get()) {
      Row after = TestRows.stepped(head);
      boolean done;
      try {
        CommitOutcome outcome = storage.commit(TestRows.step(head), deadline());
        assertThat(outcome).isInstanceOf(CommitOutcome.Committed.class);
        done = true;
      } catch (Unavailable e) {
        done = false;
      } catch (OutcomeUnknown e) {
        Row stored = TestRows.stored(storage, head.key()).orElseThrow();
        done = TestRows.lastSequence(stored) == TestRows.lastSequence(after);
      }
      if (done) {
        head = after;
        acknowledged.incrementAndGet();
      }
    }
    return head;
  }

  /** The numbers that the feed told of each execution, in its order. */
  private static Map<UUID, List<Long>> follow(Storage storage, AtomicBoolean ended) {
    Map<UUID, List<Long>> told = new HashMap<>();
    Optional<FeedCursor> after = Optional.empty();
    while (true) {
      boolean last = ended.get();
      FeedChunk chunk;
      try {
        chunk = storage.feed(SCOPE, after, 100, deadline());
      } catch (Unavailable e) {
        continue;
      }
      after = chunk.next();
      chunk
          .entries()
          .forEach(
              entry ->
                  told.computeIfAbsent(
                          (UUID) entry.row().key().values().get(0), key -> new ArrayList<>())
                      .add((Long) entry.row().key().values().get(1)));
      if (last && chunk.entries().isEmpty()) {
        return told;
      }
    }
  }
}
