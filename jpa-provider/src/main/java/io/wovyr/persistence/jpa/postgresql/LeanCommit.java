/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.StoreTime;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Commits in one round trip: the trip is the transaction. Thread-safe. */
final class LeanCommit {
  private final ConcurrentMap<List<LeanPart>, LeanStatement> statements = new ConcurrentHashMap<>();
  private final TransactionSettings settings;

  LeanCommit(TransactionSettings settings) {
    this.settings = settings;
  }

  /** The statement of the batch's shape. */
  LeanStatement statement(LeanBatch batch) {
    LeanStatement known = statements.get(batch.parts());
    if (known != null) {
      return known;
    }
    LeanStatement made = new LeanStatement(batch.parts(), settings);
    return statements.computeIfAbsent(List.copyOf(batch.parts()), parts -> made);
  }

  /** Sends the batch on a connection that commits by itself, or to the caller's transaction. */
  Attempt run(Connection connection, LeanBatch batch, Deadline deadline) throws SQLException {
    LeanStatement lean = statement(batch);
    try (PreparedStatement statement = connection.prepareStatement(lean.sql())) {
      lean.bind(statement, batch, deadline);
      statement.execute();
      for (int i = 0; i <= settings.before().size(); i++) {
        statement.getMoreResults();
      }
      try (ResultSet verdict = statement.getResultSet()) {
        return verdict(verdict, batch);
      }
    }
  }

  private static Attempt verdict(ResultSet verdict, LeanBatch batch) throws SQLException {
    verdict.next();
    long epoch = verdict.getLong(1);
    long now = verdict.getLong(2);
    if (!verdict.wasNull()) {
      return new Attempt.Written(StoreTime.ofMicros(now));
    }
    return epoch == batch.batch().epoch() ? new Attempt.Refused() : new Attempt.OtherEpoch(epoch);
  }
}
