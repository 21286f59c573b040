/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.rocksdb;

import static io.wovyr.persistence.kv.TestRows.SCOPE;
import static io.wovyr.persistence.kv.TestRows.deadline;
import static io.wovyr.persistence.kv.TestRows.strong;
import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.kv.TestRows;
import io.wovyr.persistence.storage.spi.FeedChunk;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Storage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages have a limit of bytes beside that of rows, however they are read, and lose nothing. */
class LargePagesTest {
  private static final UUID EXECUTION = new UUID(3, 3);
  private static final UUID ORDER = new UUID(4, 4);
  private static final int ROWS = 80;
  private static final int ROW_BYTES = 512 << 10;
  private static final long PAGE_BYTES = 16L << 20;
  private static final List<Long> ALL = LongStream.rangeClosed(1, ROWS).boxed().toList();

  @TempDir Path directory;
  private Storage storage;

  @BeforeEach
  void fill() {
    storage = RocksDbDirectory.in(directory).open();
    for (long sequence : ALL) {
      Row event = event(EXECUTION, sequence, ORDER, ROW_BYTES);
      storage.commit(TestRows.batch(new Mutation.Insert(event)), deadline());
    }
  }

  @AfterEach
  void close() {
    storage.close();
  }

  private static List<Long> numbers(List<Row> rows) {
    long bytes = rows.stream().mapToLong(Row::sizeBytes).sum();
    assertThat(bytes).isLessThan(PAGE_BYTES + 2 * ROW_BYTES);
    return rows.stream().map(row -> (Long) row.key().values().get(1)).toList();
  }

  private static Row event(UUID execution, long sequence, UUID order, int bytes) {
    return TestRows.event(execution, sequence)
        .with("correlationId", order)
        .with("changes", Bytes.wrap(new byte[bytes]));
  }

  private void assertPagesOf(Scan scan, List<Long> expected) {
    List<Long> found = new ArrayList<>();
    int pages = 0;
    Optional<String> next = Optional.empty();
    do {
      Page<Row> page = storage.scan(SCOPE, scan.after(next), strong());
      found.addAll(numbers(page.items()));
      next = page.next();
      pages++;
    } while (next.isPresent());
    assertThat(found).isEqualTo(expected);
    assertThat(pages).isGreaterThan(2);
  }

  @Test
  void byKey() {
    assertPagesOf(Scan.byKey(RecordTypes.EVENT, List.of(EXECUTION), 1_000), ALL);
  }

  @Test
  void byAPath() {
    Scan scan = Scan.byPath(RecordTypes.EVENT, "by_correlation", List.of(ORDER), 1_000);
    assertPagesOf(scan, ALL);
    List<Long> backwards = new ArrayList<>(ALL);
    java.util.Collections.reverse(backwards);
    assertPagesOf(scan.descending(), backwards);
  }

  @Test
  void byAPathOfVeryLargeRows() {
    UUID execution = new UUID(5, 5);
    UUID order = new UUID(6, 6);
    int rowBytes = 4 << 20;
    for (long sequence = 1; sequence <= 12; sequence++) {
      Row event = event(execution, sequence, order, rowBytes);
      storage.commit(TestRows.batch(new Mutation.Insert(event)), deadline());
    }
    Scan scan = Scan.byPath(RecordTypes.EVENT, "by_correlation", List.of(order), 1_000);
    int rows = 0;
    Optional<String> next = Optional.empty();
    do {
      Page<Row> page = storage.scan(SCOPE, scan.after(next), strong());
      long bytes = page.items().stream().mapToLong(Row::sizeBytes).sum();
      assertThat(bytes).isLessThan(PAGE_BYTES + rowBytes);
      rows += page.items().size();
      next = page.next();
    } while (next.isPresent());
    assertThat(rows).isEqualTo(12);
  }

  @Test
  void ofTheFeed() {
    List<Long> found = new ArrayList<>();
    int pages = 0;
    Optional<FeedCursor> after = Optional.empty();
    while (true) {
      FeedChunk chunk = storage.feed(SCOPE, after, 1_000, deadline());
      if (chunk.entries().isEmpty()) {
        break;
      }
      found.addAll(numbers(chunk.entries().stream().map(FeedChunk.Entry::row).toList()));
      after = chunk.next();
      pages++;
    }
    assertThat(found).isEqualTo(ALL);
    assertThat(pages).isGreaterThan(2);
  }
}
