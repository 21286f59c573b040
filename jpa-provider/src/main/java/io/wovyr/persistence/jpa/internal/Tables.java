/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.internal;

import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The tables of one database, by record type. Thread-safe. */
public final class Tables {
  /** Types whose rows never go through Hibernate: every commit of an execution writes them. */
  private static final Set<RecordType> LEAN = Set.of(RecordTypes.HEAD, RecordTypes.EVENT);

  /** Types whose changes leave a history, which Hibernate writes. */
  private static final Set<RecordType> AUDITED = Set.of(RecordTypes.EXECUTION);

  private final List<RecordTable> all = new ArrayList<>();
  private final Map<RecordType, RecordTable> byType = new HashMap<>();

  public Tables(SqlValues values) {
    for (RecordType type : RecordTypes.all()) {
      RecordTable table = new RecordTable(type, values);
      all.add(table);
      byType.put(type, table);
    }
  }

  /** True for types of the lean path. */
  public static boolean lean(RecordType type) {
    return LEAN.contains(type);
  }

  /** True for types whose every change leaves a revision. */
  public static boolean audited(RecordType type) {
    return AUDITED.contains(type);
  }

  /** The table of this type. */
  public RecordTable of(RecordType type) {
    RecordTable table = byType.get(type);
    if (table == null) {
      throw new IllegalArgumentException("no table for record type " + type);
    }
    return table;
  }

  /** All tables, in the order of the types' numbers. */
  public List<RecordTable> all() {
    return List.copyOf(all);
  }

  /** The tables whose rows are in the feed. */
  public List<RecordTable> inFeed() {
    return all.stream().filter(RecordTable::inFeed).toList();
  }
}
