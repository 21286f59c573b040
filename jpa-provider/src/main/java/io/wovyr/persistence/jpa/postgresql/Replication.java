/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * How far the slowest standby is behind. The primary tells it to roles that may read all statistics
 * (pg_read_all_stats); of a standby that has stopped to replay it tells no time, so that what this
 * process saw counts: how long ago the log already was where the standby has not come yet.
 * Thread-safe.
 *
 * @see <a href="https://www.postgresql.org/docs/18/monitoring-stats.html">pg_stat_replication</a>
 */
final class Replication {
  private static final String STANDBYS =
      "SELECT min(replay_lsn) - '0/0'::pg_lsn, pg_current_wal_lsn() - '0/0'::pg_lsn,"
          + " coalesce(date_part('epoch', max(replay_lag)), 0)"
          + " FROM pg_stat_replication WHERE replay_lsn IS NOT NULL";

  /** A place of the log, in bytes, and when it was written at the latest, in nanoseconds. */
  private record Place(long lsn, long seenAt) {}

  private final AtomicReference<Place> ahead = new AtomicReference<>(new Place(0, 0));

  /** Of the slowest; empty without a standby, or where the server does not tell. */
  Optional<Duration> lag(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(STANDBYS);
        ResultSet row = statement.executeQuery()) {
      row.next();
      long replayed = row.getLong(1);
      if (row.wasNull()) {
        return Optional.empty();
      }
      long written = row.getLong(2);
      if (replayed >= written) {
        return Optional.of(Duration.ZERO);
      }
      long now = System.nanoTime();
      Place waiting =
          ahead.updateAndGet(place -> replayed < place.lsn ? place : new Place(written, now));
      Duration told = Duration.ofNanos((long) (row.getDouble(3) * 1e9));
      Duration seen = Duration.ofNanos(now - waiting.seenAt);
      return Optional.of(told.compareTo(seen) > 0 ? told : seen);
    }
  }
}
