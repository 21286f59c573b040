/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.internal;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.jpa.internal.SqlQuery.Parameter;
import io.wovyr.persistence.storage.spi.Attribute.Kind;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordType.UniqueKey;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.ScopedKey;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The lean path: generated statements, prepared once per connection, bound from the row itself. */
public final class LeanRecords implements Records {
  private final StatementCache statements;
  private final Tables tables;
  private final Failures failures;
  private final String tenantId;
  private final FeedKeys feedKeys;

  /** Gives out feed keys inside the transaction. */
  public interface FeedKeys {
    /** For reading only. */
    FeedKeys NONE =
        () -> {
          throw new IllegalStateException("no feed keys outside a write transaction");
        };

    /** A key above all that were ever given out. */
    long next() throws SQLException;
  }

  public LeanRecords(
      StatementCache statements,
      Tables tables,
      Failures failures,
      String tenantId,
      FeedKeys feedKeys) {
    this.statements = statements;
    this.tables = tables;
    this.failures = failures;
    this.tenantId = tenantId;
    this.feedKeys = feedKeys;
  }

  @Override
  public Optional<Row> read(Key key) throws SQLException {
    RecordTable table = tables.of(key.type());
    PreparedStatement statement = statements.get(table.selectByKey());
    table.bindKey(statement, 1, tenantId, key);
    try (ResultSet result = statement.executeQuery()) {
      return result.next() ? Optional.of(table.read(result, 1, tenantId)) : Optional.empty();
    }
  }

  @Override
  public long version(Key key) throws SQLException {
    RecordTable table = tables.of(key.type());
    PreparedStatement statement = statements.get(table.selectVersion());
    table.bindKey(statement, 1, tenantId, key);
    try (ResultSet result = statement.executeQuery()) {
      return result.next() ? result.getLong(1) : -1;
    }
  }

  @Override
  public Optional<Row> holder(RecordType type, UniqueKey unique, List<Object> values)
      throws SQLException {
    RecordTable table = tables.of(type);
    List<Parameter> parameters = new ArrayList<>();
    parameters.add(new Parameter(Kind.TEXT, tenantId));
    parameters.addAll(table.uniqueParameters(unique, values));
    String text = "SELECT " + table.selectList() + table.whereUnique(unique);
    try (ResultSet result = bind(table, new SqlQuery(text, parameters)).executeQuery()) {
      return result.next() ? Optional.of(table.read(result, 1, tenantId)) : Optional.empty();
    }
  }

  @Override
  public Page<Row> scan(Scan scan) throws SQLException {
    RecordTable table = tables.of(scan.type());
    ScanQuery scanned = ScanQuery.ofTenant(table, scan, ScanQuery.Select.ROWS);
    PreparedStatement statement = bind(table, scanned.query(tenantId));
    List<Row> rows = new ArrayList<>();
    long bytes = 0;
    try (ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        if (rows.size() == scan.limit() || bytes > PAGE_BYTES) {
          return new Page<>(rows, scanned.next(rows.get(rows.size() - 1)));
        }
        Row row = table.read(result, 1, tenantId);
        rows.add(row);
        bytes += row.sizeBytes();
      }
    }
    return new Page<>(rows, Optional.empty());
  }

  /** Reads a page of keys over all tenants. */
  public Page<ScopedKey> keys(RecordTable table, Scan scan) throws SQLException {
    ScanQuery scanned = ScanQuery.ofSystem(table, scan);
    List<ScopedKey> keys = new ArrayList<>();
    List<Object> ordered = List.of();
    try (ResultSet result = bind(table, scanned.query(tenantId)).executeQuery()) {
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

  /** Binds a query to its prepared statement. */
  private PreparedStatement bind(RecordTable table, SqlQuery query) throws SQLException {
    PreparedStatement statement = statements.get(query.text());
    int index = 1;
    for (Parameter parameter : query.parameters()) {
      table.values().bind(statement, index++, parameter.kind(), parameter.value());
    }
    return statement;
  }

  @Override
  public boolean insert(Row row) throws SQLException {
    RecordTable table = tables.of(row.type());
    PreparedStatement statement = statements.get(table.insert());
    int index = 1;
    if (table.inFeed()) {
      statement.setLong(index++, feedKeys.next());
    }
    table.bindAll(statement, index, row);
    return changed(statement, table.insert());
  }

  @Override
  public boolean update(Row before, Row after) throws SQLException {
    RecordTable table = tables.of(after.type());
    String text = table.update(before, after);
    PreparedStatement statement = statements.get(text);
    table.bindUpdate(statement, 1, before, after);
    return changed(statement, text);
  }

  @Override
  public boolean delete(Row before) throws SQLException {
    RecordTable table = tables.of(before.type());
    PreparedStatement statement = statements.get(table.delete());
    int index = table.bindKey(statement, 1, tenantId, before.key());
    statement.setLong(index, before.version());
    return changed(statement, table.delete());
  }

  private boolean changed(PreparedStatement statement, String text) throws SQLException {
    try {
      return statement.executeUpdate() == 1;
    } catch (SQLException e) {
      statements.discard(text);
      if (failures.taken(e)) {
        return false;
      }
      throw e;
    }
  }
}
