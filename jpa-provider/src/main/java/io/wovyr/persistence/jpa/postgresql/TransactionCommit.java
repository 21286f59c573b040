/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.jpa.entity.RevisionContext;
import io.wovyr.persistence.jpa.internal.BorrowedConnection;
import io.wovyr.persistence.jpa.internal.Failures;
import io.wovyr.persistence.jpa.internal.HibernateRecords;
import io.wovyr.persistence.jpa.internal.History;
import io.wovyr.persistence.jpa.internal.RecordTable;
import io.wovyr.persistence.jpa.internal.Tables;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.StoreTime;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.hibernate.SessionFactory;
import org.jspecify.annotations.Nullable;

/**
 * Commits a batch that one statement cannot: because it changes audited records, which Hibernate
 * writes, or because it is large. The first trip locks and compares all guarded rows, in the order
 * of their keys; then audited records are written; the last trip writes all others and commits.
 * Thread-safe.
 */
final class TransactionCommit {
  private static final int EPOCH_BITS = 48;
  private static final String STATE = state("0");

  /**
   * Also the number of the revision: given out under the locks, so that it grows with each change.
   */
  private static final String STATE_AND_REVISION = state("nextval('revision_seq')");

  private static final Comparator<Mutation> ORDER =
      Comparator.<Mutation>comparingInt(TransactionCommit::rank).thenComparing(Mutation::key);

  /** Most statements of one trip. */
  private static final int MOST = 100;

  private final Tables tables;
  private final TransactionSettings settings;
  private final History history;
  private final Failures failures;
  private final Supplier<SessionFactory> hibernate;

  TransactionCommit(
      Tables tables,
      TransactionSettings settings,
      History history,
      Failures failures,
      Supplier<SessionFactory> hibernate) {
    this.tables = tables;
    this.settings = settings;
    this.history = history;
    this.failures = failures;
    this.hibernate = hibernate;
  }

  private static String state(String revision) {
    return "SELECT s.epoch, pg_current_xact_id()::text::bigint, "
        + PostgresqlValues.CLOCK
        + ", "
        + revision
        + " FROM wovyr_store s WHERE s.id = 1";
  }

  private static int rank(Mutation mutation) {
    return mutation instanceof Mutation.Delete ? 0 : mutation instanceof Mutation.Update ? 1 : 2;
  }

  /** More that happens in the same transaction. */
  interface Companion {
    /** Nothing more. */
    Companion NONE = connection -> true;

    /**
     * Runs when all conditions of the batch hold, before its own writes.
     *
     * @return false to give the whole transaction up
     */
    boolean begin(Connection connection) throws SQLException;
  }

  /** What the first trip found. */
  private static final class Found {
    private final Map<Key, Long> versions = new HashMap<>();
    private final Map<Key, Map<String, Instant>> instants = new HashMap<>();
    private final Map<Object, Long> feedKeys = new HashMap<>();
    private long epoch;
    private long transaction;
    private long revision;
    private Instant now = Instant.EPOCH;

    long feedKey(Object execution) {
      return Math.max((epoch << EPOCH_BITS) + transaction, feedKeys.getOrDefault(execution, 0L));
    }
  }

  /** Runs the transaction; unless it throws, the connection is left without one. */
  Attempt run(
      Connection connection, Batch batch, Companion companion, CommitPoint point, Deadline deadline)
      throws SQLException {
    connection.setAutoCommit(false);
    Found found = lock(connection, batch, deadline);
    Attempt attempt = refused(batch, found);
    if (attempt == null) {
      boolean written = companion.begin(connection) && write(connection, batch, found, point);
      attempt = written ? new Attempt.Written(found.now) : new Attempt.Refused();
    }
    if (attempt instanceof Attempt.Written) {
      // Done in the last trip; a pool between us and the driver may not have seen it.
      connection.commit();
    } else {
      connection.rollback();
    }
    connection.setAutoCommit(true);
    return attempt;
  }

  /**
   * Runs it inside the caller's transaction, in a savepoint: undone by the one who called unless
   * all was written.
   */
  Attempt enlist(Connection connection, Batch batch, Deadline deadline) throws SQLException {
    Found found = lock(connection, batch, deadline);
    Attempt refused = refused(batch, found);
    if (refused != null) {
      return refused;
    }
    boolean written = write(BorrowedConnection.of(connection), batch, found, new CommitPoint());
    return written ? new Attempt.Written(found.now) : new Attempt.Refused();
  }

  private Found lock(Connection connection, Batch batch, Deadline deadline) throws SQLException {
    Map<RecordType, TreeSet<Key>> guarded =
        new TreeMap<>(Comparator.comparingInt(RecordType::number));
    Map<RecordType, TreeSet<String>> looked = new HashMap<>();
    for (Batch.VersionIs check : batch.checks()) {
      guarded.computeIfAbsent(check.key().type(), type -> new TreeSet<>()).add(check.key());
    }
    for (Mutation mutation : batch.mutations()) {
      if (!(mutation instanceof Mutation.Insert)) {
        RecordType type = mutation.key().type();
        guarded.computeIfAbsent(type, any -> new TreeSet<>()).add(mutation.key());
        if (mutation instanceof Mutation.Update update) {
          TreeSet<String> names = looked.computeIfAbsent(type, any -> new TreeSet<>());
          names.addAll(update.notExpired());
          names.addAll(update.expired());
        }
      }
    }
    Trip trip = new Trip().settings(settings, batch.scope().tenantId(), deadline);
    guarded.forEach(
        (type, keys) ->
            addLock(
                trip,
                connection,
                batch.scope().tenantId(),
                tables.of(type),
                List.copyOf(keys),
                List.copyOf(looked.getOrDefault(type, new TreeSet<>()))));
    Found found = new Found();
    String question = History.isChangedBy(batch) ? STATE_AND_REVISION : STATE;
    try (Trip.Results results =
        trip.add(question).run(connection).skip(1 + settings.before().size())) {
      for (RecordType type : guarded.keySet()) {
        List<String> names = List.copyOf(looked.getOrDefault(type, new TreeSet<>()));
        readLocked(results.next(), tables.of(type), names, found);
      }
      ResultSet state = results.next();
      state.next();
      found.epoch = state.getLong(1);
      found.transaction = state.getLong(2);
      found.now = StoreTime.ofMicros(state.getLong(3));
      found.revision = state.getLong(4);
    }
    return found;
  }

  private static void addLock(
      Trip trip,
      Connection connection,
      String tenantId,
      RecordTable table,
      List<Key> keys,
      List<String> looked) {
    List<String> columns = new ArrayList<>();
    List<String> wanted = new ArrayList<>();
    List<String> equal = new ArrayList<>();
    for (RecordTable.Column column : table.keyColumns()) {
      String name = "k" + wanted.size();
      columns.add("t." + column.name());
      wanted.add(name);
      equal.add(" AND t." + column.name() + " = u." + name);
    }
    columns.add("t.version");
    if (table.type() == RecordTypes.HEAD) {
      columns.add("t.last_feed_key");
    }
    looked.forEach(name -> columns.add("t." + RecordTable.columnName(name)));
    // One row after the other, as the keys are ordered, each by its key: asked for all keys at once
    // the server may read all rows of the tenant instead.
    trip.add(
        "SELECT l.* FROM "
            + RowArrays.unnestKeys(table)
            + " AS u("
            + String.join(", ", wanted)
            + ") CROSS JOIN LATERAL (SELECT "
            + String.join(", ", columns)
            + " FROM "
            + table.name()
            + " t WHERE t.tenant_id = ?"
            + String.join("", equal)
            + " FOR UPDATE OF t) l",
        (statement, from) -> {
          List<List<Object>> values = keys.stream().map(Key::values).toList();
          int next = RowArrays.bindKeys(statement, from, connection, table, values);
          statement.setString(next, tenantId);
          return next + 1;
        });
  }

  private static void readLocked(
      ResultSet rows, RecordTable table, List<String> looked, Found found) throws SQLException {
    boolean head = table.type() == RecordTypes.HEAD;
    while (rows.next()) {
      Key key = table.readKey(rows, 1);
      int column = key.values().size() + 1;
      found.versions.put(key, rows.getLong(column++));
      if (head) {
        found.feedKeys.put(key.values().get(0), rows.getLong(column++));
      }
      Map<String, Instant> instants = new HashMap<>();
      for (String name : looked) {
        long micros = rows.getLong(column++);
        if (!rows.wasNull()) {
          instants.put(name, StoreTime.ofMicros(micros));
        }
      }
      found.instants.put(key, instants);
    }
  }

  private static @Nullable Attempt refused(Batch batch, Found found) {
    if (found.epoch != batch.epoch()) {
      return new Attempt.OtherEpoch(found.epoch);
    }
    boolean hold =
        batch.checks().stream().allMatch(check -> isVersion(found, check.key(), check.version()));
    for (Mutation mutation : batch.mutations()) {
      if (mutation instanceof Mutation.Update update) {
        hold &=
            isVersion(found, update.key(), update.before().version())
                && update.notExpired().stream().allMatch(name -> isLater(found, update, name))
                && update.expired().stream().noneMatch(name -> isLater(found, update, name));
      } else if (mutation instanceof Mutation.Delete delete) {
        hold &= isVersion(found, delete.key(), delete.before().version());
      }
    }
    return hold ? null : new Attempt.Refused();
  }

  private static boolean isVersion(Found found, Key key, long version) {
    return Objects.equals(found.versions.get(key), version);
  }

  private static boolean isLater(Found found, Mutation.Update update, String name) {
    Instant stored = found.instants.getOrDefault(update.key(), Map.of()).get(name);
    return stored != null && stored.isAfter(found.now);
  }

  private boolean write(Connection connection, Batch batch, Found found, CommitPoint point)
      throws SQLException {
    List<Mutation> audited =
        batch.mutations().stream()
            .filter(mutation -> Tables.audited(mutation.key().type()))
            .sorted(ORDER)
            .toList();
    if (audited.isEmpty()) {
      writeOthers(connection, batch, found, point);
      return true;
    }
    String tenantId = batch.scope().tenantId();
    try (RevisionContext about = history.revision(batch, found.revision);
        HibernateRecords records =
            new HibernateRecords(hibernate.get(), connection, failures, tenantId)) {
      records.joinTransaction();
      for (Mutation mutation : audited) {
        if (!write(records, mutation, found.now)) {
          return false;
        }
      }
      records.writeHistory();
      writeOthers(connection, batch, found, point);
      records.leaveCommitted();
      return true;
    }
  }

  private static boolean write(HibernateRecords records, Mutation mutation, Instant now)
      throws SQLException {
    if (mutation instanceof Mutation.Insert insert) {
      return records.insert(resolved(insert.after(), now));
    }
    if (mutation instanceof Mutation.Update update) {
      return records.update(update.before(), resolved(update.after(), now));
    }
    return records.delete(((Mutation.Delete) mutation).before());
  }

  /** The row with the instants it will be stored with. */
  static Row resolved(Row row, Instant now) {
    Row resolved = row;
    for (int i = 0; i < row.values().size(); i++) {
      if (row.values().get(i) instanceof StoreTime time) {
        resolved = resolved.with(row.type().attributes().get(i).name(), time.at(now));
      }
    }
    return resolved;
  }

  /** The last trips; the very last one commits. A key that is taken is thrown, and judged above. */
  private void writeOthers(Connection connection, Batch batch, Found found, CommitPoint point)
      throws SQLException {
    List<Mutation> others =
        batch.mutations().stream()
            .filter(mutation -> !Tables.audited(mutation.key().type()))
            .sorted(ORDER)
            .toList();
    Trip trip = new Trip();
    int statements = 0;
    for (Write write : writes(others, found, batch.scope().tenantId(), connection)) {
      if (statements++ == MOST) {
        trip.run(connection).close();
        trip = new Trip();
        statements = 1;
      }
      trip.add(write.text(), write.binding());
    }
    point.reached();
    trip.end(settings).run(connection).close();
  }

  private record Write(String text, Trip.Binding binding) {}

  private List<Write> writes(
      List<Mutation> mutations, Found found, String tenantId, Connection connection) {
    Map<Object, Boolean> fed = new HashMap<>();
    Map<Object, List<Row>> inserts = new TreeMap<>(Comparator.comparing(Object::toString));
    List<Write> writes = new ArrayList<>();
    for (Mutation mutation : mutations) {
      if (tables.of(mutation.key().type()).inFeed()) {
        fed.put(mutation.key().values().get(0), true);
      }
    }
    for (Mutation mutation : mutations) {
      RecordTable table = tables.of(mutation.key().type());
      if (mutation instanceof Mutation.Delete delete) {
        writes.add(delete(table, delete, tenantId));
      } else if (mutation instanceof Mutation.Update update) {
        Row after = resolved(update.after(), found.now);
        writes.add(update(table, update.before(), after, fed, found));
      } else if (mutation instanceof Mutation.Insert insert) {
        Object group =
            table.inFeed()
                ? table.type().number() + " " + insert.key().values().get(0)
                : table.type().number() + " ";
        inserts
            .computeIfAbsent(group, any -> new ArrayList<>())
            .add(resolved(insert.after(), found.now));
      }
    }
    for (List<Row> rows : inserts.values()) {
      RecordTable table = tables.of(rows.get(0).type());
      writes.add(insert(table, rows, fed, found, tenantId, connection));
    }
    return writes;
  }

  private static Write delete(RecordTable table, Mutation.Delete delete, String tenantId) {
    return new Write(
        table.delete(),
        (statement, from) -> {
          int index = table.bindKey(statement, from, tenantId, delete.key());
          statement.setLong(index, delete.before().version());
          return index + 1;
        });
  }

  private static Write update(
      RecordTable table, Row before, Row after, Map<Object, Boolean> fed, Found found) {
    Object execution = after.key().values().get(0);
    boolean keeps = table.type() == RecordTypes.HEAD && fed.containsKey(execution);
    String text = table.update(before, after);
    return new Write(
        keeps ? text.replaceFirst(" SET ", " SET last_feed_key = ?, ") : text,
        (statement, from) -> {
          int index = from;
          if (keeps) {
            statement.setLong(index++, found.feedKey(execution));
          }
          return table.bindUpdate(statement, index, before, after);
        });
  }

  /** All rows of a type, and for the feed of one execution, in one statement. */
  private static Write insert(
      RecordTable table,
      List<Row> rows,
      Map<Object, Boolean> fed,
      Found found,
      String tenantId,
      Connection connection) {
    Object execution = rows.get(0).key().values().get(0);
    boolean heads = table.type() == RecordTypes.HEAD;
    String first = table.inFeed() ? "feed_key, " : heads ? "last_feed_key, " : "";
    String text =
        "INSERT INTO "
            + table.name()
            + " ("
            + first
            + "tenant_id, "
            + table.selectList()
            + ") SELECT "
            + (first.isEmpty() ? "" : "?::bigint, ")
            + "?, u.* FROM "
            + RowArrays.unnest(table)
            + " u";
    return new Write(
        text,
        (statement, from) -> {
          int index = from;
          if (table.inFeed()) {
            statement.setLong(index++, found.feedKey(execution));
          } else if (heads) {
            statement.setLong(index++, fed.isEmpty() ? 0 : found.feedKey(execution));
          }
          statement.setString(index++, tenantId);
          return RowArrays.bind(statement, index, connection, table, rows);
        });
  }
}
