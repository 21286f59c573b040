/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.jpa.internal.RecordTable;
import io.wovyr.persistence.jpa.internal.Tables;
import io.wovyr.persistence.storage.spi.AccessPath;
import io.wovyr.persistence.storage.spi.AccessPath.Reach;
import io.wovyr.persistence.storage.spi.Attribute;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the tables to the record types, and every step of the changelog to its rollback. */
class SchemaIT {
  private static PostgresServer.Database database;

  @BeforeAll
  static void migrate() {
    database = PostgresServer.shared().newStore();
  }

  @AfterAll
  static void drop() {
    database.close();
  }

  static List<RecordType> types() {
    return RecordTypes.all();
  }

  private static List<String> query(String sql, String... parameters) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = database.admin();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setString(i + 1, parameters[i]);
      }
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          rows.add(row.getString(1));
        }
      }
    }
    return rows;
  }

  private static List<String> columns(Stream<String> attributes) {
    return attributes.map(RecordTable::columnName).toList();
  }

  private static List<String> key(RecordType type) {
    return columns(type.key().stream().map(attribute -> attribute.name()));
  }

  @ParameterizedTest
  @MethodSource("types")
  void everyColumnIsThereWithItsTypeAndNullability(RecordType type) throws SQLException {
    Map<String, String> expected = new TreeMap<>();
    RecordTable table = new Tables(new PostgresqlValues()).of(type);
    for (RecordTable.Column column : table.columns()) {
      String stored = PostgresqlValues.type(column.kind());
      expected.put(column.name(), stored + (column.nullable() ? "" : " NOT NULL"));
    }
    expected.put("tenant_id", "text NOT NULL");
    if (table.inFeed()) {
      expected.put("feed_key", "bigint NOT NULL");
    }
    if (type == RecordTypes.HEAD) {
      expected.put("last_feed_key", "bigint NOT NULL");
    }
    Map<String, String> actual = new TreeMap<>();
    for (String column :
        query(
            "SELECT attname || '=' || format_type(atttypid, atttypmod)"
                + " || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END"
                + " FROM pg_attribute WHERE attrelid = ?::regclass AND attnum > 0"
                + " AND NOT attisdropped",
            type.name())) {
      actual.put(column.split("=")[0], column.split("=")[1]);
    }
    assertThat(actual).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("types")
  void everyTextComparesByItsBytes(RecordType type) throws SQLException {
    assertThat(
            query(
                "SELECT attname FROM pg_attribute WHERE attrelid = ?::regclass AND attnum > 0"
                    + " AND atttypid = 'text'::regtype AND attcollation <> 'pg_catalog.\"C\"'::regcollation",
                type.name()))
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("types")
  void theEmptyTenantIsImpossible(RecordType type) throws SQLException {
    assertThat(
            query(
                "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE contype = 'c'"
                    + " AND conrelid = ?::regclass",
                type.name()))
        .anyMatch(check -> check.contains("tenant_id <> ''"));
  }

  /** Index definitions: unique or not, columns, condition. */
  private static Map<String, String> indexes(RecordType type) throws SQLException {
    Map<String, String> found = new TreeMap<>();
    for (String index :
        query(
            "SELECT c.relname || '=' || CASE WHEN i.indisunique THEN 'unique ' ELSE '' END"
                + " || (SELECT string_agg(a.attname, ',' ORDER BY k.n) FROM"
                + " unnest(i.indkey::int2[]) WITH ORDINALITY AS k(attnum, n)"
                + " JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum)"
                + " || coalesce(' ' || pg_get_expr(i.indpred, i.indrelid), '')"
                + " FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
                + " WHERE i.indrelid = ?::regclass",
            type.name())) {
      int equals = index.indexOf('=');
      found.put(index.substring(0, equals), index.substring(equals + 1));
    }
    return found;
  }

  private static String condition(RecordType type, List<String> attributes) {
    List<String> nullable =
        attributes.stream()
            .filter(name -> type.key().stream().noneMatch(key -> key.name().equals(name)))
            .filter(name -> type.attribute(name).nullable())
            .map(name -> "(" + RecordTable.columnName(name) + " IS NOT NULL)")
            .toList();
    String all = String.join(" AND ", nullable);
    return nullable.size() < 2 ? (all.isEmpty() ? "" : " " + all) : " (" + all + ")";
  }

  @ParameterizedTest
  @MethodSource("types")
  void everyUniqueKeyAndPathHasItsIndexWithoutNullsAndThereIsNoOther(RecordType type)
      throws SQLException {
    Map<String, String> expected = new TreeMap<>();
    expected.put(type.name() + "_pkey", "unique tenant_id," + String.join(",", key(type)));
    for (RecordType.UniqueKey unique : type.uniqueKeys()) {
      expected.put(
          type.name() + "_" + unique.name(),
          "unique tenant_id,"
              + String.join(",", columns(unique.attributes().stream()))
              + condition(type, unique.attributes()));
    }
    for (AccessPath path : type.paths()) {
      if (isOverList(type, path)) {
        continue;
      }
      List<String> columns = new ArrayList<>();
      if (path.reach() == Reach.TENANT) {
        columns.add("tenant_id");
      }
      List<String> all = new ArrayList<>(path.equality());
      all.addAll(path.ordered());
      columns.addAll(columns(all.stream()));
      if (path.reach() == Reach.SYSTEM) {
        columns.add("tenant_id");
      }
      columns.addAll(key(type));
      expected.put(
          type.name() + "_" + path.name(), String.join(",", columns) + condition(type, all));
    }
    if (type.feedRole() == RecordType.FeedRole.RECORDS) {
      String feed = "feed_key," + String.join(",", key(type));
      expected.put(type.name() + "_feed", "tenant_id," + feed);
      expected.put(type.name() + "_feed_all", feed + " (feed_key > 0)");
    }
    assertThat(indexes(type)).isEqualTo(expected);
  }

  /** Such a path has a table of entries instead of an index. */
  private static boolean isOverList(RecordType type, AccessPath path) {
    return path.equality().stream()
        .anyMatch(name -> type.attribute(name).kind() == Attribute.Kind.TEXT_LIST);
  }

  @ParameterizedTest
  @MethodSource("types")
  void aPathOverAListHasATableOfEntriesInItsOrder(RecordType type) throws SQLException {
    for (AccessPath path : type.paths()) {
      if (isOverList(type, path)) {
        List<String> columns = new ArrayList<>(List.of("tenant_id"));
        columns.addAll(columns(path.equality().stream()));
        columns.addAll(columns(path.ordered().stream()));
        columns.addAll(key(type));
        assertThat(
                query(
                    "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE contype = 'p'"
                        + " AND conrelid = ?::regclass",
                    type.name() + "_" + path.name()))
            .containsExactly("PRIMARY KEY (" + String.join(", ", columns) + ")");
      }
    }
  }

  @Test
  void everyTableForcesRowLevelSecurity() throws SQLException {
    assertThat(
            query(
                "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace"
                    + " AND relkind IN ('r', 'p') AND NOT (relrowsecurity AND relforcerowsecurity)"
                    + " ORDER BY 1"))
        .as("only Liquibase's own tables, which no other role sees")
        .containsExactly("databasechangelog", "databasechangeloglock");
    assertThat(
            query(
                "SELECT table_name || ' ' || grantee FROM information_schema.table_privileges"
                    + " WHERE table_name LIKE 'databasechangelog%'"
                    + " AND grantee <> 'wovyr_test_owner'"))
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("types")
  void aNewEpochWaitsForTheWritersOfEveryTableInTheFeed(RecordType type) throws SQLException {
    assertThat(
            query(
                "SELECT prosrc LIKE ? FROM pg_proc WHERE proname = 'wovyr_epoch'",
                "%LOCK TABLE%" + type.name() + "%MODE%"))
        .containsExactly(type.feedRole() == RecordType.FeedRole.RECORDS ? "t" : "f");
  }

  @Test
  void everyWalledTableIsCheckedAtEveryConnect() throws SQLException {
    assertThat(
            query(
                "SELECT c.relname FROM pg_class c WHERE c.relkind = 'r' AND EXISTS (SELECT FROM"
                    + " pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id')"))
        .containsExactlyInAnyOrderElementsOf(StoreCheck.WALLED);
  }

  /** Everything of the schema that a rollback could leave behind. */
  private static List<String> schema(PostgresServer.Database of) throws SQLException {
    List<String> objects = new ArrayList<>();
    try (Connection connection = of.admin();
        PreparedStatement statement =
            connection.prepareStatement(
                "SELECT 'relation ' || relname FROM pg_class"
                    + " WHERE relnamespace = 'public'::regnamespace"
                    + " UNION ALL SELECT 'function ' || proname FROM pg_proc"
                    + " WHERE pronamespace = 'public'::regnamespace"
                    + " UNION ALL SELECT 'policy ' || polname || polrelid::regclass FROM pg_policy"
                    + " UNION ALL SELECT 'trigger ' || tgname FROM pg_trigger WHERE NOT tgisinternal"
                    + " ORDER BY 1");
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        objects.add(row.getString(1));
      }
    }
    return objects;
  }

  @Test
  void everyStepCanBeRolledBackAndRunAgain() throws Exception {
    try (PostgresServer.Database other = PostgresServer.shared().newStore()) {
      List<String> complete = schema(other);
      int steps = PostgresqlMigrator.steps().size();
      for (int back = 1; back <= steps; back++) {
        try (Connection connection = other.as("owner")) {
          PostgresqlMigrator.CHANGELOG.rollback(connection, back);
          connection.rollback();
        }
        new PostgresqlMigrator().migrate(other.migration(), step -> {});
        assertThat(schema(other)).as(back + " steps back").isEqualTo(complete);
      }
      try (Connection connection = other.as("owner")) {
        PostgresqlMigrator.CHANGELOG.rollback(connection, steps);
        connection.rollback();
      }
      assertThat(schema(other))
          .as("nothing is left but Liquibase's own")
          .allMatch(object -> object.contains("databasechangelog"));
    }
  }
}
