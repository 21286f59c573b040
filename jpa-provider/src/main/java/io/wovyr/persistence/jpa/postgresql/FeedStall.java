/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.storage.spi.StoreTime;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Finds the transaction that keeps the feed from advancing. When it began is told by the server to
 * roles that may read all statistics; others count from when they first saw it. Thread-safe.
 */
final class FeedStall {
  private static final String HOLDER =
      "SELECT round(date_part('epoch', coalesce(min(h.since), 'infinity')) * 1000000), "
          + PostgresqlValues.CLOCK
          + ", min(h.who) FROM ("
          + "SELECT a.xact_start AS since, format('process %s (user %s, application %s)',"
          + " a.pid, a.usename, a.application_name) AS who"
          + " FROM pg_stat_activity a WHERE a.backend_xid = ?::text::xid8::xid"
          + " UNION ALL "
          + "SELECT p.prepared, format('prepared transaction %s (database %s, user %s)',"
          + " p.gid, p.database, p.owner)"
          + " FROM pg_prepared_xacts p WHERE p.transaction = ?::text::xid8::xid) h";

  /** Of another's session the server tells this only to members of that role. */
  private static final String SINCE_UNKNOWN =
      "; since when is not known: the system role's login is no member of pg_read_all_stats";

  private final AtomicReference<Seen> seen = new AtomicReference<>(new Seen(-1, Instant.EPOCH));

  private record Seen(long transaction, Instant first) {}

  /** See {@link #holder}. */
  record Holder(Instant since, Instant now, String who) {}

  Instant since(Connection connection, long transaction) throws SQLException {
    return holder(connection, transaction).since();
  }

  /** The transaction of this id: since when, and whose. */
  Holder holder(Connection connection, long transaction) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(HOLDER)) {
      statement.setString(1, String.valueOf(transaction));
      statement.setString(2, String.valueOf(transaction));
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        double since = row.getDouble(1);
        Instant now = StoreTime.ofMicros(row.getLong(2));
        String who = row.getString(3);
        if (who != null && Double.isInfinite(since)) {
          who += SINCE_UNKNOWN;
        }
        Instant known =
            Double.isInfinite(since)
                ? firstSeen(transaction, now)
                : StoreTime.ofMicros((long) since);
        return new Holder(known, now, who == null ? "transaction " + transaction : who);
      }
    }
  }

  private Instant firstSeen(long transaction, Instant now) {
    return seen.updateAndGet(
            before -> before.transaction == transaction ? before : new Seen(transaction, now))
        .first;
  }
}
