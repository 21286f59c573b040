/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import io.wovyr.persistence.lease.Lease;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The floor: what a careful person writes by hand for SQLite, over the same tables with the same
 * indexes, triggers, epoch check, version guard and feed key. Statements are prepared once, values
 * are bound as they are stored, only columns that change are set.
 */
final class SqliteFloor implements Column {
  private static final String HISTORY_COLUMNS =
      "tenant_id, record_id, created_at, updated_at, updated_by, schema_version, entity_version,"
          + " serialization_version, workflow_id, live_workflow_id, status, paused_from,"
          + " definition_name, definition_version, definition_digest, parent_id,"
          + " search_attributes, closed_at, started_at";

  private final Ground.Identity identity;
  private final Connection writer;
  private final Connection reader;
  private final ReentrantLock lock = new ReentrantLock();
  private final PreparedStatement begin;
  private final PreparedStatement commit;
  private final PreparedStatement rollback;
  private final PreparedStatement store;
  private final PreparedStatement updateHead;
  private final PreparedStatement insertEvent;
  private final PreparedStatement updateExecution;
  private final PreparedStatement insertRevision;
  private final PreparedStatement insertHistory;
  private final PreparedStatement stand;
  private final PreparedStatement load;
  private final PreparedStatement find;

  SqliteFloor(Path file, Ground.Identity identity) throws SQLException {
    this.identity = identity;
    writer = SqliteGround.connection(file);
    reader = SqliteGround.connection(file);
    begin = writer.prepareStatement("BEGIN IMMEDIATE");
    commit = writer.prepareStatement("COMMIT");
    rollback = writer.prepareStatement("ROLLBACK");
    store =
        writer.prepareStatement(
            "SELECT epoch, max(epoch << 48,"
                + " coalesce((SELECT max(feed_key) FROM workflow_event), 0),"
                + " coalesce((SELECT max(feed_key) FROM audit_record), 0),"
                + " coalesce((SELECT max(purged_at) FROM feed_mark), 0))"
                + " FROM wovyr_store WHERE id = 1");
    updateHead =
        writer.prepareStatement(
            "UPDATE execution_head SET version = ?, updated_at = ?, last_sequence = ?,"
                + " renewals = ?, acquisitions_without_progress = 0, lease_expires_at = ?,"
                + " due_at = ? WHERE tenant_id = 'bench' AND execution_id = ? AND version = ?");
    insertEvent =
        writer.prepareStatement(
            "INSERT INTO workflow_event (feed_key, tenant_id, execution_id, "
                + FloorEvent.COLUMNS
                + ") VALUES (?, 'bench', ?, ?, ?, 1, ?, ?, 'bench', "
                + identity.schemaVersion()
                + ", 1, 1, NULL, 'StepDone',"
                + " ?, ?, NULL, ?, ?, ?, ?)");
    updateExecution =
        writer.prepareStatement(
            "UPDATE execution SET version = ?, updated_at = ?, status = ?"
                + " WHERE tenant_id = 'bench' AND id = ? AND version = ?");
    insertRevision =
        writer.prepareStatement(
            "INSERT INTO revision (rev, tenant_id, at_millis, actor, commit_id, correlation_id)"
                + " VALUES ((SELECT coalesce(max(rev), 0) + 1 FROM revision), 'bench', ?, 'bench',"
                + " ?, ?)");
    insertHistory =
        writer.prepareStatement(
            "INSERT INTO execution_aud (id, rev, revtype, "
                + HISTORY_COLUMNS
                + ") SELECT id, (SELECT max(rev) FROM revision), 1, "
                + HISTORY_COLUMNS
                + " FROM execution WHERE tenant_id = 'bench' AND id = ?");
    stand =
        reader.prepareStatement(
            "SELECT h.version, h.last_sequence, h.renewals, e.version, e.status"
                + " FROM execution_head h JOIN execution e"
                + " ON e.tenant_id = h.tenant_id AND e.id = h.execution_id"
                + " WHERE h.tenant_id = 'bench' AND h.execution_id = ?");
    load =
        reader.prepareStatement(
            "SELECT "
                + FloorEvent.COLUMNS
                + " FROM workflow_event WHERE tenant_id = 'bench' AND execution_id = ?"
                + " ORDER BY sequence");
    find = reader.prepareStatement("SELECT * FROM execution WHERE tenant_id = 'bench' AND id = ?");
  }

  private static byte[] bytes(UUID id) {
    return ByteBuffer.allocate(16)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }

  @Override
  public String name() {
    return "floor (JDBC by hand)";
  }

  private interface Work {
    boolean run(long feedKey) throws SQLException;
  }

  private void transaction(Work work) throws SQLException {
    lock.lock();
    try {
      begin.execute();
      if (work.run(nextFeedKey())) {
        commit.execute();
      } else {
        rollback.execute();
        throw new IllegalStateException("nobody else writes this execution");
      }
    } finally {
      lock.unlock();
    }
  }

  private long nextFeedKey() throws SQLException {
    try (ResultSet row = store.executeQuery()) {
      row.next();
      if (row.getLong(1) != identity.epoch()) {
        throw new IllegalStateException("another epoch");
      }
      return row.getLong(2) + 1;
    }
  }

  @Override
  public boolean find(UUID id) throws SQLException {
    synchronized (reader) {
      find.setBytes(1, bytes(id));
      try (ResultSet row = find.executeQuery()) {
        return row.next() && readAll(row);
      }
    }
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
    synchronized (reader) {
      stand.setBytes(1, bytes(id));
      try (ResultSet row = stand.executeQuery()) {
        row.next();
        return new FloorExecution(bytes(id), lease.token(), row);
      }
    }
  }

  private final class FloorExecution implements Execution {
    private final byte[] id;
    private final long token;
    private long version;
    private long sequence;
    private long renewals;
    private long executionVersion;
    private boolean running;

    FloorExecution(byte[] id, long token, ResultSet row) throws SQLException {
      this.id = id;
      this.token = token;
      version = row.getLong(1);
      sequence = row.getLong(2);
      renewals = row.getLong(3);
      executionVersion = row.getLong(4);
      running = "RUNNING".equals(row.getString(5));
    }

    @Override
    public void step() throws SQLException {
      byte[] commitId = bytes(UUID.randomUUID());
      long now = PostgresqlFloor.micros();
      SqliteFloor.this.transaction(
          feedKey -> updateHead(now, 1) && insertEvent(feedKey, 1, now, commitId));
      done(1);
    }

    @Override
    public void transaction() throws SQLException {
      byte[] commitId = bytes(UUID.randomUUID());
      long now = PostgresqlFloor.micros();
      SqliteFloor.this.transaction(
          feedKey ->
              updateHead(now, 3)
                  && updateExecution(now, commitId)
                  && insertEvent(feedKey, 1, now, commitId)
                  && insertEvent(feedKey + 1, 2, now, commitId)
                  && insertEvent(feedKey + 2, 3, now, commitId));
      done(3);
      running = !running;
      executionVersion++;
    }

    private void done(int events) {
      version++;
      sequence += events;
      renewals++;
    }

    private boolean updateHead(long now, int events) throws SQLException {
      long expiry = now + Step.TTL_MICROS;
      updateHead.setLong(1, version + 1);
      updateHead.setLong(2, now);
      updateHead.setLong(3, sequence + events);
      updateHead.setLong(4, renewals + 1);
      updateHead.setLong(5, expiry);
      updateHead.setLong(6, (expiry + Step.TTL_MICROS - 1) / Step.TTL_MICROS * Step.TTL_MICROS);
      updateHead.setBytes(7, id);
      updateHead.setLong(8, version);
      return updateHead.executeUpdate() == 1;
    }

    private boolean insertEvent(long feedKey, int offset, long now, byte[] commitId)
        throws SQLException {
      byte[] eventId = bytes(UUID.randomUUID());
      insertEvent.setLong(1, feedKey);
      insertEvent.setBytes(2, id);
      insertEvent.setLong(3, sequence + offset);
      insertEvent.setBytes(4, eventId);
      insertEvent.setLong(5, now);
      insertEvent.setLong(6, now);
      insertEvent.setBytes(7, id);
      insertEvent.setBytes(8, eventId);
      insertEvent.setLong(9, token);
      insertEvent.setBytes(10, commitId);
      insertEvent.setBytes(11, FloorEvent.PAYLOAD);
      insertEvent.setBytes(12, FloorEvent.CHANGES);
      return insertEvent.executeUpdate() == 1;
    }

    private boolean updateExecution(long now, byte[] commitId) throws SQLException {
      updateExecution.setLong(1, executionVersion + 1);
      updateExecution.setLong(2, now);
      updateExecution.setString(3, running ? "WAITING" : "RUNNING");
      updateExecution.setBytes(4, id);
      updateExecution.setLong(5, executionVersion);
      insertRevision.setLong(1, now / 1_000);
      insertRevision.setBytes(2, commitId);
      insertRevision.setBytes(3, id);
      insertHistory.setBytes(1, id);
      return updateExecution.executeUpdate() == 1
          && insertRevision.executeUpdate() == 1
          && insertHistory.executeUpdate() == 1;
    }

    @Override
    public int load() throws SQLException {
      List<FloorEvent> events = new ArrayList<>();
      synchronized (reader) {
        load.setBytes(1, id);
        try (ResultSet row = load.executeQuery()) {
          while (row.next()) {
            events.add(read(row));
          }
        }
      }
      return events.size();
    }

    private static FloorEvent read(ResultSet row) throws SQLException {
      return new FloorEvent(
          row.getLong(1),
          uuid(row.getBytes(2)),
          row.getLong(3),
          row.getLong(4),
          row.getLong(5),
          row.getString(6),
          row.getInt(7),
          row.getInt(8),
          row.getInt(9),
          row.getBytes(10),
          row.getString(11),
          uuid(row.getBytes(12)),
          uuid(row.getBytes(13)),
          row.getString(14),
          row.getLong(15),
          uuid(row.getBytes(16)),
          row.getBytes(17),
          row.getBytes(18));
    }

    private static @Nullable UUID uuid(byte @Nullable [] stored) {
      if (stored == null) {
        return null;
      }
      ByteBuffer buffer = ByteBuffer.wrap(stored);
      return new UUID(buffer.getLong(), buffer.getLong());
    }
  }

  @Override
  public void close() throws SQLException {
    writer.close();
    reader.close();
  }
}
