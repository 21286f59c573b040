/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.dynamodb;

import static io.wovyr.persistence.kv.TestRows.SCOPE;
import static io.wovyr.persistence.kv.TestRows.deadline;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.kv.KvStore;
import io.wovyr.persistence.kv.TestRows;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.FeedChunk;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Storage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** How far the feed may be read, whoever writes, dies, or has the wrong time. */
class HorizonIT {
  private TestTable table;

  @BeforeEach
  void makeATable() {
    table = TestTable.fresh();
  }

  @AfterEach
  void removeTheTable() {
    if (table != null) {
      table.close();
    }
  }

  private static Row begun(Storage storage) {
    Row head = TestRows.head(UUID.randomUUID());
    assertThat(storage.commit(TestRows.batch(new Mutation.Insert(head)), deadline()))
        .isInstanceOf(CommitOutcome.Committed.class);
    return head;
  }

  private static Row step(Storage storage, Row head) {
    assertThat(storage.commit(TestRows.step(head), deadline()))
        .isInstanceOf(CommitOutcome.Committed.class);
    return TestRows.stepped(head);
  }

  private static FeedChunk feed(Storage storage, Optional<FeedCursor> after) {
    return storage.feed(SCOPE, after, 1_000, deadline());
  }

  private static List<Long> numbers(FeedChunk chunk) {
    return chunk.entries().stream().map(entry -> (Long) entry.row().key().values().get(1)).toList();
  }

  @Test
  @DisplayName(
      "C001: a write that was on its way when the feed was read comes behind what was read")
  void c001AWriteUnderWayIsNotPassedBy() throws Exception {
    Requests slow = new Requests();
    try (Storage late = table.open(slow);
        Storage other = table.open()) {
      Row lateHead = begun(late);
      Row head = begun(other);
      CountDownLatch sent = new CountDownLatch(1);
      CountDownLatch go = new CountDownLatch(1);
      slow.clear();
      slow.before(
          TransactWriteItemsRequest.class,
          1,
          () -> {
            sent.countDown();
            await(go);
          });
      CompletableFuture<Row> lateStep = CompletableFuture.supplyAsync(() -> step(late, lateHead));
      await(sent);
      step(other, head);
      FeedChunk first = feed(other, Optional.empty());
      assertThat(first.entries()).hasSize(1);
      go.countDown();
      lateStep.get(30, TimeUnit.SECONDS);
      // The first try was below what was read, and refused.
      assertThat(slow.writes()).hasSize(2);
      assertThat(feed(other, first.next()).entries()).hasSize(1);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(4, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theFeedGoesOnThoughWhoWroteIsGoneAndLeftHisSlot() {
    // Never closed, as if its process were killed.
    Storage left = table.open();
    step(left, step(left, begun(left)));
    try (Storage reader = table.open()) {
      FeedChunk chunk = feed(reader, Optional.empty());
      assertThat(numbers(chunk)).containsExactly(1L, 2L);
      step(reader, begun(reader));
      assertThat(numbers(feed(reader, chunk.next()))).containsExactly(1L);
    }
  }

  @Test
  void theFeedHasWhatAHandleWroteThatClosedInOrder() {
    try (Storage writer = table.open()) {
      step(writer, begun(writer));
    }
    try (Storage reader = table.open();
        DynamoDbEngine engine = table.engine()) {
      assertThat(numbers(feed(reader, Optional.empty()))).containsExactly(1L);
      assertThat(engine.control().read(deadline()).slots()).isEmpty();
    }
  }

  @Test
  void aWriteThatIsHalfVisibleHoldsTheHorizon() {
    Requests requests = new Requests();
    try (Storage writer = table.open();
        Storage reader = table.open(requests)) {
      Row head = begun(writer);
      FeedChunk before = feed(reader, Optional.empty());
      step(writer, head);
      requests.clear();
      requests.before(
          TransactGetItemsRequest.class,
          3,
          () -> {
            throw Weather.conflict(1);
          });
      FeedChunk after = feed(reader, before.next());
      assertThat(numbers(after)).containsExactly(1L);
      List<String> names = requests.names();
      // Three times refused, then each item that the write added to the feed.
      assertThat(names).filteredOn("TransactGetItems"::equals).hasSize(6);
      // What tells others how far it is comes behind them.
      assertThat(names.lastIndexOf("UpdateItem"))
          .isGreaterThan(names.lastIndexOf("TransactGetItems"));
    }
  }

  @Test
  void theFeedIsInTheOrderOfTheCommitsWhateverTheClocksSay() {
    try (Storage ahead = open(Duration.ofHours(1));
        Storage behind = open(Duration.ofHours(-1));
        Storage reader = table.open()) {
      Row head = begun(behind);
      for (int i = 0; i < 5; i++) {
        head = step(behind, step(ahead, head));
      }
      assertThat(numbers(feed(reader, Optional.empty())))
          .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
    }
  }

  private Storage open(Duration ahead, ExecutionInterceptor... interceptors) {
    DynamoDbSettings settings = DynamoDbSettings.of(table.settings());
    StampClock clock = new StampClock(() -> Instant.now().plus(ahead));
    return KvStore.open(
        new DynamoDbEngine(Tables.open(settings, List.of(interceptors)), settings.shards(), clock),
        deadline());
  }

  @Test
  void aSlotThatSomebodyRemovedIsReplaced() {
    try (Storage storage = table.open();
        DynamoDbEngine engine = table.engine()) {
      Row head = step(storage, begun(storage));
      engine
          .control()
          .read(deadline())
          .slots()
          .forEach(slot -> engine.control().removeSlot(slot, deadline()));
      head = step(storage, head);
      step(storage, head);
      assertThat(numbers(feed(storage, Optional.empty()))).containsExactly(1L, 2L, 3L);
    }
  }

  @Test
  void aSlotThatWasLeftForLongIsRemovedByAReader() {
    try (Storage left = open(Duration.ofMinutes(-11));
        Storage storage = table.open();
        DynamoDbEngine engine = table.engine()) {
      Row old = step(left, begun(left));
      Row head = step(storage, begun(storage));
      assertThat(feed(storage, Optional.empty()).entries()).hasSize(2);
      assertThat(engine.control().read(deadline()).slots()).hasSize(1);
      step(left, old);
      step(storage, head);
      assertThat(feed(storage, Optional.empty()).entries()).hasSize(4);
    }
  }

  @Test
  void aNewEpochEndsWhatWasReadInTheOldOne() {
    try (Storage storage = table.open();
        DynamoDbEngine engine = table.engine()) {
      Row head = step(storage, begun(storage));
      assertThat(new DynamoDbStorageProvider().backups().beginEpoch(table.settings()).epoch())
          .isEqualTo(2);
      assertThat(engine.control().read(deadline()).slots()).isEmpty();
      assertThatThrownBy(() -> storage.commit(TestRows.step(head), deadline()))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("epoch");
    }
    try (Storage storage = table.open()) {
      assertThat(storage.identity().epoch()).isEqualTo(2);
      assertThat(feed(storage, Optional.empty()).entries()).hasSize(1);
    }
  }
}
