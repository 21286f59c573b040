/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.jpa.internal.RecordTable;
import io.wovyr.persistence.jpa.internal.Records;
import io.wovyr.persistence.jpa.internal.ScanQuery;
import io.wovyr.persistence.jpa.internal.SqlQuery;
import io.wovyr.persistence.jpa.internal.Tables;
import io.wovyr.persistence.storage.spi.Attribute.Kind;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.ScopedKey;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Reads without Hibernate. Every call is one trip, a transaction of its own that sees one instant;
 * its tenant cannot be lost between its statements. Thread-safe.
 */
final class NativeRecords {
  /** Most records of one trip. */
  static final int MOST = 100;

  private final Tables tables;
  private final TransactionSettings settings;

  NativeRecords(Tables tables, TransactionSettings settings) {
    this.tables = tables;
    this.settings = settings;
  }

  /** Asks for one row. */
  record Question(RecordTable table, String text, Trip.Binding binding) {}

  Question byKey(String tenantId, Key key) {
    RecordTable table = tables.of(key.type());
    return new Question(
        table,
        table.selectByKey(),
        (statement, from) -> table.bindKey(statement, from, tenantId, key));
  }

  /** Who holds a unique entry. */
  Question byUnique(
      String tenantId, RecordType type, RecordType.UniqueKey unique, List<Object> values) {
    RecordTable table = tables.of(type);
    List<SqlQuery.Parameter> parameters = new ArrayList<>();
    parameters.add(new SqlQuery.Parameter(Kind.TEXT, tenantId));
    parameters.addAll(table.uniqueParameters(unique, values));
    return new Question(
        table,
        "SELECT " + table.selectList() + table.whereUnique(unique),
        bound(table, parameters));
  }

  private static Trip.Binding bound(RecordTable table, List<SqlQuery.Parameter> parameters) {
    return (statement, from) -> {
      int index = from;
      for (SqlQuery.Parameter parameter : parameters) {
        table.values().bind(statement, index++, parameter.kind(), parameter.value());
      }
      return index;
    };
  }

  /** The rows asked for, in order, in one trip for each {@value #MOST} of them. */
  List<Optional<Row>> ask(
      Connection connection, String tenantId, List<Question> questions, Deadline deadline)
      throws SQLException {
    List<Optional<Row>> rows = new ArrayList<>(questions.size());
    for (int from = 0; from < questions.size(); from += MOST) {
      List<Question> some = questions.subList(from, Math.min(questions.size(), from + MOST));
      Trip trip = new Trip();
      if (!settings.isEnlisted()) {
        trip.add(Trip.BEGIN_READING);
      }
      trip.settings(settings, tenantId, deadline);
      some.forEach(question -> trip.add(question.text(), question.binding()));
      try (Trip.Results results = trip.end(settings).run(connection).skip(2)) {
        for (Question question : some) {
          ResultSet row = results.next();
          rows.add(
              row.next() ? Optional.of(question.table().read(row, 1, tenantId)) : Optional.empty());
        }
      }
    }
    return rows;
  }

  /** A page of rows of one tenant. */
  Page<Row> scan(Connection connection, String tenantId, Scan scan, Deadline deadline)
      throws SQLException {
    RecordTable table = tables.of(scan.type());
    ScanQuery scanned = ScanQuery.ofTenant(table, scan, ScanQuery.Select.ROWS);
    SqlQuery query = scanned.query(tenantId);
    Trip trip = new Trip().add(Trip.BEGIN_READING).settings(settings, tenantId, deadline);
    boolean bounded = addBounded(trip, table, query);
    trip.add(Trip.COMMIT);
    int bytes = table.columns().size() + 1;
    List<Row> rows = new ArrayList<>();
    try (Trip.Results results = trip.run(connection).skip(2)) {
      ResultSet result = results.next();
      boolean more = false;
      boolean cut = false;
      while (!more && result.next()) {
        more = rows.size() == scan.limit();
        if (bounded && rows.isEmpty()) {
          cut = result.getLong(bytes) > Records.PAGE_BYTES;
        }
        if (!more) {
          rows.add(table.read(result, 1, tenantId));
        }
      }
      more |= cut;
      return new Page<>(rows, more ? scanned.next(rows.get(rows.size() - 1)) : Optional.empty());
    }
  }

  /**
   * The page ends, on the server, with the row that takes it beyond so many bytes: sizes are added
   * up first, and only if they are too much is it looked for. The range is given twice, so are its
   * parameters.
   *
   * @return true when the sum of the sizes stands in every row, after all columns
   */
  private static boolean addBounded(Trip trip, RecordTable table, SqlQuery query) {
    String sizes = sizes(table);
    String text = query.text();
    String select = text.substring(0, text.indexOf(" FROM "));
    int limit = text.lastIndexOf(" LIMIT ");
    if (sizes.isEmpty() || limit < 0) {
      trip.add(text, bound(table, query.parameters()));
      return false;
    }
    List<SqlQuery.Parameter> twice = new ArrayList<>(query.parameters());
    twice.addAll(query.parameters().subList(0, query.parameters().size() - 1));
    trip.add(
        "WITH r AS MATERIALIZED (SELECT "
            + sizes
            + " AS bytes"
            + text.substring(select.length())
            + ") "
            + select
            + ", (SELECT sum(r.bytes) FROM r)"
            + text.substring(select.length(), limit)
            + " LIMIT (SELECT CASE WHEN sum(r.bytes) <= "
            + Records.PAGE_BYTES
            + " THEN count(*) ELSE (SELECT count(*) FROM (SELECT sum(r.bytes) OVER (ROWS BETWEEN"
            + " UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM r) page"
            + " WHERE coalesce(before, 0) <= "
            + Records.PAGE_BYTES
            + ") END FROM r)",
        bound(table, twice));
    return true;
  }

  private static String sizes(RecordTable table) {
    return table.columns().stream()
        .filter(column -> column.kind() == Kind.BYTES || column.kind() == Kind.PAYLOAD)
        .filter(column -> !column.name().equals("extra") || hasBytes(table))
        .map(column -> "coalesce(octet_length(" + column.name() + "), 0)")
        .collect(Collectors.joining(" + "));
  }

  private static boolean hasBytes(RecordTable table) {
    return table.type().attributes().stream()
        .anyMatch(a -> a.kind() == Kind.BYTES || a.kind() == Kind.PAYLOAD);
  }

  /** A page of keys over all tenants. */
  Page<ScopedKey> keys(Connection connection, String tenantId, Scan scan, Deadline deadline)
      throws SQLException {
    RecordTable table = tables.of(scan.type());
    ScanQuery scanned = ScanQuery.ofSystem(table, scan);
    SqlQuery query = scanned.query(tenantId);
    Trip trip =
        new Trip()
            .add(Trip.BEGIN_READING)
            .settings(settings, tenantId, deadline)
            .add(query.text(), bound(table, query.parameters()))
            .add(Trip.COMMIT);
    List<ScopedKey> keys = new ArrayList<>();
    List<Object> ordered = List.of();
    try (Trip.Results results = trip.run(connection).skip(2)) {
      ResultSet result = results.next();
      while (result.next()) {
        if (keys.size() == scan.limit()) {
          ScopedKey last = keys.get(keys.size() - 1);
          return new Page<>(keys, scanned.next(ordered, last.tenantId(), last.key()));
        }
        keys.add(new ScopedKey(result.getString(1), table.readKey(result, 2)));
        ordered = scanned.readOrdered(table, result, 2 + table.keyColumns().size());
      }
    }
    return new Page<>(keys, Optional.empty());
  }
}
