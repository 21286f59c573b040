/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

/**
 * What a person who writes by hand for PostgreSQL knows of the head of an execution, and how its
 * statements are bound. Used by one thread.
 */
final class FloorHead {
  private final UUID id;
  private final long token;
  private long version;
  private long sequence;
  private long renewals;

  /**
   * @param row version, last sequence and renewals
   */
  FloorHead(UUID id, long token, ResultSet row) throws SQLException {
    this.id = id;
    this.token = token;
    version = row.getLong(1);
    sequence = row.getLong(2);
    renewals = row.getLong(3);
  }

  long version() {
    return version;
  }

  /** Binds all of {@link PostgresqlFloor#step}. */
  void bindStep(PreparedStatement step, long epoch) throws SQLException {
    long now = PostgresqlFloor.micros();
    step.setObject(1, id);
    step.setLong(2, epoch);
    step.setLong(3, version);
    int next = bind(step, 4, now, 1);
    bindEvent(step, next, now, 1, UUID.randomUUID());
  }

  /** Binds the update of the head; returns the index after the last. */
  int bind(PreparedStatement statement, int from, long now, int events) throws SQLException {
    statement.setLong(from, version + 1);
    statement.setLong(from + 1, now);
    statement.setLong(from + 2, sequence + events);
    statement.setLong(from + 3, renewals + 1);
    statement.setLong(from + 4, Step.TTL_MICROS);
    statement.setLong(from + 5, 2 * Step.TTL_MICROS - 1);
    statement.setLong(from + 6, Step.TTL_MICROS);
    statement.setLong(from + 7, Step.TTL_MICROS);
    statement.setObject(from + 8, id);
    return from + 9;
  }

  /** Binds an event, so many after the last; returns the index after the last. */
  int bindEvent(PreparedStatement statement, int from, long now, int offset, UUID commitId)
      throws SQLException {
    UUID eventId = UUID.randomUUID();
    statement.setObject(from, id);
    statement.setLong(from + 1, sequence + offset);
    statement.setObject(from + 2, eventId);
    statement.setLong(from + 3, now);
    statement.setLong(from + 4, now);
    statement.setObject(from + 5, id);
    statement.setObject(from + 6, eventId);
    statement.setLong(from + 7, token);
    statement.setObject(from + 8, commitId);
    statement.setBytes(from + 9, FloorEvent.PAYLOAD);
    statement.setBytes(from + 10, FloorEvent.CHANGES);
    return from + 11;
  }

  /** So many events were to be written. */
  void done(int written, int events) {
    if (written != events) {
      throw new IllegalStateException("nobody else writes this execution");
    }
    version++;
    sequence += events;
    renewals++;
  }
}
