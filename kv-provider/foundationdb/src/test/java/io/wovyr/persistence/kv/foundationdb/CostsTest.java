/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.kv.TestRows;
import io.wovyr.persistence.kv.foundationdb.FakeCounts.Cost;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Storage;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a durable step costs, as docs/stores/foundationdb.md says. */
class CostsTest {
  private final FakeStore store = FakeStore.migrated();

  private Cost costOf(Storage storage, Batch batch) {
    store.cluster().counts.take();
    storage.commit(List.of(batch), TestRows.deadline());
    List<Cost> costs = store.cluster().counts.take();
    assertThat(costs).as("transactions of a commit").hasSize(1);
    return costs.get(0);
  }

  @Test
  void aStepIsOneTransactionOfThreeRoundTrips() {
    try (Storage storage = store.open()) {
      Row head = TestRows.head(UUID.randomUUID());
      Cost created = costOf(storage, TestRows.batch(new Mutation.Insert(head)));
      Cost first = costOf(storage, TestRows.step(head));
      Cost second = costOf(storage, TestRows.step(TestRows.stepped(head)));
      // Read version, all guards at once, commit.
      assertThat(List.of(created.roundTrips(), first.roundTrips(), second.roundTrips()))
          .containsOnly(3);
      // The epoch, the head, the highest number of its events; and the marker for conflicts only.
      assertThat(second.reads()).isEqualTo(3);
      assertThat(second.readConflicts()).isEqualTo(4);
      // The head, that number, the block of events, the tenant's feed, the feed of all, the marker.
      assertThat(second.mutations()).isEqualTo(6);
      assertThat(second.writeConflicts()).isEqualTo(6);
      assertThat(second.bytes()).isBetween(1_400L, 1_700L);
      assertThat(first).isEqualTo(second);
    }
  }
}
