/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import io.wovyr.persistence.kv.engine.Found;
import io.wovyr.persistence.kv.engine.Place;
import io.wovyr.persistence.kv.engine.Range;
import io.wovyr.persistence.kv.engine.View;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Walks one partition in the direction of a scan; entries turn into any number of items, such as
 * the rows of a block. For one thread.
 */
final class Cursor<T> {
  /**
   * Something found.
   *
   * @param place holds the bytes it is ordered by
   * @param from where they begin in it: behind its partition
   * @param bytes about how large it is
   */
  record Item<T>(Place place, int from, T value, int bytes) {
    /** A copy of what it is ordered by. */
    byte[] order() {
      return Arrays.copyOfRange(place.bytes(), from, place.bytes().length);
    }

    boolean isBefore(Item<?> other, boolean ascending) {
      byte[] mine = place.bytes();
      byte[] theirs = other.place.bytes();
      int order =
          Arrays.compareUnsigned(mine, from, mine.length, theirs, other.from, theirs.length);
      return ascending ? order < 0 : order > 0;
    }
  }

  private final View view;
  private final int fetch;
  private final Function<Found.Entry, List<Item<T>>> items;
  private final Deque<Item<T>> ready = new ArrayDeque<>();
  private final @Nullable Place last;
  private Optional<Range> rest;

  /**
   * @param last an entry at or below this place, in a descending walk, is the last one that counts
   */
  Cursor(
      View view,
      Range range,
      int fetch,
      @Nullable Place last,
      Function<Found.Entry, List<Item<T>>> items) {
    this.view = view;
    this.rest = Optional.of(range);
    this.fetch = fetch;
    this.last = last;
    this.items = items;
  }

  /** Puts items in front of all others. */
  void begin(List<Item<T>> first) {
    ready.addAll(first);
  }

  /** The next item, or null at the end. */
  @Nullable Item<T> peek() {
    while (ready.isEmpty() && rest.isPresent()) {
      Found found = view.range(rest.get(), fetch);
      rest = found.rest();
      for (Found.Entry entry : found.entries()) {
        ready.addAll(items.apply(entry));
        if (last != null && entry.place().compareTo(last) <= 0) {
          rest = Optional.empty();
          break;
        }
      }
    }
    return ready.peek();
  }

  /** The next items of several walks in their common order, at most so many and not too large. */
  static <T> List<Item<T>> merged(
      List<Cursor<T>> cursors, boolean ascending, int limit, long mostBytes) {
    List<Item<T>> merged = new ArrayList<>(Math.min(limit, 1_024));
    long bytes = 0;
    while (merged.size() < limit && bytes < mostBytes && (merged.isEmpty() || isFresh(cursors))) {
      Cursor<T> next = null;
      Item<T> first = null;
      for (Cursor<T> cursor : cursors) {
        Item<T> item = cursor.peek();
        if (item != null && (first == null || item.isBefore(first, ascending))) {
          first = item;
          next = cursor;
        }
      }
      if (first == null || next == null) {
        break;
      }
      next.ready.remove();
      merged.add(first);
      bytes += first.bytes();
    }
    return merged;
  }

  private static <T> boolean isFresh(List<Cursor<T>> cursors) {
    return cursors.get(0).view.isFresh();
  }
}
