/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import static io.wovyr.persistence.kv.GoldenRows.SCOPE;
import static io.wovyr.persistence.kv.GoldenRows.deadline;
import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.FeedChunk;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Purge;
import io.wovyr.persistence.storage.spi.PurgeOutcome;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Storage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The events of a commit are one value, whatever is cut out of it. */
class BlocksTest {
  private final PartitionedMemory.Table table = new PartitionedMemory.Table(4);
  private Storage storage;

  @BeforeEach
  void open() {
    KvStore.create(new PartitionedMemory(table), deadline());
    storage = KvStore.open(new PartitionedMemory(table), deadline());
  }

  private CommitOutcome append(long... sequences) {
    List<Mutation> inserts = new ArrayList<>();
    for (long sequence : sequences) {
      inserts.add(new Mutation.Insert(GoldenRows.event(sequence)));
    }
    return storage.commit(batch(inserts), deadline());
  }

  private static Batch batch(List<Mutation> mutations) {
    return new Batch(UUID.randomUUID(), 1, SCOPE, Optional.empty(), mutations, List.of());
  }

  private void purge(long from, long to) {
    Row lease = GoldenRows.row(RecordTypes.NAMED_LEASE, (int) (100 + from), false);
    Purge purge =
        new Purge(
            batch(List.of(new Mutation.Insert(lease))),
            RecordTypes.EVENT,
            List.of(GoldenRows.EXECUTION),
            from,
            to,
            List.of());
    assertThat(storage.purge(SCOPE, purge, deadline()))
        .isEqualTo(new PurgeOutcome.Purged((int) (to - from)));
  }

  private List<Long> stored() {
    Scan events = Scan.byKey(RecordTypes.EVENT, List.of(GoldenRows.EXECUTION), 100);
    return storage.scan(SCOPE, events, ReadOptions.strong(deadline())).items().stream()
        .map(row -> (Long) row.key().values().get(1))
        .toList();
  }

  private List<Long> inFeed() {
    FeedChunk chunk = storage.feed(SCOPE, Optional.empty(), 100, deadline());
    return chunk.entries().stream().map(entry -> (Long) entry.row().key().values().get(1)).toList();
  }

  private static List<Long> numbers(long from, long to) {
    return LongStream.rangeClosed(from, to).boxed().toList();
  }

  /** How many keys there are of this kind, by the byte behind tenant or space. */
  private long keys(int kind) {
    return table.all().keySet().stream()
        .filter(
            place -> {
              byte[] key = place.bytes();
              int at = key[0] == 1 ? 1 + new KeyWriter().text("acme").size() : 1;
              return key[0] != 0 && key[at] == kind;
            })
        .count();
  }

  @Test
  void theEventsOfACommitAreOneValue() {
    append(1, 2, 3, 4, 5, 6, 7, 8);

    assertThat(keys(0x10)).isEqualTo(1);
    assertThat(keys(0x18)).as("one tail").isEqualTo(1);
    assertThat(keys(0x40)).as("the tenant's feed and that of all").isEqualTo(2);
    assertThat(stored()).isEqualTo(numbers(1, 8));
  }

  @Test
  void whatAPurgeCutsInPiecesIsGoneFromTheFeedAsWell() {
    append(1, 2, 3, 4, 5, 6, 7, 8);
    purge(3, 5);
    assertThat(stored()).containsExactly(1L, 2L, 5L, 6L, 7L, 8L).isEqualTo(inFeed());
    purge(1, 3);
    purge(7, 8);
    assertThat(stored()).containsExactly(5L, 6L, 8L).isEqualTo(inFeed());
    assertThat(append(9)).isInstanceOf(CommitOutcome.Committed.class);
    purge(5, 7);
    purge(8, 10);

    assertThat(stored()).isEmpty();
    assertThat(inFeed()).isEmpty();
    assertThat(keys(0x40)).as("nothing of them is left in the feed").isZero();
    assertThat(keys(0x30)).as("nor in any path, but the path of leases has none").isZero();
    assertThat(keys(0x50)).as("the newest mark covers the others").isEqualTo(2);
    assertThat(keys(0x18)).as("the tail stays: numbers are never given again").isEqualTo(1);
  }

  @Test
  void aNumberBelowTheHighestIsWrittenWhereItIsFreeAndOnlyOnce() {
    append(5, 6, 7);

    assertThat(append(2, 3)).isInstanceOf(CommitOutcome.Committed.class);
    assertThat(append(3, 4)).isInstanceOf(CommitOutcome.Conflict.class);
    assertThat(append(6)).isInstanceOf(CommitOutcome.Conflict.class);
    assertThat(append(1, 4, 8)).isInstanceOf(CommitOutcome.Committed.class);

    assertThat(stored()).isEqualTo(numbers(1, 8));
    assertThat(inFeed()).containsExactly(5L, 6L, 7L, 2L, 3L, 1L, 4L, 8L);
  }

  @Test
  void aNumberThatWasPurgedInTheMiddleOfABlockMayBeWrittenAgain() {
    append(1, 2, 3);
    purge(2, 3);

    assertThat(append(2)).isInstanceOf(CommitOutcome.Committed.class);

    assertThat(stored()).isEqualTo(numbers(1, 3));
    assertThat(inFeed()).containsExactly(1L, 3L, 2L);
  }
}
