/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.storage.spi.Attribute;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FeedMergeTest {
  private static final int ROW_BYTES = 100;

  private static Row row(int bytes) {
    List<@Nullable Object> values = new ArrayList<>();
    for (Attribute attribute : RecordTypes.EVENT.attributes()) {
      values.add(attribute.nullable() ? null : plain(attribute, bytes));
    }
    RecordHeader header =
        new RecordHeader(
            UUID.randomUUID(), "acme", 1, Instant.EPOCH, Instant.EPOCH, "x", 1, 1, 1, Bytes.EMPTY);
    return new Row(Key.of(RecordTypes.EVENT, UUID.randomUUID(), 1L), header, values);
  }

  private static Object plain(Attribute attribute, int bytes) {
    return switch (attribute.kind()) {
      case TEXT -> "x";
      case LONG -> 0L;
      case UUID -> new UUID(0, 0);
      case BYTES -> Bytes.wrap(new byte[bytes]);
      default -> throw new IllegalStateException("give " + attribute + " a value");
    };
  }

  /** Offers the rows of a table, from a place on, as a reader of it does. */
  private static void read(FeedMerge<Long> merge, List<Long> places, long after, int limit) {
    FeedMerge<Long>.Table table = merge.table();
    places.stream()
        .filter(place -> place > after)
        .limit(limit)
        .takeWhile(place -> table.add(place, "acme", row(ROW_BYTES)))
        .forEach(place -> {});
  }

  private static FeedMerge<Long> merge(List<List<Long>> tables, long after, int limit, long bytes) {
    FeedMerge<Long> merge = new FeedMerge<>(bytes);
    tables.forEach(places -> read(merge, places, after, limit));
    return merge;
  }

  private static List<Long> page(List<List<Long>> tables, long after, int limit, long bytes) {
    return merge(tables, after, limit, bytes).page(limit, FeedMerge.Found::place);
  }

  @Test
  void rowsOfSeveralTablesComeInTheOrderOfTheFeed() {
    List<List<Long>> tables = List.of(List.of(1L, 4L, 5L), List.of(2L, 6L), List.of(3L));
    assertThat(page(tables, 0, 10, 1 << 20)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    assertThat(page(tables, 2, 2, 1 << 20)).containsExactly(3L, 4L);
  }

  @Test
  void nothingIsDeliveredBeyondWhereATableOfLargeRowsWasLeft() {
    List<List<Long>> tables = List.of(List.of(1L, 2L, 5L, 6L), List.of(3L, 9L));
    // Of the first table two rows are read; its row 5 comes before the other's 9.
    FeedMerge<Long> merge = merge(tables, 0, 10, ROW_BYTES);
    assertThat(merge.isCutShort()).isTrue();
    assertThat(merge.page(10, FeedMerge.Found::place)).doesNotContain(9L).startsWith(1L);
  }

  @Test
  void aRowLargerThanAPageIsAPageOfItsOwn() {
    assertThat(page(List.of(List.of(1L, 2L)), 0, 10, 1)).containsExactly(1L);
    assertThat(page(List.of(List.of(1L, 2L)), 1, 10, 1)).containsExactly(2L);
  }

  @Test
  void pageAfterPageEveryRowComesOnceAndInOrderWhateverTheTablesHold() {
    Random random = new Random(11);
    for (int round = 0; round < 300; round++) {
      List<List<Long>> tables = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
      TreeSet<Long> all = new TreeSet<>();
      for (long place = 1; place <= 40; place++) {
        if (random.nextInt(5) > 0) {
          tables.get(random.nextInt(3)).add(place);
          all.add(place);
        }
      }
      int limit = 1 + random.nextInt(8);
      long bytes = 1 + random.nextInt(5_000);
      List<Long> seen = new ArrayList<>();
      List<Long> next = page(tables, 0, limit, bytes);
      while (!next.isEmpty()) {
        seen.addAll(next);
        next = page(tables, seen.get(seen.size() - 1), limit, bytes);
      }
      assertThat(seen).as("limit %d, %d bytes", limit, bytes).containsExactlyElementsOf(all);
    }
  }
}
