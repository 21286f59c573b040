/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.internal;

import io.wovyr.persistence.storage.spi.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Puts the rows of several tables into the one order of the feed. Each table was read in order from
 * the same place, some not to their end; nothing is delivered beyond the place up to which all of
 * them were read, for a row of another table may lie before it. Pages also end early when they are
 * many bytes. Not thread-safe.
 *
 * @param <P> places in the feed
 */
public final class FeedMerge<P extends Comparable<P>> {
  private final long most;
  private final List<Found<P>> found = new ArrayList<>();
  private @Nullable P readTo;

  /** A row, its tenant and where it stands. */
  public record Found<P>(P place, String tenantId, Row row) {}

  public FeedMerge() {
    this(Records.PAGE_BYTES);
  }

  FeedMerge(long mostBytes) {
    most = mostBytes;
  }

  /** Takes the rows of one table. */
  public final class Table {
    private long bytes;
    private @Nullable P last;

    /**
     * Takes the next row of the table.
     *
     * @return false, and the row is not taken, when it is to be read no further
     */
    public boolean add(P place, String tenantId, Row row) {
      if (last != null && bytes > most) {
        stopAt(last);
        return false;
      }
      found.add(new Found<>(place, tenantId, row));
      bytes += Records.weight(row);
      last = place;
      return true;
    }
  }

  /** The next table. */
  public Table table() {
    return new Table();
  }

  private void stopAt(P place) {
    if (readTo == null || place.compareTo(readTo) < 0) {
      readTo = place;
    }
  }

  /** True when some table was not read as far as its limit allowed. */
  public boolean isCutShort() {
    return readTo != null;
  }

  /** True when more rows were found than are asked for here, or as many. */
  public boolean fills(int limit) {
    return found.size() >= limit;
  }

  /** The next rows of the feed, in its order. */
  public <T> List<T> page(int limit, Function<Found<P>, T> entry) {
    found.sort(Comparator.comparing(Found::place));
    List<T> page = new ArrayList<>();
    long bytes = 0;
    for (Found<P> one : found) {
      boolean beyond = readTo != null && one.place().compareTo(readTo) > 0;
      if (beyond || page.size() == limit || bytes > most) {
        break;
      }
      page.add(entry.apply(one));
      bytes += Records.weight(one.row());
    }
    return page;
  }
}
