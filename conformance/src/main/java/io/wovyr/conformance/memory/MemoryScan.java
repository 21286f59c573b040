/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.memory;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.ValueOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.function.Function;

/** Walks one page of a range of ordered entries. Used once, under the store's lock. */
final class MemoryScan<V> {
  private final NavigableMap<List<Object>, V> entries;
  private final Scan scan;
  private final Instant now;
  private final boolean shortPages;

  MemoryScan(NavigableMap<List<Object>, V> entries, Scan scan, Instant now, boolean shortPages) {
    this.entries = entries;
    this.scan = scan;
    this.now = now;
    this.shortPages = shortPages;
  }

  <T> Page<T> page(Function<V, T> item) {
    if (shortPages && scan.after().isEmpty()) {
      return new Page<>(List.of(), Optional.of(PageToken.encode(List.of())));
    }
    int most = shortPages ? (scan.limit() + 1) / 2 : scan.limit();
    List<T> items = new ArrayList<>();
    List<Object> last = List.of();
    for (Map.Entry<List<Object>, V> entry : candidates().entrySet()) {
      if (!begins(entry.getKey(), scan.equal())) {
        break;
      }
      List<Object> rest = entry.getKey().subList(scan.equal().size(), entry.getKey().size());
      Side side = side(rest);
      if (side == Side.BEFORE) {
        continue;
      }
      if (side == Side.BEHIND) {
        break;
      }
      if (items.size() == most) {
        return new Page<>(items, Optional.of(PageToken.encode(last)));
      }
      items.add(item.apply(entry.getValue()));
      last = entry.getKey();
    }
    return new Page<>(items, Optional.empty());
  }

  /** Where an entry lies, seen in the direction of the scan. */
  private enum Side {
    BEFORE,
    INSIDE,
    BEHIND
  }

  private Side side(List<Object> rest) {
    boolean low = scan.fromInclusive().isPresent() && compare(rest, scan.fromInclusive().get()) < 0;
    boolean high = scan.toExclusive().isPresent() && compare(rest, scan.toExclusive().get()) >= 0;
    if (low) {
      return scan.ascending() ? Side.BEFORE : Side.BEHIND;
    }
    if (high) {
      return scan.ascending() ? Side.BEHIND : Side.BEFORE;
    }
    return Side.INSIDE;
  }

  private int compare(List<Object> rest, List<Object> bound) {
    return ValueOrder.INSTANCE.compare(rest, StoreTimes.resolve(bound, now));
  }

  /** Entries from where this page begins, in the direction of the scan. */
  private NavigableMap<List<Object>, V> candidates() {
    Optional<List<Object>> after =
        scan.after().map(PageToken::decode).filter(place -> !place.isEmpty());
    if (scan.ascending()) {
      return after.isPresent()
          ? entries.tailMap(after.get(), false)
          : entries.tailMap(lowest(), true);
    }
    if (after.isPresent()) {
      return entries.headMap(after.get(), false).descendingMap();
    }
    return entries.headMap(highest(), false).descendingMap();
  }

  private List<Object> lowest() {
    List<Object> bound = new ArrayList<>(scan.equal());
    scan.fromInclusive().ifPresent(from -> bound.addAll(StoreTimes.resolve(from, now)));
    return bound;
  }

  private List<Object> highest() {
    List<Object> bound = new ArrayList<>(scan.equal());
    if (scan.toExclusive().isPresent()) {
      bound.addAll(StoreTimes.resolve(scan.toExclusive().get(), now));
    } else {
      bound.add(PlaceOrder.ABOVE_ALL);
    }
    return bound;
  }

  private static boolean begins(List<Object> key, List<Object> prefix) {
    return key.size() >= prefix.size()
        && ValueOrder.INSTANCE.compare(key.subList(0, prefix.size()), prefix) == 0;
  }
}
