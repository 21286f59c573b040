/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.jpa.internal.Backoff;
import io.wovyr.persistence.jpa.internal.Tables;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.CommitOutcome.Committed;
import io.wovyr.persistence.storage.spi.CommitOutcome.Conflict;
import io.wovyr.persistence.storage.spi.CommitOutcome.Failed;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.StoreTime;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes one batch, by the lean path where it can and as a transaction where it must. What lost
 * against others only by chance is tried again until the deadline; what may have been written never
 * is. Thread-safe.
 */
final class Commits {
  private final Connections connections;
  private final Tables tables;
  private final LeanCommit lean;
  private final TransactionCommit transactions;
  private final ConflictJudge judge;
  private final LongConsumer otherEpoch;

  /**
   * @param otherEpoch told when the store turns out to be in another epoch
   */
  Commits(
      Connections connections,
      Tables tables,
      LeanCommit lean,
      TransactionCommit transactions,
      ConflictJudge judge,
      LongConsumer otherEpoch) {
    this.connections = connections;
    this.tables = tables;
    this.lean = lean;
    this.transactions = transactions;
    this.judge = judge;
    this.otherEpoch = otherEpoch;
  }

  CommitOutcome commit(Batch batch, Deadline deadline) {
    Optional<LeanBatch> laidOut = LeanBatch.of(batch, tables);
    return commit(
        batch,
        deadline,
        (connection, point) -> {
          if (laidOut.isPresent()) {
            point.reached();
            return lean.run(connection, laidOut.get(), deadline);
          }
          return transactions.run(
              connection, batch, TransactionCommit.Companion.NONE, point, deadline);
        });
  }

  /** One try. */
  interface Try {
    Attempt run(Connection connection, CommitPoint point) throws SQLException;
  }

  /** Commits by this kind of try. */
  CommitOutcome commit(Batch batch, Deadline deadline, Try work) {
    Backoff backoff = new Backoff();
    while (true) {
      CommitPoint point = new CommitPoint();
      @Nullable SQLException lost = null;
      @Nullable Attempt attempt = null;
      try {
        attempt = connections.run(deadline, connection -> work.run(connection, point));
      } catch (SQLException e) {
        lost = e;
      }
      if (lost != null && !isAnswer(lost)) {
        throw point.isReached()
            ? connections.errors().atCommit(lost)
            : connections.errors().beforeCommit(lost);
      }
      if (attempt instanceof Attempt.Written written) {
        return new Committed(batch.commitId(), resolved(batch, written.now()));
      }
      if (attempt instanceof Attempt.OtherEpoch other) {
        otherEpoch.accept(other.epoch());
        throw new Unavailable(
            "commit %s was prepared in epoch %d, the store is in epoch %d: read again, then retry"
                .formatted(batch.commitId(), batch.epoch(), other.epoch()),
            null);
      }
      if (lost == null || connections.errors().taken(lost)) {
        List<Failed> failed =
            connections.read(deadline, connection -> judge.failed(connection, batch, deadline));
        if (!failed.isEmpty()) {
          return new Conflict(failed);
        }
      }
      if (deadline.isOver()) {
        throw lost == null
            ? new Unavailable(
                "nothing was written: others were in the way until the deadline", null)
            : connections.errors().beforeCommit(lost);
      }
      backoff.pause(deadline);
    }
  }

  private boolean isAnswer(SQLException e) {
    return connections.errors().taken(e) || PostgresqlErrors.transientConflict(e);
  }

  /** The symbolic instants of a batch, by the clock it was judged by. */
  static Map<Key, Map<String, Instant>> resolved(Batch batch, Instant now) {
    Map<Key, Map<String, Instant>> resolved = new HashMap<>();
    for (Mutation mutation : batch.mutations()) {
      @Nullable Row after =
          mutation instanceof Mutation.Insert insert
              ? insert.after()
              : mutation instanceof Mutation.Update update ? update.after() : null;
      if (after == null) {
        continue;
      }
      for (int i = 0; i < after.values().size(); i++) {
        if (after.values().get(i) instanceof StoreTime time) {
          resolved
              .computeIfAbsent(after.key(), key -> new HashMap<>())
              .put(after.type().attributes().get(i).name(), time.at(now));
        }
      }
    }
    return resolved;
  }
}
