/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.kv.engine.AtomicWrite;
import io.wovyr.persistence.kv.engine.Change;
import io.wovyr.persistence.kv.engine.Condition;
import io.wovyr.persistence.kv.engine.Place;
import io.wovyr.persistence.kv.engine.Stored;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome.Expectation;
import io.wovyr.persistence.storage.spi.CommitOutcome.Failed;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordType.FeedRole;
import io.wovyr.persistence.storage.spi.RecordType.IndexEntry;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Unreadable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A batch as changes of the engine: records, unique entries and path entries, made from the before-
 * and after-images alone, so that nothing is read. For one thread.
 */
final class BatchPlan {
  /** What a change demands, in the words of the SPI. */
  record Guard(Key key, Expectation expectation) {}

  /** Rows of a blocked type that have all but the last value of their key in common. */
  record Series(RecordType type, List<Object> prefix) {}

  /** How the rows of a series are written when their numbers do not rise: see {@link Tail}. */
  record Known(Optional<Stored> tail) {}

  /**
   * The change that keeps the numbers of a series apart: what is written lies above the highest
   * number so far. When it does not, somebody has to look.
   */
  record Tail(Series series, List<List<Row>> runs) {}

  private final Layout layout;
  private final Batch batch;
  private final String tenant;
  private final int blockBytes;
  private final Map<Series, Known> known;
  private final List<Change> changes = new ArrayList<>();
  private final Map<Integer, Guard> guards = new HashMap<>();
  private final Map<Integer, Tail> tails = new HashMap<>();
  private final List<Failed> impossible = new ArrayList<>();
  private final Map<Place, Boolean> uniqueClaims = new HashMap<>();
  private final List<Place> released = new ArrayList<>();
  private int epochCheck = -1;

  /**
   * @param known of the series whose numbers do not rise
   */
  BatchPlan(
      Layout layout, Batch batch, int blockBytes, boolean checkEpoch, Map<Series, Known> known) {
    this.layout = layout;
    this.batch = batch;
    this.tenant = batch.scope().tenantId();
    this.blockBytes = blockBytes;
    this.known = known;
    if (checkEpoch) {
      epochCheck = changes.size();
      changes.add(new Change.Check(Layout.store(), new Condition.VersionIs(batch.epoch())));
    }
    Map<Series, List<Row>> series = new LinkedHashMap<>();
    List<Object> feedOrder = new ArrayList<>();
    for (Mutation mutation : batch.mutations()) {
      plan(mutation, series, feedOrder);
    }
    Map<Series, List<List<Row>>> runs = new HashMap<>();
    series.forEach((one, rows) -> runs.put(one, planSeries(one, rows)));
    for (Batch.VersionIs check : batch.checks()) {
      guard(check.key(), new Expectation.VersionIs(check.version()));
      changes.add(
          new Change.Check(
              layout.row(tenant, check.key()), new Condition.VersionIs(check.version())));
    }
    for (Place place : released) {
      if (!uniqueClaims.containsKey(place)) {
        changes.add(new Change.Remove(place, Condition.NONE));
      }
    }
    planFeed(feedOrder, runs);
  }

  Batch batch() {
    return batch;
  }

  AtomicWrite write() {
    return new AtomicWrite(changes);
  }

  /** What fails whatever is stored. */
  List<Failed> impossible() {
    return impossible;
  }

  boolean isEpochCheck(int change) {
    return change == epochCheck;
  }

  Optional<Guard> guard(int change) {
    return Optional.ofNullable(guards.get(change));
  }

  Optional<Tail> tail(int change) {
    return Optional.ofNullable(tails.get(change));
  }

  /** Notes what the next change demands. */
  private void guard(Key key, Expectation expectation) {
    guards.put(changes.size(), new Guard(key, expectation));
  }

  private void plan(Mutation mutation, Map<Series, List<Row>> series, List<Object> feedOrder) {
    Key key = mutation.key();
    if (mutation instanceof Mutation.Insert insert) {
      Row row = insert.after();
      if (TypeLayout.of(row.type()).blocked()) {
        Series one = new Series(row.type(), Block.prefix(key));
        if (!series.containsKey(one)) {
          feedOrder.add(one);
        }
        series.computeIfAbsent(one, s -> new ArrayList<>()).add(row);
        return;
      }
      boolean inFeed = row.type().feedRole() == FeedRole.RECORDS;
      if (inFeed) {
        feedOrder.add(row);
      }
      guard(key, new Expectation.Absent());
      changes.add(
          new Change.Put(layout.row(tenant, key), Condition.ABSENT, stored(List.of(row)), inFeed));
      planEntries(Set.of(), row, key);
    } else if (mutation instanceof Mutation.Update update) {
      Row before = update.before();
      guard(key, new Expectation.VersionIs(before.version()));
      changes.add(
          new Change.Put(
              layout.row(tenant, key),
              new Condition.VersionIs(before.version()),
              stored(List.of(update.after()))));
      planChangedEntries(before, update.after());
    } else {
      Row before = ((Mutation.Delete) mutation).before();
      guard(key, new Expectation.VersionIs(before.version()));
      changes.add(
          new Change.Remove(layout.row(tenant, key), new Condition.VersionIs(before.version())));
      entries(before).forEach(entry -> remove(before, entry));
    }
  }

  private static Stored stored(List<Row> rows) {
    return new Stored(rows.get(0).version(), Block.encode(rows));
  }

  private void planChangedEntries(Row before, Row after) {
    Set<IndexEntry> held = new HashSet<>(entries(before));
    planEntries(held, after, after.key());
    Set<IndexEntry> kept = new HashSet<>(entries(after));
    for (IndexEntry entry : held) {
      if (!kept.contains(entry)) {
        remove(before, entry);
      }
    }
  }

  /** Those that can be; a value that cannot be read has none. */
  private static List<IndexEntry> entries(Row row) {
    return row.type().entries(row).stream()
        .filter(entry -> entry.values().stream().noneMatch(Unreadable.class::isInstance))
        .toList();
  }

  private void remove(Row row, IndexEntry entry) {
    TypeLayout type = TypeLayout.of(row.type());
    if (entry.unique()) {
      released.add(Layout.unique(tenant, row.type(), type.unique(entry.index()), entry.values()));
    } else {
      changes.add(
          new Change.Remove(
              layout.entry(tenant, type.path(entry.index()), entry.values(), row.key()),
              Condition.NONE));
    }
  }

  /**
   * Puts the entries of a row that it does not hold yet.
   *
   * @param block the key of the block that the row lies in
   */
  private void planEntries(Set<IndexEntry> held, Row row, Key block) {
    TypeLayout type = TypeLayout.of(row.type());
    for (IndexEntry entry : row.type().entries(row)) {
      if (held.contains(entry)) {
        continue;
      }
      if (entry.unique()) {
        claim(row, type.unique(entry.index()), entry);
      } else {
        changes.add(
            new Change.Put(
                layout.entry(tenant, type.path(entry.index()), entry.values(), row.key()),
                Condition.NONE,
                new Stored(0, hint(type, row.key(), block))));
      }
    }
  }

  /** How far behind the first row of its block a row was written. */
  private static Bytes hint(TypeLayout type, Key key, Key block) {
    return type.blocked() && !key.equals(block)
        ? Bytes.wrap(new ValueWriter(5).number(Block.number(key) - Block.number(block)).toBytes())
        : Bytes.EMPTY;
  }

  private void claim(Row row, IndexLayout index, IndexEntry entry) {
    Place place = Layout.unique(tenant, row.type(), index, entry.values());
    Expectation free = new Expectation.UniqueKeyFree(index.name());
    if (uniqueClaims.put(place, true) != null) {
      impossible.add(new Failed(row.key(), free, Optional.empty()));
      return;
    }
    guard(row.key(), free);
    byte[] holder = Layout.values(TypeLayout.of(row.type()).keyKinds(), row.key().values());
    changes.add(new Change.Put(place, Condition.ABSENT, new Stored(0, Bytes.wrap(holder))));
  }

  private List<List<Row>> planSeries(Series series, List<Row> rows) {
    List<List<Row>> runs = runs(rows);
    long first = Block.number(runs.get(0).get(0).key());
    List<Row> lastRun = runs.get(runs.size() - 1);
    long last = Block.number(lastRun.get(lastRun.size() - 1).key());
    Place place = layout.tail(tenant, series.type(), series.prefix());
    tails.put(changes.size(), new Tail(series, runs));
    Known looked = known.get(series);
    if (looked == null || looked.tail().isEmpty()) {
      changes.add(new Change.Put(place, new Condition.Below(first), new Stored(last, Bytes.EMPTY)));
    } else {
      Stored tail = looked.tail().get();
      long behind =
          tail.body().size() == 0 ? 0 : new ValueReader(tail.body().unsafeArray()).number();
      Bytes counted = Bytes.wrap(new ValueWriter(5).number(behind + 1).toBytes());
      changes.add(
          new Change.Put(
              place,
              new Condition.Same(tail.version(), tail.body()),
              new Stored(Math.max(last, tail.version()), counted)));
    }
    for (List<Row> run : runs) {
      Key block = run.get(0).key();
      guard(block, new Expectation.Absent());
      changes.add(
          new Change.Put(
              layout.row(tenant, block),
              looked == null ? Condition.NONE : Condition.ABSENT,
              new Stored(1, Block.encode(run)),
              true));
      run.forEach(row -> planEntries(Set.of(), row, block));
    }
    return runs;
  }

  /** Rows that follow each other without a gap, in pieces that are not too large. */
  private List<List<Row>> runs(List<Row> rows) {
    List<Row> ordered = new ArrayList<>(rows);
    ordered.sort((one, other) -> one.key().compareTo(other.key()));
    List<List<Row>> runs = new ArrayList<>();
    long bytes = 0;
    for (Row row : ordered) {
      List<Row> run = runs.isEmpty() ? List.of() : runs.get(runs.size() - 1);
      boolean follows =
          !run.isEmpty()
              && bytes < blockBytes
              && Block.number(run.get(run.size() - 1).key()) + 1 == Block.number(row.key());
      if (follows) {
        run.add(row);
      } else {
        runs.add(new ArrayList<>(List.of(row)));
        bytes = 0;
      }
      bytes += row.sizeBytes();
    }
    return runs;
  }

  private void planFeed(List<Object> order, Map<Series, List<List<Row>>> runs) {
    if (order.isEmpty()) {
      return;
    }
    List<FeedRef> refs = new ArrayList<>();
    int ordinal = 0;
    for (Object one : order) {
      List<List<Row>> blocks =
          one instanceof Series series
              ? runs.getOrDefault(series, List.of())
              : List.of(List.of((Row) one));
      for (List<Row> block : blocks) {
        refs.add(new FeedRef(ordinal, block.get(0).key(), block.size()));
        ordinal += block.size();
      }
    }
    changes.add(new Change.Append(Layout.feed(tenant), FeedRef.encode(refs)));
    changes.add(new Change.Append(Layout.feedOfAll(), Bytes.utf8(tenant)));
  }
}
