/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.memory;

import io.wovyr.persistence.PersistenceException.FeedTruncated;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.storage.spi.FeedChunk;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Rows of the feed by position: epoch · 2^40 plus a counter, taken when the row is written, so that
 * no lower position shows up later. A cursor carries where its reader stands and where the feed
 * ended when that reader began: only what was purged after that, and beyond where it stands, is
 * missing for it. So a reader that begins after a purge is not told that it misses what nobody
 * could read any more. Not thread-safe: the store's lock guards it.
 */
final class MemoryFeed {
  private static final int COUNTER_BITS = 40;

  private record Item(String tenant, Row row) {}

  /** A purge, and the highest position it removed. */
  private record Mark(long at, long upTo) {}

  /** What a cursor says. */
  private record Place(long position, long begun) {
    FeedCursor cursor(long epoch) {
      return new FeedCursor(epoch, position + "-" + begun);
    }
  }

  private final NavigableMap<Long, Item> all = new TreeMap<>();
  private final Map<String, NavigableMap<Long, Item>> byTenant = new HashMap<>();
  private final Map<MemoryRows.Place, Long> positions = new HashMap<>();
  private final Map<String, List<Mark>> marks = new HashMap<>();
  private long last = 1L << COUNTER_BITS;

  /** Goes on above everything of the epochs before. */
  void begin(long epoch) {
    last = epoch << COUNTER_BITS;
  }

  /** A position above all that were given out. */
  long nextPosition() {
    return ++last;
  }

  /** A row was written at this position. */
  void inserted(String tenant, Row row, long position) {
    Item item = new Item(tenant, row);
    all.put(position, item);
    byTenant.computeIfAbsent(tenant, t -> new TreeMap<>()).put(position, item);
    positions.put(new MemoryRows.Place(tenant, row.key()), position);
  }

  /** The first of these cursors that a row of the feed lies beyond. */
  Optional<FeedCursor> passed(String tenant, List<Key> keys, List<FeedCursor> cursors, long epoch) {
    long highest = highest(tenant, keys);
    return cursors.stream().filter(cursor -> highest > place(cursor, epoch).position()).findFirst();
  }

  private long highest(String tenant, List<Key> keys) {
    return keys.stream()
        .mapToLong(key -> positions.getOrDefault(new MemoryRows.Place(tenant, key), 0L))
        .max()
        .orElse(0);
  }

  /** Forgets purged rows, and marks that they were there. */
  void purged(String tenant, List<Key> keys) {
    long upTo = highest(tenant, keys);
    if (upTo > 0) {
      List<Mark> standing = marks.computeIfAbsent(tenant, t -> new ArrayList<>());
      standing.removeIf(mark -> mark.upTo() <= upTo);
      standing.add(new Mark(nextPosition(), upTo));
    }
    for (Key key : keys) {
      Long position = positions.remove(new MemoryRows.Place(tenant, key));
      if (position != null) {
        all.remove(position);
        byTenant.getOrDefault(tenant, new TreeMap<>()).remove(position);
      }
    }
  }

  FeedChunk read(Scope scope, Optional<FeedCursor> after, long epoch, int limit) {
    Place from = after.map(cursor -> place(cursor, epoch)).orElse(new Place(0, last));
    refuseTruncated(scope, from);
    List<FeedChunk.Entry> entries = new ArrayList<>();
    for (Map.Entry<Long, Item> item : items(scope).tailMap(from.position(), false).entrySet()) {
      if (entries.size() == limit) {
        break;
      }
      FeedCursor cursor = new Place(item.getKey(), from.begun()).cursor(epoch);
      entries.add(new FeedChunk.Entry(item.getValue().tenant(), item.getValue().row(), cursor));
    }
    FeedCursor next =
        entries.isEmpty()
            ? after.orElseGet(() -> from.cursor(epoch))
            : entries.get(entries.size() - 1).cursor();
    return new FeedChunk(entries, Optional.of(next), Optional.empty());
  }

  private NavigableMap<Long, Item> items(Scope scope) {
    return scope instanceof Scope.System
        ? all
        : byTenant.getOrDefault(scope.tenantId(), new TreeMap<>());
  }

  /** Refuses a reader that would miss rows which were purged after it began. */
  private void refuseTruncated(Scope scope, Place from) {
    Stream<Mark> mine =
        scope instanceof Scope.System
            ? marks.values().stream().flatMap(List::stream)
            : marks.getOrDefault(scope.tenantId(), List.of()).stream();
    if (mine.anyMatch(mark -> mark.at() > from.begun() && mark.upTo() > from.position())) {
      throw new FeedTruncated(
          "rows after position %d of the feed were purged: begin again from a copy"
              .formatted(from.position()));
    }
  }

  private static Place place(FeedCursor cursor, long epoch) {
    if (cursor.epoch() > epoch) {
      throw new InvalidInput(
          "the cursor is of epoch %d, the store in %d: it belongs to another store"
              .formatted(cursor.epoch(), epoch));
    }
    try {
      String[] parts = cursor.position().split("-", 2);
      return new Place(Long.parseLong(parts[0]), Long.parseLong(parts[parts.length - 1]));
    } catch (NumberFormatException e) {
      throw new InvalidInput("this is not a cursor of this store's feed");
    }
  }
}
