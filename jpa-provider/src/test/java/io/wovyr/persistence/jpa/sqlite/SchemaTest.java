/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.jpa.internal.RecordTable;
import io.wovyr.persistence.jpa.internal.Tables;
import io.wovyr.persistence.storage.spi.AccessPath;
import io.wovyr.persistence.storage.spi.AccessPath.Reach;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Storage;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the tables to the record types, and every step of the changelog to its rollback. */
class SchemaTest {
  @TempDir Path directory;
  private SqliteStore store;

  @BeforeEach
  void migrate() {
    store = SqliteStore.in(directory);
  }

  static List<RecordType> types() {
    return RecordTypes.all();
  }

  private List<String> query(String sql, Object... parameters) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = store.foreign();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          rows.add(row.getString(1));
        }
      }
    }
    return rows;
  }

  private List<String> index(String name) throws SQLException {
    return query("SELECT name FROM pragma_index_info(?) ORDER BY seqno", name);
  }

  private static List<String> columns(Stream<String> attributes) {
    return attributes.map(RecordTable::columnName).toList();
  }

  private static List<String> key(RecordType type) {
    return columns(type.key().stream().map(attribute -> attribute.name()));
  }

  @ParameterizedTest
  @MethodSource("types")
  void everyColumnIsThereWithItsStorageClassAndNullability(RecordType type) throws SQLException {
    Map<String, String> expected = new TreeMap<>();
    RecordTable table = new Tables(new SqliteValues()).of(type);
    for (RecordTable.Column column : table.columns()) {
      String stored =
          switch (column.kind()) {
            case INT, LONG, BOOLEAN, INSTANT -> "INTEGER";
            case TEXT, TEXT_LIST -> "TEXT";
            case UUID, BYTES, PAYLOAD -> "BLOB";
          };
      expected.put(column.name(), stored + (column.nullable() ? "" : " NOT NULL"));
    }
    expected.put("tenant_id", "TEXT NOT NULL");
    if (table.inFeed()) {
      expected.put("feed_key", "INTEGER");
    }
    Map<String, String> actual = new TreeMap<>();
    for (String column :
        query(
            "SELECT name || '=' || type || iif(\"notnull\", ' NOT NULL', '')"
                + " FROM pragma_table_info(?)",
            type.name())) {
      actual.put(column.split("=")[0], column.split("=")[1]);
    }
    assertThat(actual).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("types")
  void theKeyIsUniqueAndBeginsWithTheTenant(RecordType type) throws SQLException {
    List<String> expected = new ArrayList<>(List.of("tenant_id"));
    expected.addAll(key(type));
    List<List<String>> unique = new ArrayList<>();
    unique.add(
        query("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", type.name()));
    for (String index :
        query(
            "SELECT name FROM pragma_index_list(?) WHERE \"unique\" AND NOT partial",
            type.name())) {
      unique.add(index(index));
    }
    assertThat(unique).contains(expected);
  }

  @ParameterizedTest
  @MethodSource("types")
  void everyUniqueKeyAndPathHasItsIndexAndThereIsNoOther(RecordType type) throws SQLException {
    Map<String, List<String>> expected = new TreeMap<>();
    for (RecordType.UniqueKey unique : type.uniqueKeys()) {
      List<String> columns = new ArrayList<>(List.of("tenant_id"));
      columns.addAll(columns(unique.attributes().stream()));
      expected.put(type.name() + "_" + unique.name(), columns);
    }
    for (AccessPath path : type.paths()) {
      List<String> columns = new ArrayList<>();
      if (path.reach() == Reach.TENANT) {
        columns.add("tenant_id");
      }
      columns.addAll(columns(path.equality().stream()));
      columns.addAll(columns(path.ordered().stream()));
      if (path.reach() == Reach.SYSTEM) {
        columns.add("tenant_id");
      }
      columns.addAll(key(type));
      expected.put(type.name() + "_" + path.name(), columns);
    }
    if (type.feedRole() == RecordType.FeedRole.RECORDS) {
      expected.put(type.name() + "_feed", List.of("tenant_id", "feed_key"));
      expected.put(
          type.name() + "_key", Stream.concat(Stream.of("tenant_id"), key(type).stream()).toList());
    }
    Map<String, List<String>> actual = new TreeMap<>();
    for (String index :
        query("SELECT name FROM pragma_index_list(?) WHERE origin = 'c'", type.name())) {
      actual.put(index, index(index));
    }
    assertThat(actual).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("types")
  void anIndexHasEntriesOnlyWhereNothingIsNull(RecordType type) throws SQLException {
    for (RecordType.UniqueKey unique : type.uniqueKeys()) {
      partialWhereNullable(type, unique.name(), unique.attributes());
    }
    for (AccessPath path : type.paths()) {
      partialWhereNullable(
          type,
          path.name(),
          Stream.concat(path.equality().stream(), path.ordered().stream()).toList());
    }
  }

  private void partialWhereNullable(RecordType type, String name, List<String> attributes)
      throws SQLException {
    String sql =
        query("SELECT sql FROM sqlite_master WHERE name = ?", type.name() + "_" + name).get(0);
    for (String attribute : attributes) {
      String condition = RecordTable.columnName(attribute) + " IS NOT NULL";
      boolean nullable =
          type.key().stream().noneMatch(key -> key.name().equals(attribute))
              && type.attribute(attribute).nullable();
      assertThat(sql.contains(condition)).as(sql).isEqualTo(nullable);
    }
  }

  private List<String> schema() throws SQLException {
    return query(
        "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_master"
            + " WHERE name NOT LIKE 'DATABASECHANGELOG%' ORDER BY 1");
  }

  @Test
  void everyStepIsUndoneAndDoneAgain() throws Exception {
    List<String> steps = SqliteMigrator.steps();
    List<String> complete = schema();
    for (int count = 1; count <= steps.size(); count++) {
      try (Connection connection = store.foreign()) {
        SqliteMigrator.CHANGELOG.rollback(connection, count);
      }
      List<String> gone = schema();
      if (count == steps.size()) {
        assertThat(gone).as("nothing is left").isEmpty();
      }
      assertThat(new SqliteMigrator().status(store.settings()).pending())
          .isEqualTo(steps.subList(steps.size() - count, steps.size()));
      new SqliteMigrator().migrate(store.settings(), step -> {});
      assertThat(schema()).isEqualTo(complete);
    }
    store.open().close();
  }

  @Test
  void everyStepRunsAgainWhenItWasNotNoted() throws Exception {
    List<String> complete = schema();
    String storeId = query("SELECT hex(store_id) FROM wovyr_store").get(0);
    List<String> steps = SqliteMigrator.steps();
    String last = steps.get(steps.size() - 1);
    for (String step : steps) {
      store.run(
          "DELETE FROM DATABASECHANGELOG WHERE ID IN ('" + step + "', '" + last + "')",
          "UPDATE wovyr_store SET schema_version = 0");
      new SqliteMigrator().migrate(store.settings(), progress -> {});
      assertThat(schema()).isEqualTo(complete);
    }
    assertThat(query("SELECT hex(store_id) FROM wovyr_store")).containsExactly(storeId);
  }

  @Test
  void theLastStepRaisesTheSchemaVersionThisCodeKnows() {
    try (Storage storage = store.open()) {
      assertThat(storage.identity().schemaVersion()).isEqualTo(StoreCheck.SCHEMA_VERSION);
      assertThat(storage.identity().epoch()).isEqualTo(1);
      assertThat(storage.identity().storeId().version()).isEqualTo(4);
      assertThat(storage.identity().storeId().variant()).isEqualTo(2);
    }
  }
}
