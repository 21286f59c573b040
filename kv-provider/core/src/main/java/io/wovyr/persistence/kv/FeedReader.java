/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.FeedTruncated;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.kv.FeedPlace.Cursor;
import io.wovyr.persistence.kv.engine.Found;
import io.wovyr.persistence.kv.engine.Place;
import io.wovyr.persistence.kv.engine.Range;
import io.wovyr.persistence.kv.engine.Stored;
import io.wovyr.persistence.kv.engine.View;
import io.wovyr.persistence.storage.spi.FeedChunk;
import io.wovyr.persistence.storage.spi.FeedChunk.Entry;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the feed: one entry per commit under its stamp, which names the rows. For one thread. */
final class FeedReader {
  /** No more commits are added to a page that is so large. */
  private static final long MOST_BYTES = 16L << 20;

  private final View view;
  private final Layout layout;
  private final long epoch;
  private final Scope scope;

  FeedReader(View view, Layout layout, long epoch, Scope scope) {
    this.view = view;
    this.layout = layout;
    this.epoch = epoch;
    this.scope = scope;
  }

  FeedChunk read(Optional<FeedCursor> after, int limit) {
    Bytes horizon = view.horizon();
    Cursor from =
        after
            .map(cursor -> Cursor.of(cursor, epoch))
            .orElseGet(() -> new Cursor(FeedPlace.BEFORE_ALL, latest(horizon)));
    refuseTruncated(from);
    List<Entry> entries = entries(from, horizon, limit);
    FeedCursor next =
        entries.isEmpty()
            ? after.orElseGet(() -> from.cursor(epoch))
            : entries.get(entries.size() - 1).cursor();
    return new FeedChunk(entries, Optional.of(next), Optional.empty());
  }

  /**
   * When a reader begins: what this view knows to be purged was so before, however late its stamp.
   */
  private Bytes latest(Bytes horizon) {
    Place marks = Layout.marksOfAll();
    Found newest = view.range(new Range(marks, marks.afterAll(), false), 1);
    return newest.entries().stream()
        .map(mark -> Bytes.wrap(Layout.behind(marks, mark.place())))
        .filter(stamp -> stamp.compareTo(horizon) > 0)
        .findFirst()
        .orElse(horizon);
  }

  private boolean ofAll() {
    return scope instanceof Scope.System;
  }

  /** Refuses a reader that would miss rows which were purged after it began. */
  private void refuseTruncated(Cursor from) {
    Place marks = ofAll() ? Layout.marksOfAll() : Layout.marks(scope.tenantId());
    Place begun = marks.then(from.begun().unsafeArray());
    Optional<Range> left = Optional.of(new Range(begun.after(), marks.afterAll(), true));
    while (left.isPresent()) {
      Found found = view.range(left.get(), 100);
      for (Found.Entry mark : found.entries()) {
        if (FeedPlace.decode(mark.stored().body()).compareTo(from.place()) > 0) {
          throw new FeedTruncated(
              "rows after %s of the feed were purged: begin again from a copy of the data"
                  .formatted(from.cursor(epoch).position()));
        }
      }
      left = found.rest();
    }
  }

  private List<Entry> entries(Cursor from, Bytes horizon, int limit) {
    Place feed = ofAll() ? Layout.feedOfAll() : Layout.feed(scope.tenantId());
    Place first = feed.then(from.place().stamp().unsafeArray());
    Range range = new Range(first, feed.then(horizon.unsafeArray()).after(), true);
    Optional<Range> left =
        range.from().compareTo(range.to()) < 0 ? Optional.of(range) : Optional.empty();
    List<Entry> entries = new ArrayList<>();
    long bytes = 0;
    while (left.isPresent() && entries.size() < limit && bytes < MOST_BYTES) {
      Found found = view.range(left.get(), Math.min(limit, 1_000) + 1);
      for (Found.Entry commit : found.entries()) {
        if (entries.size() < limit && bytes < MOST_BYTES) {
          Bytes stamp = Bytes.wrap(Layout.behind(feed, commit.place()));
          bytes += add(entries, from, stamp, commit.stored());
        }
      }
      left = found.rest();
    }
    return entries.size() > limit ? entries.subList(0, limit) : entries;
  }

  /** Adds what a commit wrote behind the cursor; how large that is. */
  private long add(List<Entry> entries, Cursor from, Bytes stamp, Stored commit) {
    String tenant = ofAll() ? commit.body().utf8() : scope.tenantId();
    Optional<Stored> refs =
        ofAll()
            ? view.get(List.of(Layout.feed(tenant).then(stamp.unsafeArray()))).get(0)
            : Optional.of(commit);
    long bytes = 0;
    if (refs.isEmpty()) {
      return bytes;
    }
    for (FeedRef ref : FeedRef.decode(refs.get().body())) {
      for (Row row : rows(tenant, ref, stamp)) {
        FeedPlace place = new FeedPlace(stamp, ref.ordinalOf(row.key()));
        if (place.compareTo(from.place()) > 0) {
          entries.add(new Entry(tenant, row, from.at(place).cursor(epoch)));
          bytes += row.sizeBytes();
        }
      }
    }
    return bytes;
  }

  /** The rows that are left of what a commit wrote; a purge may have cut its block. */
  private List<Row> rows(String tenant, FeedRef ref, Bytes stamp) {
    RowReader reader = new RowReader(view, layout, tenant);
    Place place = layout.row(tenant, ref.first());
    Optional<Stored> whole = view.get(List.of(place)).get(0);
    if (whole.isPresent() && whole.get().stamp().equals(stamp)) {
      List<Row> rows = Block.decode(ref.first(), tenant, whole.get().body());
      if (rows.size() == ref.count()) {
        return rows;
      }
    }
    if (!TypeLayout.of(ref.first().type()).blocked()) {
      return List.of();
    }
    Key last = Block.following(ref.first(), ref.count() - 1);
    return reader.blocks(ref.first(), layout.row(tenant, last).after()).stream()
        .filter(block -> block.stored().stamp().equals(stamp))
        .flatMap(block -> block.rows().stream())
        .filter(row -> ref.covers(row.key()))
        .toList();
  }
}
