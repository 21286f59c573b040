/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import io.wovyr.persistence.lease.Lease;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/**
 * The floor: what a careful person writes by hand for PostgreSQL, as the same plain role over the
 * same tables with the same policies, indexes, triggers and guards. One round trip a commit:
 * set_config first, then one statement whose writes depend on what the locked head says. Statements
 * are prepared once and kept, only columns that change are set, limits of time belong to the
 * session.
 */
final class PostgresqlFloor implements Column {
  private static final String TENANT = "SELECT set_config('wovyr.tenant', 'bench', true) IS NULL;";
  private static final String CLOCK =
      "round(date_part('epoch', clock_timestamp()) * 1000000)::bigint";

  /** As the layer's own sessions: every statement by an index, plans made once. */
  private static final String SESSION =
      "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;"
          + " SET enable_bitmapscan = off; SET enable_sort = off; SET jit = off;"
          + " SET plan_cache_mode = force_generic_plan; SET lock_timeout = '10s';"
          + " SET statement_timeout = '10s'";

  private static final String HEAD =
      "h AS MATERIALIZED (SELECT version, lease_expires_at, last_feed_key FROM execution_head"
          + " WHERE tenant_id = 'bench' AND execution_id = ? FOR NO KEY UPDATE)";

  private static final String FEED_KEY =
      "greatest(h.last_feed_key, (s.epoch << 48) + pg_current_xact_id()::text::bigint)";

  private static final String OK =
      "ok AS MATERIALIZED (SELECT c.now, c.feed_key FROM (SELECT s.epoch, h.version,"
          + " h.lease_expires_at, "
          + CLOCK
          + " AS now, "
          + FEED_KEY
          + " AS feed_key FROM h CROSS JOIN wovyr_store s WHERE s.id = 1) c"
          + " WHERE c.epoch = ? AND c.version = ? AND c.lease_expires_at > c.now)";

  private static final String UPDATE_HEAD =
      "w AS (UPDATE execution_head t SET version = ?, updated_at = ?, last_sequence = ?,"
          + " renewals = ?, acquisitions_without_progress = 0, lease_expires_at = ok.now + ?,"
          + " due_at = ((ok.now + ?) / ?) * ?, last_feed_key = ok.feed_key FROM ok"
          + " WHERE t.tenant_id = 'bench' AND t.execution_id = ?)";

  private static final String INTO_EVENTS =
      "INSERT INTO workflow_event (feed_key, tenant_id, execution_id, " + FloorEvent.COLUMNS + ")";

  private static final String EVENT =
      " SELECT ok.feed_key, 'bench', ?::uuid, ?::bigint, ?::uuid, 1, ?::bigint, ?::bigint, 'bench',"
          + " {schema}, 1, 1, NULL::bytea, 'StepDone', ?::uuid, ?::uuid, NULL, ?::bigint, ?::uuid,"
          + " ?::bytea, ?::bytea FROM ok";

  private static final String STEP =
      TENANT + "WITH " + HEAD + ", " + OK + ", " + UPDATE_HEAD + " " + INTO_EVENTS + EVENT;

  private static final String MOVE =
      "x AS MATERIALIZED (SELECT e.version AS execution_version FROM execution e"
          + " WHERE e.tenant_id = 'bench' AND e.id = ? FOR NO KEY UPDATE)";

  private static final String HISTORY =
      "m AS (UPDATE execution e SET version = ?, updated_at = ?, status = ? FROM ok"
          + " WHERE e.tenant_id = 'bench' AND e.id = ?),"
          + " r AS (INSERT INTO revision (tenant_id, rev, at_millis, actor, commit_id,"
          + " correlation_id) SELECT 'bench', nextval('revision_seq'), ?, 'bench', ?, ? FROM ok RETURNING rev),"
          + " a AS (INSERT INTO execution_aud (tenant_id, id, rev, revtype, record_id, created_at,"
          + " updated_at, updated_by, schema_version, entity_version, serialization_version,"
          + " workflow_id, live_workflow_id, status, paused_from, definition_name,"
          + " definition_version, definition_digest, parent_id, search_attributes, closed_at,"
          + " started_at)"
          + " SELECT 'bench', e.id, r.rev, 1, e.record_id, e.created_at, ?, 'bench',"
          + " e.schema_version, e.entity_version, e.serialization_version, e.workflow_id,"
          + " e.live_workflow_id, ?, e.paused_from, e.definition_name, e.definition_version,"
          + " e.definition_digest, e.parent_id, e.search_attributes, e.closed_at,"
          + " e.started_at"
          + " FROM r CROSS JOIN execution e WHERE e.tenant_id = 'bench' AND e.id = ?)";

  private static final String TRANSACTION =
      TENANT
          + "WITH "
          + MOVE
          + ", "
          + HEAD
          + ", "
          + OK.replace("FROM h CROSS", "FROM x CROSS JOIN h CROSS")
              .replace("h.version,", "h.version, x.execution_version,")
              .replace("c.version = ?", "c.version = ? AND c.execution_version = ?")
          + ", "
          + UPDATE_HEAD
          + ", "
          + HISTORY
          + " "
          + INTO_EVENTS
          + EVENT
          + " UNION ALL"
          + EVENT
          + " UNION ALL"
          + EVENT;

  private static final String LOAD =
      TENANT
          + "SELECT "
          + FloorEvent.COLUMNS
          + " FROM workflow_event WHERE tenant_id = 'bench' AND execution_id = ? ORDER BY sequence";

  private static final String FIND =
      TENANT + "SELECT * FROM execution WHERE tenant_id = 'bench' AND id = ?";

  private static final String STAND =
      TENANT
          + "SELECT h.version, h.last_sequence, h.renewals, e.version, e.status FROM execution_head h"
          + " JOIN execution e ON e.tenant_id = h.tenant_id AND e.id = h.execution_id"
          + " WHERE h.tenant_id = 'bench' AND h.execution_id = ?";

  private final Source source;
  private final Ground.Identity store;
  private final Deque<Session> idle = new ConcurrentLinkedDeque<>();

  /** Opens a connection as the runtime role. */
  interface Source {
    Connection open() throws SQLException;
  }

  PostgresqlFloor(Source source, Ground.Identity store) {
    this.source = source;
    this.store = store;
  }

  @Override
  public String name() {
    return "floor (JDBC by hand)";
  }

  /** A connection and its statements; used by one call at a time. */
  private static final class Session {
    private final Connection connection;
    private final PreparedStatement step;
    private final PreparedStatement transaction;
    private final PreparedStatement load;
    private final PreparedStatement find;
    private final PreparedStatement stand;

    Session(Connection connection, Ground.Identity store) throws SQLException {
      this.connection = connection;
      try (Statement statement = connection.createStatement()) {
        statement.execute(SESSION);
      }
      step = connection.prepareStatement(PostgresqlFloor.step(store));
      transaction = connection.prepareStatement(of(TRANSACTION, store));
      load = connection.prepareStatement(LOAD);
      find = connection.prepareStatement(FIND);
      stand = connection.prepareStatement(STAND);
    }

    private static String of(String text, Ground.Identity store) {
      return text.replace("{schema}", String.valueOf(store.schemaVersion()));
    }

    /** The rows of a statement that comes after the tenant's. */
    ResultSet rows(PreparedStatement statement) throws SQLException {
      statement.execute();
      statement.getMoreResults();
      return statement.getResultSet();
    }
  }

  /** The text of a step: the tenant first, then the statement. */
  static String step(Ground.Identity store) {
    return Session.of(STEP, store);
  }

  /** How many rows a statement that comes after the tenant's wrote. */
  static int written(PreparedStatement statement) throws SQLException {
    statement.execute();
    statement.getMoreResults();
    return statement.getUpdateCount();
  }

  private interface Work<T> {
    T on(Session session) throws SQLException;
  }

  private <T> T with(Work<T> work) throws SQLException {
    Session session = idle.pollFirst();
    if (session == null) {
      session = new Session(source.open(), store);
    }
    T result = work.on(session);
    idle.addFirst(session);
    return result;
  }

  @Override
  public boolean find(UUID id) throws SQLException {
    return with(
        session -> {
          session.find.setObject(1, id);
          try (ResultSet row = session.rows(session.find)) {
            return row.next() && readAll(row);
          }
        });
  }

  private static boolean readAll(ResultSet row) throws SQLException {
    int columns = row.getMetaData().getColumnCount();
    Object[] values = new Object[columns];
    for (int i = 0; i < columns; i++) {
      values[i] = row.getObject(i + 1);
    }
    return values[0] != null;
  }

  @Override
  public Execution execution(UUID id, Lease lease) throws SQLException {
    return with(
        session -> {
          session.stand.setObject(1, id);
          try (ResultSet row = session.rows(session.stand)) {
            row.next();
            return new FloorExecution(id, lease.token(), row);
          }
        });
  }

  private final class FloorExecution implements Execution {
    private final UUID id;
    private final FloorHead head;
    private long executionVersion;
    private boolean running;

    FloorExecution(UUID id, long token, ResultSet row) throws SQLException {
      this.id = id;
      head = new FloorHead(id, token, row);
      executionVersion = row.getLong(4);
      running = "RUNNING".equals(row.getString(5));
    }

    @Override
    public void step() throws SQLException {
      int written =
          with(
              session -> {
                head.bindStep(session.step, store.epoch());
                return written(session.step);
              });
      head.done(written, 1);
    }

    @Override
    public void transaction() throws SQLException {
      UUID commitId = UUID.randomUUID();
      long now = micros();
      String status = running ? "WAITING" : "RUNNING";
      int written =
          with(
              session -> {
                PreparedStatement all = session.transaction;
                all.setObject(1, id);
                all.setObject(2, id);
                all.setLong(3, store.epoch());
                all.setLong(4, head.version());
                all.setLong(5, executionVersion);
                int next = head.bind(all, 6, now, 3);
                all.setLong(next++, executionVersion + 1);
                all.setLong(next++, now);
                all.setString(next++, status);
                all.setObject(next++, id);
                all.setLong(next++, now / 1_000);
                all.setObject(next++, commitId);
                all.setObject(next++, id);
                all.setLong(next++, now);
                all.setString(next++, status);
                all.setObject(next++, id);
                for (int i = 1; i <= 3; i++) {
                  next = head.bindEvent(all, next, now, i, commitId);
                }
                return written(all);
              });
      head.done(written, 3);
      running = !running;
      executionVersion++;
    }

    @Override
    public int load() throws SQLException {
      List<FloorEvent> events =
          with(
              session -> {
                session.load.setObject(1, id);
                List<FloorEvent> found = new ArrayList<>();
                try (ResultSet row = session.rows(session.load)) {
                  while (row.next()) {
                    found.add(read(row));
                  }
                }
                return found;
              });
      return events.size();
    }

    private static FloorEvent read(ResultSet row) throws SQLException {
      return new FloorEvent(
          row.getLong(1),
          uuid(row, 2),
          row.getLong(3),
          row.getLong(4),
          row.getLong(5),
          row.getString(6),
          row.getInt(7),
          row.getInt(8),
          row.getInt(9),
          row.getBytes(10),
          row.getString(11),
          uuid(row, 12),
          uuid(row, 13),
          row.getString(14),
          row.getLong(15),
          uuid(row, 16),
          row.getBytes(17),
          row.getBytes(18));
    }

    private static @Nullable UUID uuid(ResultSet row, int column) throws SQLException {
      return row.getObject(column, UUID.class);
    }
  }

  static long micros() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
  }

  @Override
  public void close() throws SQLException {
    for (Session session : idle) {
      session.connection.close();
    }
  }
}
