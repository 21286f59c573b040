/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import static io.wovyr.persistence.jpa.postgresql.Samples.deadline;
import static io.wovyr.persistence.jpa.postgresql.Samples.next;
import static io.wovyr.persistence.jpa.postgresql.Samples.strong;
import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.storage.spi.AccessPath;
import io.wovyr.persistence.storage.spi.Attribute;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Purge;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * No call's cost grows with the number of other executions: every statement the store has prepared,
 * by its own hand or Hibernate's, is explained by the plan the server keeps for it.
 */
class QueryPlanIT {
  private static final Scope.System SYSTEM = new Scope.System("test");

  /** Tables with several indexes to choose from, and those that are looked over for what is due. */
  private static final List<RecordType> FILLED =
      List.of(
          RecordTypes.EXECUTION,
          RecordTypes.HEAD,
          RecordTypes.SCHEDULE,
          RecordTypes.CHECKPOINT,
          RecordTypes.DATA_KEY);

  private static Object value(Attribute attribute) {
    return switch (attribute.kind()) {
      case UUID -> UUID.randomUUID();
      case LONG -> 7L;
      case INT -> 7;
      case BOOLEAN -> false;
      case BYTES -> Bytes.EMPTY;
      case PAYLOAD -> Samples.payload();
      case TEXT_LIST -> List.of("name=" + UUID.randomUUID());
      case INSTANT -> Samples.NOW;
      case TEXT -> "name" + UUID.randomUUID();
    };
  }

  private static Object[] key(RecordType type) {
    return type.key().stream().map(QueryPlanIT::value).toArray();
  }

  private static boolean isSystem(Scan scan) {
    return scan.path().map(AccessPath::reach).equals(Optional.of(AccessPath.Reach.SYSTEM));
  }

  private static Page<?> page(Storage storage, Scope scope, Scan scan) {
    return isSystem(scan)
        ? storage.scanSystem(SYSTEM, scan, strong())
        : storage.scan(scope, scan, strong());
  }

  private static void scanAll(Storage storage, Scope scope, Scan scan) {
    for (Scan one : List.of(scan, scan.descending(), bounded(scan), bounded(scan).descending())) {
      Optional<String> next = page(storage, scope, one).next();
      if (next.isPresent()) {
        page(storage, scope, one.after(next));
      }
    }
  }

  /** The same scan between two bounds. */
  private static Scan bounded(Scan scan) {
    List<Attribute> order = new ArrayList<>();
    scan.path()
        .ifPresent(path -> path.ordered().forEach(name -> order.add(scan.type().attribute(name))));
    List<Attribute> key = scan.type().key();
    if (!isSystem(scan)) {
      order.addAll(key.subList(scan.path().isPresent() ? 0 : scan.equal().size(), key.size()));
    }
    if (order.isEmpty()) {
      return scan;
    }
    Object[] one = {value(order.get(0))};
    Object[] all = order.stream().map(QueryPlanIT::value).toArray();
    return scan.from(one).to(all);
  }

  private static Row full(Samples acme, RecordType type) {
    Row row = acme.row(type, key(type));
    for (Attribute attribute : type.attributes()) {
      if (attribute.kind() != Attribute.Kind.PAYLOAD) {
        row = row.with(attribute.name(), value(attribute));
      }
    }
    return row;
  }

  /** Some are due, most are not, each at a time of its own. */
  private static Row waiting(Row row) {
    for (String time : List.of("dueAt", "nextFireAt")) {
      if (row.type().has(time)) {
        long seconds = ThreadLocalRandom.current().nextLong(-1_000, 100_000);
        return row.with(time, Samples.NOW.plusSeconds(seconds));
      }
    }
    return row;
  }

  /** So many rows that it matters which of several indexes is taken. */
  private static void fill(Samples acme) {
    for (RecordType type : FILLED) {
      for (int batch = 0; batch < 20; batch++) {
        Mutation[] inserts =
            Stream.generate(() -> new Mutation.Insert(waiting(full(acme, type))))
                .limit(20)
                .toArray(Mutation[]::new);
        acme.committed(inserts);
      }
    }
  }

  private static void everyCall(Storage storage) {
    Samples acme = Samples.of(storage, "acme");
    for (RecordType type : RecordTypes.all()) {
      List<Row> rows = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        Row row = full(acme, type);
        rows.add(acme.inserted(row));
        acme.commit(new Mutation.Insert(row));
      }
      storage.read(acme.scope(), rows.stream().map(Row::key).toList(), strong());
      if (type.mutability() == RecordType.Mutability.MUTABLE) {
        Row stale = rows.get(0);
        acme.commit(new Mutation.Update(stale, next(stale)));
        acme.commit(new Mutation.Update(stale, next(stale)));
        if (type.removal() == RecordType.Removal.BY_BATCH) {
          acme.commit(new Mutation.Delete(rows.get(1)));
        }
        storage.commit(
            new Batch(
                UUID.randomUUID(),
                1,
                acme.scope(),
                Optional.empty(),
                List.of(),
                List.of(new Batch.VersionIs(rows.get(2).key(), 1))),
            deadline());
      }
      for (RecordType.UniqueKey unique : type.uniqueKeys()) {
        List<Object> values = new ArrayList<>();
        unique.attributes().forEach(name -> values.add(value(type.attribute(name))));
        storage.readUnique(acme.scope(), type, unique.name(), values, strong());
      }
      for (int prefix = 0; prefix <= type.key().size(); prefix++) {
        scanAll(
            storage,
            acme.scope(),
            Scan.byKey(type, rows.get(2).key().values().subList(0, prefix), 1));
      }
      for (AccessPath path : type.paths()) {
        List<Object> equal = new ArrayList<>();
        path.equality().forEach(name -> equal.add(element(rows.get(2).get(name))));
        scanAll(storage, acme.scope(), Scan.byPath(type, path.name(), equal, 1));
      }
    }
    scanAll(
        storage,
        acme.scope(),
        Scan.byPath(RecordTypes.HEAD, "due", List.of(), 1).to(Samples.IN_AN_HOUR));
    commits(acme);
    feedAndPurge(storage, acme);
    storage.health();
  }

  private static void commits(Samples acme) {
    for (int events : new int[] {0, 1, 3}) {
      acme.committed(acme.step(acme.inserted(acme.owned(UUID.randomUUID())), events));
    }
    List<Mutation> many = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Row head = acme.inserted(acme.owned(UUID.randomUUID()));
      Collections.addAll(many, acme.step(head, 1));
    }
    acme.committed(many.toArray(Mutation[]::new));
    Row execution = acme.inserted(acme.execution());
    Row head = acme.inserted(acme.owned((UUID) execution.key().values().get(0)));
    List<Mutation> transition = new ArrayList<>(List.of(acme.step(head, 1)));
    transition.add(new Mutation.Update(execution, next(execution)));
    acme.committed(transition.toArray(Mutation[]::new));
  }

  private static void feedAndPurge(Storage storage, Samples acme) {
    for (Scope scope : List.of(acme.scope(), SYSTEM)) {
      var chunk = storage.feed(scope, Optional.empty(), 1, deadline());
      storage.feed(scope, chunk.next(), 1, deadline());
    }
    UUID execution = UUID.randomUUID();
    acme.committed(new Mutation.Insert(acme.event(execution, 1)));
    storage.purge(
        acme.scope(),
        new Purge(acme.batch(), RecordTypes.EVENT, List.of(execution), 1L, 9L, List.of()),
        deadline());
  }

  /** The plans of all statements the session of a role has prepared. */
  private static Map<String, String> plans(Connection connection) throws SQLException {
    Map<String, String> names = new LinkedHashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT name, cardinality(parameter_types), statement FROM pg_prepared_statements"
                    + " WHERE statement ~* '^(select|insert|update|delete|with)'")) {
      while (row.next()) {
        List<String> nulls = Collections.nCopies(row.getInt(2), "null");
        String arguments = nulls.isEmpty() ? "" : "(" + String.join(", ", nulls) + ")";
        names.put("\"" + row.getString(1) + "\"" + arguments, row.getString(3));
      }
    }
    Map<String, String> plans = new LinkedHashMap<>();
    for (Map.Entry<String, String> name : names.entrySet()) {
      List<String> lines = new ArrayList<>();
      try (Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("EXPLAIN EXECUTE " + name.getKey())) {
        while (row.next()) {
          lines.add(row.getString(1));
        }
      }
      plans.put(name.getValue(), String.join("\n", lines));
    }
    return plans;
  }

  @Test
  void everyStatementGoesByAnIndexAndNoneSortsMoreThanItsOwnKeys() throws Exception {
    try (PostgresServer.Database database = PostgresServer.shared().newStore()) {
      Map<String, String> settings = database.with("connections", "1");
      settings.put("system-connections", "1");
      Map<String, String> plans = new LinkedHashMap<>();
      try (Storage storage = new PostgresqlStorageProvider().open(settings)) {
        fill(Samples.of(storage, "acme"));
        database.run(
            "ANALYZE " + FILLED.stream().map(RecordType::name).collect(Collectors.joining(", ")));
        everyCall(storage);
        PostgresqlStorage opened = (PostgresqlStorage) storage;
        for (StoreCheck.Role role : StoreCheck.Role.values()) {
          plans.putAll(opened.inspect(role, QueryPlanIT::plans));
        }
      }
      plans.keySet().removeIf(sql -> sql.contains("pg_class") || sql.contains("pg_trigger"));
      plans.keySet().removeIf(sql -> sql.contains("pg_roles") || sql.contains("pg_stat"));
      plans.keySet().removeIf(sql -> sql.contains("pg_prepared_statements"));
      plans.keySet().removeIf(sql -> sql.contains("has_table_privilege"));
      assertThat(plans).hasSizeGreaterThan(80);
      List<String> bad = new ArrayList<>();
      plans.forEach(
          (sql, plan) ->
              plan.lines()
                  .map(String::strip)
                  .filter(line -> isBad(sql, line))
                  .forEach(line -> bad.add(line + "  <-  " + sql)));
      assertThat(bad).isEmpty();
    }
  }

  /** Reads more than it answers, or sorts more than the keys it was given. */
  private static boolean isBad(String sql, String line) {
    boolean own = line.contains("unnest") || sql.contains("unnest") || sql.contains("DESC LIMIT 1");
    if (line.contains("Seq Scan") || line.contains("Disabled")) {
      return true;
    }
    if (line.contains("Sort  ")) {
      return !own;
    }
    // What is left to filter by: a version, the store's own row beside rows that are locked, the
    // one row that says whether all guards hold, the bytes of a page, what Hibernate adds to the
    // key, and a wall of two parts beside the index.
    return line.startsWith("Filter:")
        && !line.equals("Filter: (now IS NOT NULL)")
        && !line.matches("Filter: \\(version = \\$\\d+\\)")
        && !line.matches("Filter: \\(.*(epoch = \\$\\d+\\)|COALESCE\\(|tenant_id <> '').*");
  }

  /** What a scan gives to find a value: of a list, one element. */
  private static Object element(Object value) {
    return value instanceof List<?> list ? list.get(0) : value;
  }
}
