/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.jpa.internal.RecordTable;
import io.wovyr.persistence.jpa.internal.Tables;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.StoreTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A batch laid out for the lean path: guarded rows first, in the order of their keys, which is the
 * order of their locks; then what is inserted. Used once, by one thread.
 */
final class LeanBatch {
  /** More would make a text of its own for every other batch; such batches take a transaction. */
  private static final int MOST_PARTS = 12;

  private static final String LAST_SEQUENCE = "lastSequence";

  private final Batch batch;
  private final List<LeanPart> parts = new ArrayList<>();
  private final List<Key> keys = new ArrayList<>();
  private final List<Long> versions = new ArrayList<>();
  private final List<List<Row>> rows = new ArrayList<>();

  private LeanBatch(Batch batch) {
    this.batch = batch;
  }

  /** The batch for the lean path; empty when it needs a transaction. */
  static Optional<LeanBatch> of(Batch batch, Tables tables) {
    LeanBatch lean = new LeanBatch(batch);
    return lean.layOut(tables) && lean.parts.size() <= MOST_PARTS
        ? Optional.of(lean)
        : Optional.empty();
  }

  Batch batch() {
    return batch;
  }

  List<LeanPart> parts() {
    return parts;
  }

  /** Key of a guarded part. */
  Key key(int part) {
    return keys.get(part);
  }

  /** Version a guarded part expects. */
  long version(int part) {
    return versions.get(part);
  }

  /** What a part writes; nothing for checks and deletes. */
  List<Row> rows(int part) {
    return rows.get(part);
  }

  /**
   * Whether nothing it inserts can be there already if its conditions hold: it only appends events
   * after the last of a head that it updates.
   */
  boolean takesNoKey() {
    Map<Object, Long> last = new HashMap<>();
    for (Mutation mutation : batch.mutations()) {
      if (mutation instanceof Mutation.Update update && update.key().type() == RecordTypes.HEAD) {
        last.put(update.key().values().get(0), (Long) update.before().get(LAST_SEQUENCE));
      }
    }
    for (Mutation mutation : batch.mutations()) {
      if (mutation instanceof Mutation.Insert insert
          && !(insert.key().type() == RecordTypes.EVENT
              && insert.after().get("dedupeKey") == null
              && isAfter(last.get(insert.key().values().get(0)), insert.key()))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isAfter(@Nullable Long last, Key event) {
    return last != null && (Long) event.values().get(1) > last;
  }

  private boolean layOut(Tables tables) {
    List<Object> guarded = new ArrayList<>(batch.checks());
    List<Row> inserts = new ArrayList<>();
    for (Mutation mutation : batch.mutations()) {
      if (Tables.audited(mutation.key().type())) {
        return false;
      }
      if (mutation instanceof Mutation.Insert insert) {
        inserts.add(insert.after());
      } else {
        guarded.add(mutation);
      }
    }
    if (guarded.size() > MOST_PARTS) {
      return false;
    }
    guarded.sort(Comparator.comparing(LeanBatch::keyOf));
    inserts.sort(Comparator.comparing(Row::key));
    Map<Object, Integer> heads = new HashMap<>();
    Set<Object> fed = new HashSet<>();
    for (Row row : inserts) {
      if (row.type() == RecordTypes.HEAD) {
        heads.put(row.key().values().get(0), LeanPart.NEW_HEAD);
      }
      if (tables.of(row.type()).inFeed()) {
        fed.add(row.key().values().get(0));
      }
    }
    for (Object guard : guarded) {
      if (!addGuard(guard, tables, heads, fed)) {
        return false;
      }
    }
    return addInserts(inserts, tables, heads, fed);
  }

  private static Key keyOf(Object guard) {
    return guard instanceof Batch.VersionIs check ? check.key() : ((Mutation) guard).key();
  }

  private boolean addGuard(
      Object guard, Tables tables, Map<Object, Integer> heads, Set<Object> fed) {
    if (guard instanceof Batch.VersionIs check) {
      RecordTable table = tables.of(check.key().type());
      add(LeanPart.Kind.CHECK, table, check.key(), check.version());
      return true;
    }
    if (guard instanceof Mutation.Delete delete) {
      RecordTable table = tables.of(delete.key().type());
      add(LeanPart.Kind.DELETE, table, delete.key(), delete.before().version());
      return true;
    }
    Mutation.Update update = (Mutation.Update) guard;
    RecordTable table = tables.of(update.key().type());
    Symbols symbols = Symbols.of(update.after());
    boolean keepsFeedKey = false;
    if (update.key().type() == RecordTypes.HEAD) {
      Object execution = update.key().values().get(0);
      heads.put(execution, parts.size());
      keepsFeedKey = fed.contains(execution);
    }
    parts.add(
        new LeanPart(
            LeanPart.Kind.UPDATE,
            table,
            table.changes(update.before(), update.after()),
            symbols.times(),
            symbols.buckets(),
            update.notExpired(),
            update.expired(),
            LeanPart.NO_HEAD,
            keepsFeedKey));
    keys.add(update.key());
    versions.add(update.before().version());
    rows.add(List.of(update.after()));
    return symbols.plain();
  }

  private void add(LeanPart.Kind kind, RecordTable table, Key key, long version) {
    parts.add(new LeanPart(kind, table, 0, 0, 0, List.of(), List.of(), LeanPart.NO_HEAD, false));
    keys.add(key);
    versions.add(version);
    rows.add(List.of());
  }

  /** Rows of one type that differ only in their values go together. */
  private boolean addInserts(
      List<Row> inserts, Tables tables, Map<Object, Integer> heads, Set<Object> fed) {
    if (inserts.size() == 1) {
      Symbols symbols = Symbols.of(inserts.get(0));
      addGroup(inserts, symbols, tables, heads, fed);
      return symbols.plain();
    }
    Map<Object, List<Row>> groups = new LinkedHashMap<>();
    for (Row row : inserts) {
      Symbols symbols = Symbols.of(row);
      if (!symbols.plain()) {
        return false;
      }
      Object group =
          symbols.any() || row.type() == RecordTypes.HEAD
              ? row.key()
              : tables.of(row.type()).inFeed()
                  ? List.of(row.type().name(), row.key().values().get(0))
                  : row.type();
      groups.computeIfAbsent(group, key -> new ArrayList<>()).add(row);
    }
    for (List<Row> group : groups.values()) {
      addGroup(group, Symbols.of(group.get(0)), tables, heads, fed);
    }
    return true;
  }

  private void addGroup(
      List<Row> group,
      Symbols symbols,
      Tables tables,
      Map<Object, Integer> heads,
      Set<Object> fed) {
    Row first = group.get(0);
    RecordTable table = tables.of(first.type());
    Object execution = first.key().values().get(0);
    parts.add(
        new LeanPart(
            group.size() == 1 ? LeanPart.Kind.INSERT : LeanPart.Kind.INSERT_MANY,
            table,
            0,
            symbols.times(),
            symbols.buckets(),
            List.of(),
            List.of(),
            table.inFeed() ? heads.getOrDefault(execution, LeanPart.NO_HEAD) : LeanPart.NO_HEAD,
            first.type() == RecordTypes.HEAD && fed.contains(execution)));
    keys.add(first.key());
    versions.add(0L);
    rows.add(group);
  }

  /**
   * The symbolic instants of a row.
   *
   * @param plain false: one is so far in the past that rounding needs care; not for this path
   */
  private record Symbols(long times, long buckets, boolean plain) {
    static Symbols of(Row row) {
      long times = 0;
      long buckets = 0;
      boolean plain = true;
      List<?> values = row.values();
      for (int i = 0; i < values.size(); i++) {
        if (values.get(i) instanceof StoreTime time) {
          if (time.bucket().isZero()) {
            times |= 1L << i;
          } else {
            buckets |= 1L << i;
            plain &= !time.plus().isNegative();
          }
        }
      }
      return new Symbols(times, buckets, plain);
    }

    boolean any() {
      return (times | buckets) != 0;
    }
  }
}
