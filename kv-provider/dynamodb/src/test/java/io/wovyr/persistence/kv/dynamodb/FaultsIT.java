/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.dynamodb;

import static io.wovyr.persistence.kv.TestRows.SCOPE;
import static io.wovyr.persistence.kv.TestRows.deadline;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.kv.TestRows;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Storage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Answers that are lost, conflicts, throttling, and writes that are too large. */
class FaultsIT {
  private static final int FOR_EVER = Integer.MAX_VALUE;
  private static TestTable table;

  private final Requests requests = new Requests();
  private Storage storage;
  private Row head;

  @BeforeAll
  static void makeTheTable() {
    table = TestTable.fresh();
  }

  @AfterAll
  static void removeTheTable() {
    if (table != null) {
      table.close();
    }
  }

  @BeforeEach
  void beginAnExecution() {
    storage = table.open(requests);
    head = TestRows.head(UUID.randomUUID());
    assertThat(storage.commit(TestRows.batch(new Mutation.Insert(head)), deadline()))
        .isInstanceOf(CommitOutcome.Committed.class);
    requests.clear();
  }

  @AfterEach
  void close() {
    requests.clear();
    storage.close();
  }

  private void assertStepped() {
    assertThat(storage.commit(TestRows.step(head), deadline()))
        .isInstanceOf(CommitOutcome.Committed.class);
    assertThat(steps()).isEqualTo(1);
  }

  private int steps() {
    int events = TestRows.all(storage, RecordTypes.EVENT, head.key().values().get(0)).size();
    assertThat(TestRows.lastSequence(TestRows.stored(storage, head.key()).orElseThrow()))
        .isEqualTo(events);
    return events;
  }

  private static Runnable throwing(RuntimeException e) {
    return () -> {
      throw e;
    };
  }

  @Test
  void aLostAnswerIsAskedForAgainWithTheSameToken() {
    requests.after(TransactWriteItemsRequest.class, 1, throwing(Weather.lost()));
    assertStepped();
    assertThat(requests.writes())
        .hasSize(2)
        .extracting(TransactWriteItemsRequest::clientRequestToken)
        .containsOnly(requests.writes().get(0).clientRequestToken());
  }

  @Test
  void aWriteWhoseTokenWasForgottenIsToldBySlot() {
    requests.forgetTokens();
    requests.after(TransactWriteItemsRequest.class, 1, throwing(Weather.lost()));
    assertStepped();
    assertThat(requests.names()).contains("UpdateItem");
  }

  @Test
  void aWriteThatNeverArrivedIsWrittenOnce() {
    requests.before(TransactWriteItemsRequest.class, 3, throwing(Weather.lost()));
    assertStepped();
  }

  @Test
  void aRefusalAfterALostAnswerIsOneOnlyWhenNothingWasWritten() {
    try (Storage other = table.open()) {
      assertThat(other.commit(TestRows.step(head), deadline()))
          .isInstanceOf(CommitOutcome.Committed.class);
    }
    requests.before(TransactWriteItemsRequest.class, 1, throwing(Weather.lost()));
    assertThat(storage.commit(TestRows.step(head), deadline()))
        .isInstanceOf(CommitOutcome.Conflict.class);
    assertThat(steps()).isEqualTo(1);
  }

  @Test
  void anAnswerThatNeverComesLeavesTheOutcomeUnknownUntilTheDeadlineOnly() {
    requests.after(TransactWriteItemsRequest.class, FOR_EVER, throwing(Weather.lost()));
    long begun = System.nanoTime();
    assertThatThrownBy(
            () -> storage.commit(TestRows.step(head), Deadline.after(Duration.ofMillis(400))))
        .isInstanceOf(OutcomeUnknown.class);
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
    requests.clear();
    assertThat(steps()).isEqualTo(1);
    assertThat(storage.feed(SCOPE, Optional.empty(), 10_000, deadline()).entries())
        .filteredOn(entry -> entry.row().key().values().get(0).equals(head.key().values().get(0)))
        .hasSize(1);
  }

  @Test
  void transactionsThatConflictAreTriedAgainUntilTheDeadline() {
    requests.before(TransactWriteItemsRequest.class, 5, throwing(Weather.conflict(6)));
    assertStepped();
    head = TestRows.stepped(head);
    requests.before(TransactWriteItemsRequest.class, FOR_EVER, throwing(Weather.conflict(6)));
    assertThatThrownBy(
            () -> storage.commit(TestRows.step(head), Deadline.after(Duration.ofMillis(400))))
        .isInstanceOf(Unavailable.class);
    requests.clear();
    assertThat(steps()).isEqualTo(1);
  }

  @Test
  void aStormOfThrottlingIsWaitedOutAndNeverBeyondTheDeadline() {
    requests.before(TransactWriteItemsRequest.class, 6, throwing(Weather.throttled()));
    assertStepped();
    head = TestRows.stepped(head);
    requests.clear();
    requests.before(TransactWriteItemsRequest.class, FOR_EVER, throwing(Weather.throttled()));
    long begun = System.nanoTime();
    assertThatThrownBy(
            () -> storage.commit(TestRows.step(head), Deadline.after(Duration.ofMillis(600))))
        .isInstanceOf(Unavailable.class);
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
    // Backed off: without waiting there would be hundreds.
    assertThat(requests.writes()).hasSizeBetween(2, 60);
    requests.clear();
    assertThat(steps()).isEqualTo(1);
  }

  private Batch events(int count, int bytes) {
    List<Mutation> mutations = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Row event = TestRows.event(UUID.randomUUID(), 1);
      byte[] filling = new byte[bytes];
      mutations.add(
          new Mutation.Insert(event.with("changes", io.wovyr.persistence.Bytes.wrap(filling))));
    }
    return TestRows.batch(mutations.toArray(Mutation[]::new));
  }

  @Test
  @DisplayName("C016: a step of more records than a transaction takes is rejected before any write")
  void c016TooManyRecordsAreRejectedBeforeAnyRequest() {
    for (int records : new int[] {99, 100, 101, 301}) {
      assertThatThrownBy(() -> storage.commit(events(records, 10), deadline()))
          .isInstanceOf(Rejected.class)
          .hasMessageContaining("batchItems");
    }
    assertThatThrownBy(() -> storage.commit(events(16, 260_000), deadline()))
        .isInstanceOf(Rejected.class)
        .hasMessageContaining("batchBytes");
    assertThat(requests.all()).isEmpty();
  }

  @Test
  @DisplayName("C016: the largest step that the limits allow fits into one transaction")
  void c016TheLargestStepFits() {
    // Each event begins a series of its own: a block, its tail and its entry of an index.
    int most = DynamoDbEngine.LIMITS.batchItems();
    int perEvent = events(1, 0).items(DynamoDbEngine.LIMITS);
    int events = most / perEvent;
    assertThat(storage.commit(events(events, 2_900_000 / events), deadline()))
        .isInstanceOf(CommitOutcome.Committed.class);
    assertThat(requests.writes()).hasSize(1);
    assertThat(requests.writes().get(0).transactItems().size()).isLessThanOrEqualTo(100);
  }

  @Test
  @DisplayName("C017: a record beyond the limit of an item is rejected before any write")
  void c017TooLargeARecordIsRejectedBeforeAnyRequest() {
    for (int bytes : new int[] {399_000, 409_000, 409_600, 409_601, 600_000}) {
      assertThatThrownBy(() -> storage.commit(events(1, bytes), deadline()))
          .isInstanceOf(Rejected.class)
          .hasMessageContaining("recordBytes");
    }
    assertThat(requests.all()).isEmpty();
  }

  @Test
  @DisplayName("C014: nothing is written or read by batches that may leave items out")
  void c014NoBatchRequests() {
    assertStepped();
    storage.read(
        SCOPE,
        List.of(head.key(), TestRows.event((UUID) head.key().values().get(0), 1).key()),
        TestRows.strong());
    storage.statistics(SCOPE, deadline());
    storage.feed(SCOPE, Optional.empty(), 100, deadline());
    assertThat(requests.names())
        .isNotEmpty()
        .noneMatch(name -> name.startsWith("Batch") || name.equals("Scan"));
  }
}
