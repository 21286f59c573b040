/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.kv.Cursor.Item;
import io.wovyr.persistence.kv.engine.Found;
import io.wovyr.persistence.kv.engine.Place;
import io.wovyr.persistence.kv.engine.Range;
import io.wovyr.persistence.kv.engine.View;
import io.wovyr.persistence.storage.spi.Attribute.Kind;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordType.IndexEntry;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.ScopedKey;
import io.wovyr.persistence.storage.spi.Unreadable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads one page, in one view. For one thread. */
final class Scanner {
  private static final long MOST_BYTES = 16L << 20;
  private static final int MOST_ENTRIES = 1_024;

  /** How many rows are read at once by a path: at first, as nobody knows how large they are. */
  private static final int FIRST_PORTION = 2;

  private static final int LARGEST_PORTION = 32;

  private final View view;
  private final Layout layout;
  private final boolean snapshots;
  private final Scan scan;
  private final TypeLayout type;

  Scanner(View view, Layout layout, boolean snapshots, Scan scan) {
    this.view = view;
    this.layout = layout;
    this.snapshots = snapshots;
    this.scan = scan;
    this.type = TypeLayout.of(scan.type());
  }

  /** Rows by key. */
  Page<Row> byKey(String tenant) {
    ScanBounds bounds = ScanBounds.of(scan, type.keyKinds());
    List<Cursor<Row>> cursors = new ArrayList<>();
    if (!bounds.isEmpty()) {
      for (int shard : layout.shardsOf(scan.type(), scan.equal())) {
        cursors.add(rows(tenant, layout.rows(tenant, scan.type(), shard), bounds));
      }
    }
    return page(
        cursors,
        items -> {
          List<Row> rows = new ArrayList<>(items.size());
          items.forEach(item -> rows.add(item.value()));
          return rows;
        });
  }

  private Cursor<Row> rows(String tenant, Place partition, ScanBounds bounds) {
    Place low = bounds.from(partition);
    Place high = bounds.to(partition);
    Function<Found.Entry, List<Item<Row>>> items =
        entry -> rowsOf(tenant, partition, bounds, entry);
    if (!type.blocked()) {
      return cursor(new Range(low, high, scan.ascending()), null, items);
    }
    if (!scan.ascending()) {
      // The block that the lowest row lies in begins at or before it.
      return cursor(new Range(partition, high, false), low, items);
    }
    Cursor<Row> cursor = cursor(new Range(low, high, true), null, items);
    cursor.begin(
        lastBefore(partition, low)
            .map(entry -> rowsOf(tenant, partition, bounds, entry))
            .orElse(List.of()));
    return cursor;
  }

  private Optional<Found.Entry> lastBefore(Place partition, Place low) {
    Optional<Range> left =
        partition.compareTo(low) < 0
            ? Optional.of(new Range(partition, low, false))
            : Optional.empty();
    while (left.isPresent()) {
      Found found = view.range(left.get(), 1);
      if (!found.entries().isEmpty()) {
        return Optional.of(found.entries().get(0));
      }
      left = found.rest();
    }
    return Optional.empty();
  }

  private List<Item<Row>> rowsOf(
      String tenant, Place partition, ScanBounds bounds, Found.Entry entry) {
    Key first = Layout.keyOf(scan.type(), partition, entry.place());
    int size = entry.stored().body().size();
    List<Row> rows = Block.decode(first, tenant, entry.stored().body());
    if (rows.size() == 1) {
      int from = partition.bytes().length;
      return bounds.contains(entry.place(), from)
          ? List.of(new Item<>(entry.place(), from, rows.get(0), size))
          : List.of();
    }
    List<Item<Row>> items = new ArrayList<>(rows.size());
    for (Row row : rows) {
      Place order = new Place(Layout.values(type.keyKinds(), row.key().values()), 1);
      if (bounds.contains(order, 0)) {
        items.add(new Item<>(order, 0, row, size / rows.size()));
      }
    }
    if (!scan.ascending()) {
      Collections.reverse(items);
    }
    return items;
  }

  /** An entry of a path, and where its row is likely to be. */
  private record Pointer(String tenant, List<Object> values, Key key, Key block) {}

  /**
   * Rows by a path of the tenant. How large they are is known when they are read, some at a time.
   */
  Page<Row> byPath(String tenant, IndexLayout index) {
    List<Cursor<Pointer>> cursors = pointers(tenant, index);
    List<Item<Pointer>> found = Cursor.merged(cursors, scan.ascending(), scan.limit(), MOST_BYTES);
    RowReader reader = new RowReader(view, layout, tenant);
    List<Row> page = new ArrayList<>();
    int read = 0;
    long bytes = 0;
    long largest = 0;
    while (read < found.size() && bytes < MOST_BYTES && (read == 0 || view.isFresh())) {
      int next = Math.min(found.size() - read, portion(bytes, largest));
      for (Optional<Row> row : rows(reader, index, found.subList(read, read + next))) {
        row.ifPresent(page::add);
        long size = row.map(Row::sizeBytes).orElse(0);
        bytes += size;
        largest = Math.max(largest, size);
      }
      read += next;
    }
    boolean more =
        read < found.size() || cursors.stream().anyMatch(cursor -> cursor.peek() != null);
    return new Page<>(page, next(more, found.subList(0, read)));
  }

  /** So many rows, as large as the largest so far, as the page still has room for. */
  private static int portion(long bytes, long largest) {
    if (largest == 0) {
      return FIRST_PORTION;
    }
    return (int) Math.max(1, Math.min((MOST_BYTES - bytes) / largest, LARGEST_PORTION));
  }

  private List<Optional<Row>> rows(RowReader reader, IndexLayout index, List<Item<Pointer>> items) {
    List<Pointer> some = items.stream().map(Item::value).toList();
    List<Optional<Row>> rows =
        reader.rows(
            some.stream().map(Pointer::key).toList(), some.stream().map(Pointer::block).toList());
    List<Optional<Row>> kept = new ArrayList<>(rows.size());
    for (int i = 0; i < rows.size(); i++) {
      List<Object> values = some.get(i).values();
      kept.add(rows.get(i).filter(row -> snapshots || has(row, index, values)));
    }
    return kept;
  }

  /** Whether a row still has the entry that led to it. */
  private static boolean has(Row row, IndexLayout index, List<Object> values) {
    return row.values().stream().anyMatch(Unreadable.class::isInstance)
        || row.type().entries(row).contains(new IndexEntry(index.name(), false, values));
  }

  /** Keys by a path of the system. */
  Page<ScopedKey> bySystemPath(IndexLayout index) {
    return page(
        pointers("", index),
        items ->
            items.stream()
                .map(item -> new ScopedKey(item.value().tenant(), item.value().key()))
                .toList());
  }

  private List<Cursor<Pointer>> pointers(String tenant, IndexLayout index) {
    List<Kind> kinds = new ArrayList<>(index.kinds());
    if (!index.isOfSystem()) {
      kinds.addAll(type.keyKinds());
    }
    ScanBounds bounds = ScanBounds.of(scan, kinds);
    List<Cursor<Pointer>> cursors = new ArrayList<>();
    if (bounds.isEmpty()) {
      return cursors;
    }
    for (int shard : layout.everyShard()) {
      Place partition = layout.path(tenant, scan.type(), index, shard);
      Range range = new Range(bounds.from(partition), bounds.to(partition), scan.ascending());
      cursors.add(cursor(range, null, entry -> pointer(tenant, partition, index, entry)));
    }
    return cursors;
  }

  private List<Item<Pointer>> pointer(
      String tenant, Place partition, IndexLayout index, Found.Entry entry) {
    KeyReader in = new KeyReader(entry.place().bytes(), partition.bytes().length);
    List<Object> values = Layout.read(in, index.kinds());
    Key key = new Key(scan.type(), Layout.read(in, type.keyKinds()));
    String owner = index.isOfSystem() ? in.text() : tenant;
    byte[] hint = entry.stored().body().unsafeArray();
    Key block =
        hint.length == 0
            ? key
            : Block.withNumber(key, Block.number(key) - new ValueReader(hint).number());
    Pointer pointer = new Pointer(owner, values, key, block);
    return List.of(new Item<>(entry.place(), partition.bytes().length, pointer, 1_000));
  }

  private <T> Cursor<T> cursor(
      Range range, @Nullable Place last, Function<Found.Entry, List<Item<T>>> items) {
    return new Cursor<>(view, range, Math.min(scan.limit(), MOST_ENTRIES) + 1, last, items);
  }

  private <T, R> Page<R> page(List<Cursor<T>> cursors, Function<List<Item<T>>, List<R>> results) {
    List<Item<T>> items = Cursor.merged(cursors, scan.ascending(), scan.limit(), MOST_BYTES);
    boolean more = cursors.stream().anyMatch(cursor -> cursor.peek() != null);
    return new Page<>(results.apply(items), next(more, items));
  }

  /** Where to go on behind the last of these. */
  private <T> Optional<String> next(boolean more, List<Item<T>> items) {
    return more
        ? Optional.of(PageToken.encode(scan, items.get(items.size() - 1).order()))
        : Optional.empty();
  }
}
