/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.jpa.internal.RecordTable;
import io.wovyr.persistence.jpa.internal.Tables;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rights that "migrate up" grants to a role, on every table there is, and a word about those
 * that a login lacks. Immutable, thread-safe.
 */
final class Rights {
  /** More would make a message nobody reads. */
  private static final int MOST_NAMED = 5;

  private static final String LACKING =
      "SELECT n.object, n.privilege FROM unnest(?, ?) WITH ORDINALITY AS n(object, privilege, at)"
          + " WHERE NOT CASE"
          + " WHEN n.object = 'revision_seq' THEN has_sequence_privilege(n.object, n.privilege)"
          + " WHEN n.object = 'wovyr_store' AND n.privilege = 'UPDATE'"
          + " THEN has_column_privilege(n.object, 'purges', n.privilege)"
          + " ELSE has_table_privilege(n.object, n.privilege) END ORDER BY n.at";

  /** Tables whose rows the runtime role removes, and the purge role with it. */
  static final List<String> BY_BATCH = removedByBatches();

  /** Tables whose rows only the purge role removes. */
  static final List<String> BY_PURGE = removedByPurges();

  private final StoreCheck.Role role;
  private final String place;
  private final List<String> objects = new ArrayList<>();
  private final List<String> privileges = new ArrayList<>();

  Rights(StoreCheck.Role role, String place) {
    this.role = role;
    this.place = place;
    of(role)
        .forEach(
            (object, needed) ->
                needed.forEach(
                    privilege -> {
                      objects.add(object);
                      privileges.add(privilege);
                    }));
  }

  /** What a role needs, by table or sequence. */
  static Map<String, List<String>> of(StoreCheck.Role role) {
    Map<String, List<String>> rights = new LinkedHashMap<>();
    boolean purge = role == StoreCheck.Role.PURGE;
    rights.put("wovyr_store", purge ? List.of("SELECT", "UPDATE") : List.of("SELECT"));
    for (String table : StoreCheck.WALLED) {
      rights.put(table, onTable(role, table));
    }
    if (role != StoreCheck.Role.SYSTEM) {
      rights.put("revision_seq", List.of("USAGE"));
    }
    return rights;
  }

  private static List<String> onTable(StoreCheck.Role role, String table) {
    boolean purge = role == StoreCheck.Role.PURGE;
    List<String> rights = new ArrayList<>(List.of("SELECT"));
    if (role == StoreCheck.Role.SYSTEM || (table.equals("feed_mark") && !purge)) {
      return rights;
    }
    rights.add("INSERT");
    if (!table.equals("feed_mark") && !StoreCheck.APPEND_ONLY.contains(table)) {
      rights.add("UPDATE");
    }
    if (removes(role, table)) {
      rights.add("DELETE");
    }
    return rights;
  }

  /** Whether a role may remove rows of a table: no more than the records' types say. */
  static boolean removes(StoreCheck.Role role, String table) {
    return switch (role) {
      case RUNTIME -> BY_BATCH.contains(table);
      case SYSTEM -> false;
      case PURGE -> BY_BATCH.contains(table) || BY_PURGE.contains(table);
    };
  }

  /**
   * The tables whose rows batches remove: those that say so, and the entries of rows that change.
   */
  private static List<String> removedByBatches() {
    List<String> tables = new ArrayList<>();
    for (RecordTable table : new Tables(new PostgresqlValues()).all()) {
      if (table.type().removal() == RecordType.Removal.BY_BATCH) {
        tables.add(table.name());
      }
      if (table.type().mutability() == RecordType.Mutability.MUTABLE) {
        tables.addAll(table.entryTables());
      }
    }
    return List.copyOf(tables);
  }

  private static List<String> removedByPurges() {
    return Stream.concat(
            RecordTypes.all().stream()
                .filter(type -> type.removal() == RecordType.Removal.BY_PURGE)
                .map(RecordType::name),
            Stream.of("feed_mark"))
        .toList();
  }

  /** Names what the login of this connection lacks, if it lacks anything. */
  Optional<Unavailable> lacking(Connection connection) throws SQLException {
    Map<String, List<String>> lacking = new LinkedHashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(LACKING)) {
      statement.setArray(1, connection.createArrayOf("text", objects.toArray()));
      statement.setArray(2, connection.createArrayOf("text", privileges.toArray()));
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          lacking.computeIfAbsent(row.getString(1), any -> new ArrayList<>()).add(row.getString(2));
        }
      }
    }
    return lacking.isEmpty() ? Optional.empty() : Optional.of(failure(lacking));
  }

  private Unavailable failure(Map<String, List<String>> lacking) {
    String named =
        lacking.entrySet().stream()
            .limit(MOST_NAMED)
            .map(one -> String.join(", ", one.getValue()) + " on " + one.getKey())
            .collect(Collectors.joining("; "));
    int more = lacking.size() - MOST_NAMED;
    return Unavailable.lasting(
        "the login of the %s role at %s lacks a right it needs: %s%s (SQLSTATE 42501): run %s under the migration role, which grants all rights again, and make the login a member of its role"
            .formatted(
                role.title(),
                place,
                named,
                more > 0 ? "; and more on %d more".formatted(more) : "",
                Access.migrateAt(place)),
        null);
  }
}
