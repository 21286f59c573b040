/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.memory;

import io.wovyr.persistence.storage.spi.AccessPath;
import io.wovyr.persistence.storage.spi.AccessPath.Reach;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Purge;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordType.IndexEntry;
import io.wovyr.persistence.storage.spi.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** Rows and their index entries. Not thread-safe: the store's lock guards it. */
final class MemoryRows {
  /** The rows of one type of one tenant. */
  private record Table(String tenant, RecordType type) {}

  /** An index; of all tenants together (tenant empty) for a system path. */
  private record Index(String tenant, RecordType type, String name) {}

  /** A row's place: its own key, and whose it is. */
  record Place(String tenant, Key key) {}

  private final Comparator<List<Object>> order;
  private final Map<Table, NavigableMap<List<Object>, Row>> tables = new HashMap<>();
  private final Map<Index, Map<List<Object>, Key>> uniques = new HashMap<>();
  private final Map<Index, NavigableMap<List<Object>, Place>> paths = new HashMap<>();

  MemoryRows() {
    this(PlaceOrder.INSTANCE);
  }

  MemoryRows(Comparator<List<Object>> order) {
    this.order = order;
  }

  Optional<Row> find(String tenant, Key key) {
    return Optional.ofNullable(table(tenant, key.type()).get(key.values()));
  }

  /** Who holds a unique entry. */
  Optional<Key> holder(String tenant, RecordType type, IndexEntry entry) {
    return Optional.ofNullable(
        uniques.getOrDefault(new Index(tenant, type, entry.index()), Map.of()).get(entry.values()));
  }

  NavigableMap<List<Object>, Row> table(String tenant, RecordType type) {
    return tables.computeIfAbsent(new Table(tenant, type), table -> new TreeMap<>(order));
  }

  /** The entries of a path: its attributes, then the key, then (system) the tenant. */
  NavigableMap<List<Object>, Place> path(String tenant, RecordType type, AccessPath path) {
    String owner = path.reach() == Reach.SYSTEM ? "" : tenant;
    return paths.computeIfAbsent(
        new Index(owner, type, path.name()), index -> new TreeMap<>(order));
  }

  /** Every table, for statistics. */
  void forEachTable(TableVisitor visitor) {
    tables.forEach((table, rows) -> visitor.visit(table.tenant(), table.type(), rows.values()));
  }

  /** See {@link #forEachTable}. */
  interface TableVisitor {
    void visit(String tenant, RecordType type, java.util.Collection<Row> rows);
  }

  void put(String tenant, Row row) {
    remove(tenant, row.key());
    table(tenant, row.type()).put(row.key().values(), row);
    for (IndexEntry entry : row.type().entries(row)) {
      if (entry.unique()) {
        uniques
            .computeIfAbsent(new Index(tenant, row.type(), entry.index()), i -> new HashMap<>())
            .put(entry.values(), row.key());
      } else {
        AccessPath path = row.type().path(entry.index());
        path(tenant, row.type(), path)
            .put(ordered(path, entry, tenant, row.key()), new Place(tenant, row.key()));
      }
    }
  }

  void remove(String tenant, Key key) {
    Row row = table(tenant, key.type()).remove(key.values());
    if (row == null) {
      return;
    }
    for (IndexEntry entry : row.type().entries(row)) {
      if (entry.unique()) {
        uniques
            .getOrDefault(new Index(tenant, row.type(), entry.index()), new HashMap<>())
            .remove(entry.values(), key);
      } else {
        AccessPath path = row.type().path(entry.index());
        path(tenant, row.type(), path).remove(ordered(path, entry, tenant, key));
      }
    }
  }

  private static List<Object> ordered(AccessPath path, IndexEntry entry, String tenant, Key key) {
    List<Object> ordered = new ArrayList<>(entry.values());
    ordered.addAll(key.values());
    if (path.reach() == Reach.SYSTEM) {
      ordered.add(tenant);
    }
    return ordered;
  }

  /** Refuses a before-image that has other index entries than the row it claims to be. */
  void vouch(String tenant, Mutation mutation) {
    Row before =
        mutation instanceof Mutation.Update update
            ? update.before()
            : mutation instanceof Mutation.Delete delete ? delete.before() : null;
    if (before == null) {
      return;
    }
    Row stored = find(tenant, before.key()).orElseThrow();
    RecordType type = before.type();
    if (!new HashSet<>(type.entries(before)).equals(new HashSet<>(type.entries(stored)))) {
      throw new IllegalArgumentException(
          "the before-image of " + before + " has other index entries than the stored row");
    }
  }

  /** Keys that a purge removes, in order. */
  List<Key> range(String tenant, Purge purge) {
    return table(tenant, purge.type())
        .subMap(bound(purge, purge.fromInclusive()), true, bound(purge, purge.toExclusive()), false)
        .values()
        .stream()
        .map(Row::key)
        .toList();
  }

  private static List<Object> bound(Purge purge, Object last) {
    List<Object> bound = new ArrayList<>(purge.keyPrefix());
    bound.add(last);
    return bound;
  }
}
