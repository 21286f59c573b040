/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.jpa.internal.Tables;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CallersTransaction;
import io.wovyr.persistence.storage.spi.CommitOutcome.Failed;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Enlisted;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Applies batches inside the JTA transaction that the calling thread is in, over a DataSource that
 * is part of it: where a key may be taken in a savepoint, so that a conflict leaves the transaction
 * as it was; by the lean path in one trip. Whatever else goes wrong ends the transaction: it can
 * only be rolled back. Thread-safe.
 */
final class Enlistment {
  /** A condition may have come to hold between its refusal and the look at it: an expiry. */
  private static final int MOST_LOOKS = 3;

  private final JtaTransactions transactions;
  private final ContainerPool pool;
  private final Tables tables;
  private final LeanCommit lean = new LeanCommit(TransactionSettings.ENLISTED);
  private final LeanCommit steps = new LeanCommit(TransactionSettings.ENLISTED_AS_IT_IS);
  private final TransactionCommit whole;
  private final ConflictJudge judge;
  private final PostgresqlErrors errors;
  private final LongConsumer otherEpoch;

  /**
   * @param whole for batches that the lean path cannot apply
   * @param otherEpoch told when the store turns out to be in another epoch
   */
  Enlistment(
      JtaTransactions transactions,
      ContainerPool pool,
      Tables tables,
      TransactionCommit whole,
      PostgresqlErrors errors,
      LongConsumer otherEpoch) {
    this.transactions = transactions;
    this.pool = pool;
    this.tables = tables;
    this.whole = whole;
    this.judge = new ConflictJudge(new NativeRecords(tables, TransactionSettings.ENLISTED));
    this.errors = errors;
    this.otherEpoch = otherEpoch;
  }

  Optional<CallersTransaction> current() {
    return transactions.current();
  }

  Enlisted enlist(Batch batch, Deadline deadline) {
    if (current().filter(CallersTransaction::isActive).isEmpty()) {
      throw new Unavailable(
          "nothing was written: the calling thread is in no JTA transaction that can be joined; it may be marked for rollback, or its time may be over",
          null);
    }
    if (deadline.isOver()) {
      throw new Unavailable("the deadline was over before anything was sent", null);
    }
    Connection connection = pool.join();
    try {
      pool.checkJoined(connection);
      return apply(connection, batch, deadline);
    } catch (SQLException e) {
      transactions.giveUp();
      throw errors.beforeCommit(e);
    } finally {
      Pool.close(connection);
    }
  }

  private Enlisted apply(Connection connection, Batch batch, Deadline deadline)
      throws SQLException {
    Optional<LeanBatch> laidOut = LeanBatch.of(batch, tables);
    for (int i = 0; i < MOST_LOOKS; i++) {
      @Nullable Attempt attempt = attempt(connection, batch, laidOut, deadline);
      if (attempt instanceof Attempt.Written written) {
        return new Enlisted.Applied(Commits.resolved(batch, written.now()));
      }
      if (attempt instanceof Attempt.OtherEpoch other) {
        otherEpoch.accept(other.epoch());
        throw new Unavailable(
            "commit %s was prepared in epoch %d, the store is in epoch %d: read again, then retry"
                .formatted(batch.commitId(), batch.epoch(), other.epoch()),
            null);
      }
      List<Failed> failed = judge.failed(connection, batch, deadline);
      if (!failed.isEmpty()) {
        return new Enlisted.Conflict(failed);
      }
    }
    transactions.giveUp();
    throw new Unavailable(
        "nothing was written: conditions that did not hold could not be found any more; does the transaction of the caller see others' changes (read committed)?",
        null);
  }

  /** One try, undone unless it wrote all; null when a key or unique entry was taken. */
  private @Nullable Attempt attempt(
      Connection connection, Batch batch, Optional<LeanBatch> laidOut, Deadline deadline)
      throws SQLException {
    if (laidOut.isPresent() && laidOut.get().takesNoKey()) {
      // An error ends the transaction anyway: a savepoint would only cost a transaction id.
      return steps.run(connection, laidOut.get(), deadline);
    }
    Attempt attempt = null;
    try {
      if (laidOut.isPresent()) {
        // What is refused has written nothing, and its savepoint is released.
        return lean.run(connection, laidOut.get(), deadline);
      }
      attempt = whole.enlist(connection, batch, deadline);
      if (attempt instanceof Attempt.Written) {
        return attempt;
      }
    } catch (SQLException e) {
      if (!errors.taken(e)) {
        throw e;
      }
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute(TransactionSettings.UNDO);
    }
    return attempt;
  }
}
