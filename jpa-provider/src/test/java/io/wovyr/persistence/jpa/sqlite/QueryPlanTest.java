/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import static io.wovyr.persistence.jpa.sqlite.TestRows.SCOPE;
import static io.wovyr.persistence.jpa.sqlite.TestRows.TENANT;
import static io.wovyr.persistence.jpa.sqlite.TestRows.batch;
import static io.wovyr.persistence.jpa.sqlite.TestRows.deadline;
import static io.wovyr.persistence.jpa.sqlite.TestRows.insert;
import static io.wovyr.persistence.jpa.sqlite.TestRows.strong;
import static io.wovyr.persistence.jpa.sqlite.TestRows.update;
import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.storage.spi.AccessPath;
import io.wovyr.persistence.storage.spi.Attribute;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Purge;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * No call's cost grows with the number of other executions: every statement the store sends, by its
 * own hand or Hibernate's, is heard at the connection and explained.
 */
class QueryPlanTest {
  private static final Scope.System SYSTEM = new Scope.System("test");

  @TempDir Path directory;

  private static Object value(Attribute attribute) {
    return switch (attribute.kind()) {
      case UUID -> UUID.randomUUID();
      case LONG -> 7L;
      case INT -> 7;
      case INSTANT -> TestRows.NOW;
      default -> "name" + UUID.randomUUID();
    };
  }

  /** What a scan gives to find a value: of a list, one element. */
  private static Object element(Object value) {
    return value instanceof List<?> list ? list.get(0) : value;
  }

  private static Key key(RecordType type) {
    return new Key(type, type.key().stream().map(QueryPlanTest::value).toList());
  }

  private static void scanAll(Storage storage, Scan scan) {
    for (Scan one : List.of(scan, scan.descending(), bounded(scan), bounded(scan).descending())) {
      Page<?> page =
          one.path().map(AccessPath::reach).equals(Optional.of(AccessPath.Reach.SYSTEM))
              ? storage.scanSystem(SYSTEM, one, strong())
              : storage.scan(SCOPE, one, strong());
      if (page.next().isPresent()) {
        Scan next = one.after(page.next());
        if (next.path().map(AccessPath::reach).equals(Optional.of(AccessPath.Reach.SYSTEM))) {
          storage.scanSystem(SYSTEM, next, strong());
        } else {
          storage.scan(SCOPE, next, strong());
        }
      }
    }
  }

  /** The same scan between two bounds. */
  private static Scan bounded(Scan scan) {
    List<Attribute> order = new ArrayList<>();
    scan.path()
        .ifPresent(path -> path.ordered().forEach(name -> order.add(scan.type().attribute(name))));
    List<Attribute> key = scan.type().key();
    if (!scan.path().map(AccessPath::reach).equals(Optional.of(AccessPath.Reach.SYSTEM))) {
      order.addAll(key.subList(scan.path().isPresent() ? 0 : scan.equal().size(), key.size()));
    }
    if (order.isEmpty()) {
      return scan;
    }
    Object[] one = {value(order.get(0))};
    Object[] all = order.stream().map(QueryPlanTest::value).toArray();
    return scan.from(one).to(all);
  }

  private static void everyCall(Storage storage) {
    for (RecordType type : RecordTypes.all()) {
      List<Row> rows = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        Row row = TestRows.full(type, TENANT, key(type).values().toArray());
        rows.add(row);
        storage.commit(batch(insert(row)), deadline());
        storage.commit(batch(insert(row)), deadline());
      }
      storage.read(SCOPE, rows.stream().map(Row::key).toList(), strong());
      if (type.mutability() == RecordType.Mutability.MUTABLE) {
        Row changed = TestRows.full(type, TENANT, rows.get(0).key().values().toArray());
        Row after = changed.with(changed.header().next(TestRows.NOW, "x"));
        storage.commit(batch(update(rows.get(0), after)), deadline());
        storage.commit(batch(update(after, TestRows.next(after))), deadline());
        if (type.removal() == RecordType.Removal.BY_BATCH) {
          storage.commit(batch(new Mutation.Delete(rows.get(1))), deadline());
        }
        storage.commit(
            new Batch(
                UUID.randomUUID(),
                1,
                SCOPE,
                Optional.empty(),
                List.of(),
                List.of(new Batch.VersionIs(rows.get(2).key(), 1))),
            deadline());
      }
      for (RecordType.UniqueKey unique : type.uniqueKeys()) {
        List<Object> values = new ArrayList<>();
        unique.attributes().forEach(name -> values.add(value(type.attribute(name))));
        storage.readUnique(SCOPE, type, unique.name(), values, strong());
      }
      for (int prefix = 0; prefix <= type.key().size(); prefix++) {
        List<Object> equal = new ArrayList<>(rows.get(2).key().values().subList(0, prefix));
        scanAll(storage, Scan.byKey(type, equal, 1));
      }
      for (AccessPath path : type.paths()) {
        List<Object> equal = new ArrayList<>();
        path.equality().forEach(name -> equal.add(element(rows.get(2).get(name))));
        scanAll(storage, Scan.byPath(type, path.name(), equal, 1));
      }
    }
    for (Scope scope : List.of(SCOPE, SYSTEM)) {
      var chunk = storage.feed(scope, Optional.empty(), 1, deadline());
      storage.feed(scope, chunk.next(), 1, deadline());
    }
    storage.purge(
        SCOPE,
        new Purge(batch(), RecordTypes.EVENT, List.of(UUID.randomUUID()), 1L, 9L, List.of()),
        deadline());
    UUID execution = UUID.randomUUID();
    storage.commit(batch(insert(TestRows.event(TENANT, execution, 1))), deadline());
    storage.purge(
        SCOPE,
        new Purge(batch(), RecordTypes.EVENT, List.of(execution), 1L, 9L, List.of()),
        deadline());
    storage.health();
    storage.statistics(SCOPE, deadline());
  }

  private static List<String> plan(Connection connection, String sql) throws SQLException {
    List<String> lines = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement("EXPLAIN QUERY PLAN " + sql);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        lines.add(row.getString("detail"));
      }
    }
    return lines;
  }

  @Test
  void noStatementScansATableOrSorts() throws Exception {
    SqliteStore store = SqliteStore.in(directory);
    Set<String> heard = ConcurrentHashMap.newKeySet();
    try (Storage storage =
        new SqliteStorageProvider().open(store.settings(), new Wiretap(heard::add))) {
      heard.clear();
      everyCall(storage);
    }
    List<String> statements =
        heard.stream().filter(sql -> sql.matches("(?is)(select|insert|update|delete) .*")).toList();
    assertThat(statements).hasSizeGreaterThan(60);
    List<String> bad = new ArrayList<>();
    try (Connection connection = store.foreign()) {
      for (String sql : statements) {
        for (String line : plan(connection, sql)) {
          boolean derived = line.startsWith("SCAN (subquery") || line.startsWith("SCAN CONSTANT");
          // From the edge of an index, as far as the page goes.
          boolean page = !sql.contains("WHERE") && sql.endsWith("LIMIT ?");
          boolean scan = line.startsWith("SCAN") && !derived && !page;
          if (scan || line.contains("TEMP B-TREE")) {
            bad.add(line + "  <-  " + sql);
          }
        }
      }
    }
    assertThat(bad).isEmpty();
  }
}
