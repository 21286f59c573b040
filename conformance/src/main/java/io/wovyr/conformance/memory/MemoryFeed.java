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
import io.wovyr.persistence.storage.spi.RecordType.FeedRole;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Rows of the feed by position: epoch · 2^40 plus a counter, taken when the row is written, so that
 * no lower position shows up later. Not thread-safe: the store's lock guards it.
 */
final class MemoryFeed {
  private static final int COUNTER_BITS = 40;

  private record Item(String tenant, Row row) {}

  private final NavigableMap<Long, Item> all = new TreeMap<>();
  private final Map<String, NavigableMap<Long, Item>> byTenant = new HashMap<>();
  private final Map<MemoryRows.Place, Long> positions = new HashMap<>();
  private final Map<String, Long> marks = new HashMap<>();
  private long mark;
  private long last = 1L << COUNTER_BITS;

  /** Goes on above everything of the epochs before. */
  void begin(long epoch) {
    last = epoch << COUNTER_BITS;
  }

  /** A position above all that were given out. */
  long nextPosition() {
    return ++last;
  }

  void inserted(String tenant, Row row) {
    if (row.type().feedRole() == FeedRole.RECORDS) {
      inserted(tenant, row, nextPosition());
    }
  }

  void inserted(String tenant, Row row, long position) {
    Item item = new Item(tenant, row);
    all.put(position, item);
    byTenant.computeIfAbsent(tenant, t -> new TreeMap<>()).put(position, item);
    positions.put(new MemoryRows.Place(tenant, row.key()), position);
  }

  /** The first of these places that a row of the feed lies beyond. */
  Optional<FeedCursor> passed(String tenant, List<Key> keys, List<FeedCursor> places, long epoch) {
    long highest = 0;
    for (Key key : keys) {
      highest = Math.max(highest, positions.getOrDefault(new MemoryRows.Place(tenant, key), 0L));
    }
    for (FeedCursor place : places) {
      if (highest > position(place, epoch)) {
        return Optional.of(place);
      }
    }
    return Optional.empty();
  }

  /** Forgets purged rows and raises the marks above them. */
  void purged(String tenant, List<Key> keys) {
    for (Key key : keys) {
      Long position = forget(tenant, key);
      if (position != null) {
        marks.merge(tenant, position, Math::max);
        mark = Math.max(mark, position);
      }
    }
  }

  private @org.jspecify.annotations.Nullable Long forget(String tenant, Key key) {
    Long position = positions.remove(new MemoryRows.Place(tenant, key));
    if (position != null) {
      all.remove(position);
      byTenant.getOrDefault(tenant, new TreeMap<>()).remove(position);
    }
    return position;
  }

  FeedChunk read(Scope scope, Optional<FeedCursor> after, long epoch, int limit) {
    boolean system = scope instanceof Scope.System;
    long from = after.map(cursor -> position(cursor, epoch)).orElse(Long.MIN_VALUE);
    long purgedTo = system ? mark : marks.getOrDefault(scope.tenantId(), 0L);
    if (after.isPresent() && from < purgedTo) {
      throw new FeedTruncated(
          "the feed was purged up to %d, the cursor is at %d: begin again from a copy"
              .formatted(purgedTo, from));
    }
    NavigableMap<Long, Item> items =
        system ? all : byTenant.getOrDefault(scope.tenantId(), new TreeMap<>());
    List<FeedChunk.Entry> entries = new ArrayList<>();
    for (Map.Entry<Long, Item> item : items.tailMap(from, false).entrySet()) {
      if (entries.size() == limit) {
        break;
      }
      FeedCursor cursor = new FeedCursor(epoch, Long.toString(item.getKey()));
      entries.add(new FeedChunk.Entry(item.getValue().tenant(), item.getValue().row(), cursor));
    }
    Optional<FeedCursor> next =
        entries.isEmpty() ? after : Optional.of(entries.get(entries.size() - 1).cursor());
    return new FeedChunk(entries, next, Optional.empty());
  }

  private static long position(FeedCursor cursor, long epoch) {
    if (cursor.epoch() > epoch) {
      throw new InvalidInput(
          "the cursor is of epoch %d, the store in %d: it belongs to another store"
              .formatted(cursor.epoch(), epoch));
    }
    try {
      return Long.parseLong(cursor.position());
    } catch (NumberFormatException e) {
      throw new InvalidInput("this is not a cursor of this store's feed");
    }
  }
}
