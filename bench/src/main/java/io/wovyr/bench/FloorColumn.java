/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;

/**
 * The floor: what a careful person writes by hand for SQLite, over the same tables with the same
 * indexes, triggers, epoch check, version guard and feed key. Statements are prepared once, values
 * are bound as they are stored, only columns that change are set.
 */
final class FloorColumn implements Column {
  private static final String TENANT = "bench";

  private final Connection writer;
  private final Connection reader;
  private final ReentrantLock lock = new ReentrantLock();
  private final PreparedStatement begin;
  private final PreparedStatement commit;
  private final PreparedStatement rollback;
  private final PreparedStatement store;
  private final PreparedStatement insertHead;
  private final PreparedStatement updateHead;
  private final PreparedStatement insertEvent;
  private final PreparedStatement select;

  FloorColumn(Path file) throws SQLException {
    writer = connection(file);
    reader = connection(file);
    begin = writer.prepareStatement("BEGIN IMMEDIATE");
    commit = writer.prepareStatement("COMMIT");
    rollback = writer.prepareStatement("ROLLBACK");
    store =
        writer.prepareStatement(
            "SELECT epoch, max(epoch << 48,"
                + " coalesce((SELECT max(feed_key) FROM workflow_event), 0),"
                + " coalesce((SELECT max(purged_at) FROM feed_mark), 0))"
                + " FROM wovyr_store WHERE id = 1");
    insertHead =
        writer.prepareStatement(
            "INSERT INTO execution_head VALUES (?, ?, ?, 1, ?, ?, 'bench', 1, 1, 1, NULL,"
                + " 0, 1, 0, 1, 'worker', ?, ?, 30000000, 0, 0, 0, 0, ?, NULL)");
    updateHead =
        writer.prepareStatement(
            "UPDATE execution_head SET version = ?, updated_at = ?, last_sequence = ?,"
                + " lease_expires_at = ?, renewals = ?"
                + " WHERE tenant_id = ? AND execution_id = ? AND version = ?");
    insertEvent =
        writer.prepareStatement(
            "INSERT INTO workflow_event VALUES (?, ?, ?, ?, ?, 1, ?, ?, 'bench', 1, 1, 1, NULL,"
                + " 'StepDone', ?, ?, NULL, ?, ?, ?, ?)");
    select =
        reader.prepareStatement(
            "SELECT sequence, record_id, version, created_at, updated_at, updated_by,"
                + " schema_version, entity_version, serialization_version, extra, type,"
                + " correlation_id, causation_id, dedupe_key, fencing_token, commit_id, payload,"
                + " changes FROM workflow_event WHERE tenant_id = ? AND execution_id = ?"
                + " ORDER BY sequence");
  }

  private static Connection connection(Path file) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    config.setBusyTimeout(5_000);
    config.enforceForeignKeys(true);
    config.setCacheSize(-8_192);
    config.setGetGeneratedKeys(false);
    Connection connection = config.createConnection("jdbc:sqlite:" + file);
    // The driver begins a transaction here; without it, it would try to after every statement.
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("ROLLBACK");
    }
    return connection;
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
    boolean run() throws SQLException;
  }

  private void transaction(Work work) throws SQLException {
    lock.lock();
    try {
      begin.execute();
      if (work.run()) {
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
      if (row.getLong(1) != 1) {
        throw new IllegalStateException("another epoch");
      }
      return row.getLong(2) + 1;
    }
  }

  @Override
  public Execution create(UUID id) throws SQLException {
    byte[] key = bytes(id);
    transaction(
        () -> {
          nextFeedKey();
          insertHead.setString(1, TENANT);
          insertHead.setBytes(2, key);
          insertHead.setBytes(3, key);
          insertHead.setLong(4, Work200.NOW_MICROS);
          insertHead.setLong(5, Work200.NOW_MICROS);
          insertHead.setBytes(6, key);
          insertHead.setLong(7, Work200.NOW_MICROS);
          insertHead.setLong(8, Work200.NOW_MICROS);
          return insertHead.executeUpdate() == 1;
        });
    return new FloorExecution(key);
  }

  private final class FloorExecution implements Execution {
    private final byte[] key;
    private long sequence;

    FloorExecution(byte[] key) {
      this.key = key;
    }

    @Override
    public void step() throws SQLException {
      long next = sequence + 1;
      long now = Work200.NOW_MICROS + next;
      byte[] commitId = bytes(UUID.randomUUID());
      byte[] eventId = bytes(UUID.randomUUID());
      transaction(
          () -> {
            long feedKey = nextFeedKey();
            updateHead.setLong(1, next + 1);
            updateHead.setLong(2, now);
            updateHead.setLong(3, next);
            updateHead.setLong(4, now);
            updateHead.setLong(5, next);
            updateHead.setString(6, TENANT);
            updateHead.setBytes(7, key);
            updateHead.setLong(8, next);
            if (updateHead.executeUpdate() != 1) {
              return false;
            }
            insertEvent.setLong(1, feedKey);
            insertEvent.setString(2, TENANT);
            insertEvent.setBytes(3, key);
            insertEvent.setLong(4, next);
            insertEvent.setBytes(5, eventId);
            insertEvent.setLong(6, now);
            insertEvent.setLong(7, now);
            insertEvent.setBytes(8, key);
            insertEvent.setBytes(9, eventId);
            insertEvent.setLong(10, 1);
            insertEvent.setBytes(11, commitId);
            insertEvent.setBytes(12, Work200.ENCODED);
            insertEvent.setBytes(13, Work200.CHANGES);
            return insertEvent.executeUpdate() == 1;
          });
      sequence = next;
    }

    @Override
    public long load() throws SQLException {
      List<FloorEvent> events = new ArrayList<>();
      synchronized (reader) {
        select.setString(1, TENANT);
        select.setBytes(2, key);
        try (ResultSet row = select.executeQuery()) {
          while (row.next()) {
            events.add(read(row));
          }
        }
      }
      return events.stream().mapToLong(event -> event.payload().length).sum();
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

  /** What a hand-written loader keeps of an event. */
  @SuppressWarnings("ArrayRecordComponent") // Compared by nobody.
  private record FloorEvent(
      long sequence,
      @Nullable UUID id,
      long version,
      long createdAt,
      long updatedAt,
      String updatedBy,
      int schemaVersion,
      int entityVersion,
      int serializationVersion,
      byte @Nullable [] extra,
      String type,
      @Nullable UUID correlationId,
      @Nullable UUID causationId,
      @Nullable String dedupeKey,
      long fencingToken,
      @Nullable UUID commitId,
      byte[] payload,
      byte[] changes) {}

  @Override
  public void close() throws SQLException {
    writer.close();
    reader.close();
  }
}
