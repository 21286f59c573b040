/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.dynamodb;

import static io.wovyr.persistence.kv.TestRows.deadline;
import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.kv.TestRows;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Storage;
import java.util.Collections;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a durable step costs: the numbers of docs/stores/dynamodb.md. */
class DurableStepIT {
  private static final int STEPS = 20;
  private static TestTable table;

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

  @Test
  void aStepIsOneTransactionAndNothingIsReadBeforeIt() {
    Requests requests = new Requests();
    try (Storage storage = table.open(requests)) {
      Row head = step(storage, begun(storage));
      requests.clear();
      for (int i = 0; i < STEPS; i++) {
        head = step(storage, head);
      }
      assertThat(requests.names()).isEqualTo(Collections.nCopies(STEPS, "TransactWriteItems"));
      // The slot, the head, the tail of its events, their block, the feeds of the tenant and of
      // all.
      assertThat(requests.writes())
          .allSatisfy(write -> assertThat(write.transactItems()).hasSize(6));
      assertThat(requests.bytes() / STEPS).as("bytes of a request").isBetween(2_000L, 2_500L);
    }
  }

  @Test
  void aFeedWithNothingNewIsReadWithoutAWrite() {
    Requests requests = new Requests();
    try (Storage storage = table.open(requests)) {
      step(storage, begun(storage));
      var chunk = storage.feed(TestRows.SCOPE, Optional.empty(), 1_000, deadline());
      requests.clear();
      assertThat(storage.feed(TestRows.SCOPE, chunk.next(), 1_000, deadline()).entries()).isEmpty();
      assertThat(requests.names()).containsOnly("Query", "GetItem");
    }
  }
}
