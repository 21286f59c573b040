/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.jpa.internal.RecordTable;
import io.wovyr.persistence.jpa.internal.RecordTable.Column;
import io.wovyr.persistence.jpa.internal.SqlValues;
import io.wovyr.persistence.storage.spi.Attribute.Kind;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.StoreTime;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The text of one shape of lean commit, and how it is bound. Two statements travel together: the
 * first sets the tenant, the second does everything else:
 *
 * <ul>
 *   <li>{@code g1, g2, …} lock the guarded rows, each after the one before;
 *   <li>{@code ok} is one row: the store's epoch, and the clock after the last lock if all
 *       conditions hold, else no time;
 *   <li>every write takes its values from {@code ok} if it has a time, so that all of them happen
 *       or none;
 *   <li>the answer is the epoch and the time.
 * </ul>
 *
 * The tenant must be set by a statement of its own: inside this one the policies would be asked
 * first. Immutable, thread-safe.
 */
final class LeanStatement {
  private static final int EPOCH_BITS = 48;

  /** The feed key of this transaction. */
  private static final String FEED_KEY = "ok.feed_key";

  /** Where all conditions hold. */
  private static final String HOLDS = "ok.now IS NOT NULL";

  private final StringBuilder text;
  private final List<Slot> slots = new ArrayList<>();
  private final List<LeanPart> parts;
  private final String sql;

  /** Binds one or more parameters from the batch. */
  private interface Slot {
    int bind(PreparedStatement statement, int index, LeanBatch batch) throws SQLException;
  }

  LeanStatement(List<LeanPart> parts, TransactionSettings settings) {
    this.parts = List.copyOf(parts);
    text = new StringBuilder();
    settings.before().forEach(statement -> text.append(statement).append(';'));
    text.append(settings.text());
    text.append(";WITH ");
    locks();
    verdict();
    for (int i = 0; i < this.parts.size(); i++) {
      write(i);
    }
    text.append(" SELECT ok.epoch, ok.now FROM ok");
    settings.after().forEach(statement -> text.append(';').append(statement));
    sql = text.toString();
  }

  /** Both statements. */
  String sql() {
    return sql;
  }

  void bind(PreparedStatement statement, LeanBatch batch, Deadline deadline) throws SQLException {
    int index = TransactionSettings.bind(statement, 1, batch.batch().scope().tenantId(), deadline);
    for (Slot slot : slots) {
      index = slot.bind(statement, index, batch);
    }
  }

  private void locks() {
    int before = -1;
    for (int i = 0; i < parts.size() && parts.get(i).isGuarded(); i++) {
      LeanPart part = parts.get(i);
      text.append("g").append(i).append(" AS MATERIALIZED (SELECT t.version");
      looked(part).forEach(name -> text.append(", t.").append(RecordTable.columnName(name)));
      if (part.keepsFeedKey()) {
        text.append(", t.last_feed_key");
      }
      text.append(" FROM ").append(part.table().name()).append(" t");
      whereKey(i);
      if (before >= 0) {
        text.append(" AND (SELECT count(*) FROM g").append(before).append(") >= 0");
      }
      text.append(part.kind() == LeanPart.Kind.CHECK ? " FOR SHARE" : lock(part)).append("), ");
      before = i;
    }
  }

  private static String lock(LeanPart part) {
    return part.kind() == LeanPart.Kind.DELETE ? " FOR UPDATE" : " FOR NO KEY UPDATE";
  }

  private static List<String> looked(LeanPart part) {
    return Stream.concat(part.notExpired().stream(), part.expired().stream()).distinct().toList();
  }

  private void whereKey(int part) {
    RecordTable table = parts.get(part).table();
    text.append(" WHERE t.tenant_id = ?");
    table
        .keyColumns()
        .forEach(column -> text.append(" AND t.").append(column.name()).append(" = ?"));
    slots.add(
        (statement, index, batch) ->
            table.bindKey(statement, index, batch.batch().scope().tenantId(), batch.key(part)));
  }

  private void verdict() {
    List<String> conditions = new ArrayList<>();
    StringBuilder looked = new StringBuilder("SELECT s.epoch, ");
    StringBuilder from = new StringBuilder(" FROM wovyr_store s");
    text.append("ok AS MATERIALIZED (SELECT o.epoch");
    if (parts.stream().anyMatch(part -> part.table().inFeed())) {
      looked.append("(s.epoch << ").append(EPOCH_BITS);
      looked.append(") + pg_current_xact_id()::text::bigint AS feed_key, ");
      text.append(", o.feed_key");
    }
    // The clock makes it a query of its own: what is asked below sees one time.
    looked.append(PostgresqlValues.CLOCK).append(" AS now");
    for (int i = 0; i < parts.size() && parts.get(i).isGuarded(); i++) {
      LeanPart part = parts.get(i);
      looked.append(", g").append(i).append(".version AS v").append(i);
      conditions.add("o.v" + i + " = ?");
      for (String name : looked(part)) {
        String column = RecordTable.columnName(name);
        String as = "e" + i + "_" + column;
        looked.append(", g").append(i).append('.').append(column).append(" AS ").append(as);
        if (part.notExpired().contains(name)) {
          conditions.add("o." + as + " > o.now");
        }
        if (part.expired().contains(name)) {
          conditions.add("(o." + as + " IS NULL OR o." + as + " <= o.now)");
        }
      }
      if (part.keepsFeedKey()) {
        looked.append(", g").append(i).append(".last_feed_key AS f").append(i);
        text.append(", o.f").append(i);
      }
      from.append(" LEFT JOIN g").append(i).append(" ON true");
    }
    text.append(", CASE WHEN o.epoch = ?");
    conditions.forEach(condition -> text.append(" AND ").append(condition));
    text.append(" THEN o.now END AS now FROM (");
    text.append(looked).append(from).append(" WHERE s.id = 1) o)");
    slots.add(
        (statement, index, batch) -> {
          statement.setLong(index, batch.batch().epoch());
          return index + 1;
        });
    for (int i = 0; i < parts.size() && parts.get(i).isGuarded(); i++) {
      int part = i;
      slots.add(
          (statement, index, batch) -> {
            statement.setLong(index, batch.version(part));
            return index + 1;
          });
    }
  }

  private void write(int i) {
    LeanPart part = parts.get(i);
    if (part.kind() == LeanPart.Kind.CHECK) {
      return;
    }
    text.append(", w").append(i).append(" AS (");
    switch (part.kind()) {
      case UPDATE -> update(i, part);
      case DELETE -> {
        text.append("DELETE FROM ").append(part.table().name()).append(" t USING ok");
        whereKey(i);
        text.append(" AND ").append(HOLDS);
      }
      case INSERT -> insert(i, part);
      default -> insertMany(i, part);
    }
    text.append(")");
  }

  private void update(int i, LeanPart part) {
    RecordTable table = part.table();
    text.append("UPDATE ").append(table.name()).append(" t SET ");
    for (int position = 0; position < RecordTable.headerColumns().size(); position++) {
      if (RecordTable.headerChanges(part.changed(), position)) {
        headerValue(i, part, position);
      }
    }
    // There is one at least: every update changes the version.
    text.setLength(text.length() - 2);
    for (int position = 0; position < table.type().attributes().size(); position++) {
      if (RecordTable.attributeChanges(part.changed(), position)) {
        text.append(", ").append(attribute(table, position).name()).append(" = ");
        attributeValue(i, part, position);
      }
    }
    if (part.keepsFeedKey()) {
      text.append(", last_feed_key = greatest(ok.f").append(i).append(", ").append(FEED_KEY);
      text.append(')');
    }
    text.append(" FROM ok");
    whereKey(i);
    text.append(" AND ").append(HOLDS);
  }

  private void headerValue(int i, LeanPart part, int position) {
    text.append(RecordTable.headerColumns().get(position).name()).append(" = ?, ");
    slots.add(
        (statement, index, batch) ->
            part.table().bindHeader(statement, index, batch.rows(i).get(0).header(), position));
  }

  private static Column attribute(RecordTable table, int position) {
    return table.columnOf(table.type().attributes().get(position).name());
  }

  /** The value of an attribute of a single row: itself, or what the clock says. */
  private void attributeValue(int i, LeanPart part, int position) {
    Kind kind = part.table().type().attributes().get(position).kind();
    SqlValues values = part.table().values();
    long bit = 1L << position;
    if ((part.times() & bit) != 0) {
      text.append("ok.now + ?");
      slots.add(
          (statement, index, batch) -> {
            statement.setLong(index, micros(time(batch, i, position).plus()));
            return index + 1;
          });
    } else if ((part.buckets() & bit) != 0) {
      text.append("((ok.now + ?) / ?) * ?");
      slots.add(
          (statement, index, batch) -> {
            StoreTime time = time(batch, i, position);
            long step = micros(time.bucket());
            statement.setLong(index, micros(time.plus()) + step - 1);
            statement.setLong(index + 1, step);
            statement.setLong(index + 2, step);
            return index + 3;
          });
    } else {
      text.append('?');
      slots.add(
          (statement, index, batch) -> {
            values.bind(statement, index, kind, batch.rows(i).get(0).values().get(position));
            return index + 1;
          });
    }
  }

  private static StoreTime time(LeanBatch batch, int part, int position) {
    @Nullable Object value = batch.rows(part).get(0).values().get(position);
    if (value instanceof StoreTime time) {
      return time;
    }
    throw new IllegalStateException("no symbolic instant where there was one");
  }

  private static long micros(java.time.Duration duration) {
    return duration.toNanos() / 1_000;
  }

  private void insertInto(int i, LeanPart part) {
    RecordTable table = part.table();
    text.append("INSERT INTO ").append(table.name()).append(" (");
    if (table.inFeed()) {
      text.append(RecordTable.FEED_KEY).append(", ");
    }
    if (part.keepsFeedKey()) {
      text.append("last_feed_key, ");
    }
    text.append("tenant_id, ").append(table.selectList()).append(") SELECT ");
    if (table.inFeed()) {
      feedKey(i, part);
    }
    if (part.keepsFeedKey()) {
      text.append(FEED_KEY).append(", ");
    }
  }

  /** At least that of the execution's last row, whenever this transaction began. */
  private void feedKey(int i, LeanPart part) {
    boolean ordered = part.table().keyColumns().size() > 1;
    if (part.orderedBy() == LeanPart.NEW_HEAD || !ordered) {
      text.append(FEED_KEY).append(", ");
      return;
    }
    text.append("greatest(").append(FEED_KEY).append(", ");
    if (part.orderedBy() >= 0) {
      text.append("ok.f").append(part.orderedBy());
    } else {
      lastFeedKey(i, part);
    }
    text.append("), ");
  }

  private void lastFeedKey(int i, LeanPart part) {
    RecordTable table = part.table();
    List<Column> key = table.keyColumns();
    int prefix = key.size() - 1;
    text.append("(SELECT l.feed_key FROM ").append(table.name()).append(" l WHERE l.tenant_id = ?");
    key.subList(0, prefix).forEach(column -> text.append(" AND l." + column.name() + " = ?"));
    text.append(" ORDER BY ");
    text.append(
        key.stream()
            .map(column -> "l." + column.name() + " DESC")
            .collect(Collectors.joining(", ")));
    text.append(" LIMIT 1)");
    slots.add(
        (statement, index, batch) -> {
          statement.setString(index, batch.batch().scope().tenantId());
          Key first = batch.key(i);
          for (int k = 0; k < prefix; k++) {
            table.values().bind(statement, index + 1 + k, key.get(k).kind(), first.values().get(k));
          }
          return index + 1 + prefix;
        });
  }

  private void insert(int i, LeanPart part) {
    RecordTable table = part.table();
    insertInto(i, part);
    text.append("?, ");
    int plain = table.keyColumns().size() + RecordTable.headerColumns().size();
    text.append(String.join(", ", java.util.Collections.nCopies(plain, "?")));
    slots.add(
        (statement, index, batch) -> {
          Row row = batch.rows(i).get(0);
          int next = table.bindKey(statement, index, row.header().tenantId(), row.key());
          return table.bindHeader(statement, next, row.header());
        });
    for (int position = 0; position < table.type().attributes().size(); position++) {
      text.append(", ");
      attributeValue(i, part, position);
    }
    text.append(" FROM ok WHERE ").append(HOLDS);
  }

  private void insertMany(int i, LeanPart part) {
    RecordTable table = part.table();
    insertInto(i, part);
    text.append("?, u.* FROM ok, ").append(RowArrays.unnest(table)).append(" AS u WHERE ");
    text.append(HOLDS);
    slots.add(
        (statement, index, batch) -> {
          statement.setString(index, batch.batch().scope().tenantId());
          Connection connection = statement.getConnection();
          return RowArrays.bind(statement, index + 1, connection, table, batch.rows(i));
        });
  }
}
