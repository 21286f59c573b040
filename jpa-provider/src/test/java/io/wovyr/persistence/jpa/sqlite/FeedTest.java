/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import static io.wovyr.persistence.jpa.sqlite.TestRows.SCOPE;
import static io.wovyr.persistence.jpa.sqlite.TestRows.TENANT;
import static io.wovyr.persistence.jpa.sqlite.TestRows.batch;
import static io.wovyr.persistence.jpa.sqlite.TestRows.deadline;
import static io.wovyr.persistence.jpa.sqlite.TestRows.event;
import static io.wovyr.persistence.jpa.sqlite.TestRows.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.PersistenceException.FeedTruncated;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.FeedChunk;
import io.wovyr.persistence.storage.spi.Purge;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Feed keys only grow, whatever is purged or restored. */
class FeedTest {
  @TempDir Path directory;
  private SqliteStore store;
  private Storage storage;

  @BeforeEach
  void open() {
    store = SqliteStore.in(directory);
    storage = store.open();
  }

  @AfterEach
  void close() {
    storage.close();
  }

  private void append(String tenant, UUID execution, long sequence) {
    CommitOutcome outcome =
        storage.commit(
            batch(Scope.tenant(tenant), insert(event(tenant, execution, sequence))), deadline());
    assertThat(outcome).isInstanceOf(CommitOutcome.Committed.class);
  }

  private List<Long> keys(Scope scope, Optional<FeedCursor> after) {
    List<Long> keys = new ArrayList<>();
    for (FeedChunk.Entry entry : storage.feed(scope, after, 1_000, deadline()).entries()) {
      keys.add(FeedPlace.of(entry.cursor(), Long.MAX_VALUE).key());
    }
    return keys;
  }

  private void purgeAll(UUID execution) {
    storage.purge(
        SCOPE,
        new Purge(batch(), RecordTypes.EVENT, List.of(execution), 1L, Long.MAX_VALUE, List.of()),
        deadline());
  }

  private FeedCursor cursorAfter(int rows) {
    return storage.feed(SCOPE, Optional.empty(), rows, deadline()).next().orElseThrow();
  }

  @Test
  void onlyWhoMissedARowIsTruncated() {
    UUID low = UUID.randomUUID();
    UUID middle = UUID.randomUUID();
    UUID high = UUID.randomUUID();
    for (UUID execution : List.of(low, middle, high)) {
      append(TENANT, execution, 1);
      append(TENANT, execution, 2);
    }
    FeedCursor beforeAll = cursorAfter(1);
    purgeAll(high);
    FeedCursor begunBetween = cursorAfter(1);
    FeedCursor begunBetweenAndBeyond = cursorAfter(3);
    purgeAll(low);

    assertThatThrownBy(() -> storage.feed(SCOPE, Optional.of(beforeAll), 9, deadline()))
        .isInstanceOf(FeedTruncated.class);
    assertThatThrownBy(() -> storage.feed(SCOPE, Optional.of(begunBetween), 9, deadline()))
        .isInstanceOf(FeedTruncated.class);
    assertThat(keys(SCOPE, Optional.of(begunBetweenAndBeyond))).hasSize(1);
    assertThat(keys(SCOPE, Optional.empty())).hasSize(2);
  }

  @Test
  void keysBeginAtTheEpoch() {
    append(TENANT, UUID.randomUUID(), 1);
    assertThat(keys(SCOPE, Optional.empty())).containsExactly((1L << 48) + 1);
  }

  @Test
  void noKeyIsGivenOutTwiceEvenWhenNothingIsLeft() {
    UUID execution = UUID.randomUUID();
    for (long sequence = 1; sequence <= 5; sequence++) {
      append(TENANT, execution, sequence);
    }
    List<Long> before = keys(SCOPE, Optional.empty());
    purgeAll(execution);
    assertThat(keys(SCOPE, Optional.empty())).isEmpty();
    storage.close();
    storage = store.open();

    append(TENANT, execution, 6);
    append("other", UUID.randomUUID(), 1);

    assertThat(keys(SCOPE, Optional.empty())).allMatch(key -> key > before.get(4)).hasSize(1);
    assertThat(keys(new Scope.System("test"), Optional.empty()))
        .isSorted()
        .doesNotHaveDuplicates()
        .allMatch(key -> key > before.get(4))
        .hasSize(2);
  }

  @Test
  void aNewEpochBeginsAboveAllKeysAndRefusesBatchesOfTheOldOne() throws Exception {
    UUID execution = UUID.randomUUID();
    append(TENANT, execution, 1);
    Optional<FeedCursor> cursor = storage.feed(SCOPE, Optional.empty(), 10, deadline()).next();
    store.run("UPDATE wovyr_store SET epoch = 2");

    Row event = event(TENANT, execution, 2);
    Batch old = batch(insert(event));
    assertThatThrownBy(() -> storage.commit(old, deadline()))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("epoch 1")
        .hasMessageContaining("epoch 2");
    assertThat(storage.identity().epoch()).isEqualTo(2);

    Batch fresh =
        new Batch(old.commitId(), 2, SCOPE, Optional.empty(), List.of(insert(event)), List.of());
    assertThat(storage.commit(fresh, deadline())).isInstanceOf(CommitOutcome.Committed.class);
    assertThat(keys(SCOPE, cursor)).containsExactly((2L << 48) + 1);
  }

  @Test
  void aCursorOfAnotherStoreIsRefused() {
    for (FeedCursor cursor :
        List.of(new FeedCursor(9, "1-1"), new FeedCursor(1, "north"), new FeedCursor(1, "1"))) {
      assertThatThrownBy(() -> storage.feed(SCOPE, Optional.of(cursor), 10, deadline()))
          .isInstanceOf(InvalidInput.class);
    }
  }

  @Test
  void whatWasRolledBackLeavesNoKeyBehindThatComesLate() {
    UUID execution = UUID.randomUUID();
    append(TENANT, execution, 1);
    // Two batches in one transaction: the first fails after it took keys.
    List<CommitOutcome> outcomes =
        storage.commit(
            List.of(
                batch(insert(event(TENANT, execution, 2)), insert(event(TENANT, execution, 1))),
                batch(insert(event(TENANT, execution, 3)))),
            deadline());
    assertThat(outcomes.get(0)).isInstanceOf(CommitOutcome.Conflict.class);
    assertThat(outcomes.get(1)).isInstanceOf(CommitOutcome.Committed.class);
    assertThat(keys(SCOPE, Optional.empty())).isSorted().doesNotHaveDuplicates().hasSize(2);
  }
}
