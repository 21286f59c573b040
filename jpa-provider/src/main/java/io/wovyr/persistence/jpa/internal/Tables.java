/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.internal;

import io.wovyr.persistence.jpa.entity.Entities;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The tables of one database, by record type. Thread-safe. */
public final class Tables {
  private final List<RecordTable> all = new ArrayList<>();
  private final Map<RecordType, RecordTable> byType = new HashMap<>();

  public Tables(SqlValues values) {
    for (RecordType type : RecordTypes.all()) {
      RecordTable table = new RecordTable(type, values);
      all.add(table);
      byType.put(type, table);
    }
  }

  /**
   * True for types of the lean path, whose rows never go through Hibernate: all but those whose
   * history it keeps.
   */
  public static boolean lean(RecordType type) {
    return !audited(type);
  }

  /** True for types whose every change leaves a revision. */
  public static boolean audited(RecordType type) {
    return Entities.isAudited(type);
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

  /** Names of all tables with rows of tenants that are made for record types. */
  public List<String> names() {
    List<String> names = new ArrayList<>();
    for (RecordTable table : all) {
      names.add(table.name());
      names.addAll(table.entryTables());
      if (Entities.isAudited(table.type())) {
        names.add(Entities.historyTable(table.type()));
      }
    }
    return names;
  }

  /** The tables whose rows are in the feed. */
  public List<RecordTable> inFeed() {
    return all.stream().filter(RecordTable::inFeed).toList();
  }
}
