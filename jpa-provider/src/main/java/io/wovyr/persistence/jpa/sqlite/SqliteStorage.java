/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.internal.FileReasons;
import io.wovyr.persistence.jpa.internal.History;
import io.wovyr.persistence.jpa.internal.LeanRecords;
import io.wovyr.persistence.jpa.internal.RecordTable;
import io.wovyr.persistence.jpa.internal.SessionFactories;
import io.wovyr.persistence.jpa.internal.Tables;
import io.wovyr.persistence.jpa.internal.TenantRecords;
import io.wovyr.persistence.sealing.spi.SealingProvider;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.FeedChunk;
import io.wovyr.persistence.storage.spi.Health;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Limits;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Purge;
import io.wovyr.persistence.storage.spi.PurgeOutcome;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.ScopedKey;
import io.wovyr.persistence.storage.spi.Statistics;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StoreIdentity;
import io.wovyr.persistence.storage.spi.StoreTime;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An open SQLite store. Writes go one after another through the {@link Writer}, each call one
 * transaction with a savepoint per batch; reads go beside them through the {@link Readers}.
 */
final class SqliteStorage implements Storage {
  static final Set<Capability> CAPABILITIES =
      Set.of(Capability.MERGED_COMMIT, Capability.MULTI_PROCESS);

  private static final Limits LIMITS = new Limits(16 << 20, 10_000, 64L << 20, 1_000, 0);
  private static final String NEXT_REVISION = "SELECT coalesce(max(rev), 0) + 1 FROM revision";
  private static final long LITTLE_SPACE_BYTES = 64L << 20;

  private final SqliteSettings settings;
  private final SqliteErrors errors;
  private final Tables tables = new Tables(new SqliteValues());
  private final FeedReader feed = new FeedReader(tables);
  private final History history = new History();
  private final Writer writer;
  private final Readers readers;
  private final SessionFactories hibernate;
  private volatile StoreIdentity identity = new StoreIdentity(new UUID(0, 0), 0, 0);
  private volatile @Nullable String problem;

  private SqliteStorage(
      SqliteSettings settings, SessionFactories hibernate, SqliteConnection.Source source) {
    this.settings = settings;
    this.hibernate = hibernate;
    errors = new SqliteErrors(settings.path());
    writer = new Writer(settings, errors, source);
    readers = new Readers(settings, errors, source);
  }

  /** Opens and checks a store; what was opened is closed again when it is not good. */
  static SqliteStorage open(
      SqliteSettings settings,
      SessionFactories hibernate,
      SqliteConnection.Source source,
      Deadline by) {
    SqliteStorage opened = new SqliteStorage(settings, hibernate, source);
    try {
      StoreCheck check = new StoreCheck(settings.path(), opened.tables);
      // Read-only first: a store of another version is left as it is.
      opened.identity = opened.readers.snapshot(by, check::run);
      opened.writer.open(by, check::checkPragmas);
      return opened;
    } catch (RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  @Override
  public void useSealing(SealingProvider sealing) {
    history.sealBy(sealing);
  }

  @Override
  public StoreIdentity identity() {
    return identity;
  }

  @Override
  public Set<Capability> capabilities() {
    return CAPABILITIES;
  }

  @Override
  public Limits limits() {
    return LIMITS;
  }

  @Override
  public List<Optional<Row>> read(Scope scope, List<Key> keys, ReadOptions options) {
    if (keys.isEmpty()) {
      return List.of();
    }
    Deadline deadline = options.deadline();
    Readers.Work<List<Optional<Row>>> work =
        connection -> {
          LeanRecords records = lean(connection, scope, LeanRecords.FeedKeys.NONE);
          List<Optional<Row>> rows = new ArrayList<>(keys.size());
          for (Key key : keys) {
            rows.add(records.read(key));
          }
          return rows;
        };
    return keys.size() == 1 ? readers.read(deadline, work) : readers.snapshot(deadline, work);
  }

  @Override
  public Page<Row> scan(Scope scope, Scan scan, ReadOptions options) {
    return readers.read(
        options.deadline(),
        connection -> lean(connection, scope, LeanRecords.FeedKeys.NONE).scan(scan));
  }

  @Override
  public Optional<Row> readUnique(
      Scope scope, RecordType type, String uniqueKey, List<Object> values, ReadOptions options) {
    RecordType.UniqueKey unique =
        type.uniqueKey(uniqueKey)
            .orElseThrow(
                () -> new IllegalArgumentException(type + " has no unique key " + uniqueKey));
    return readers.read(
        options.deadline(),
        connection ->
            lean(connection, scope, LeanRecords.FeedKeys.NONE).holder(type, unique, values));
  }

  private TenantRecords records(
      SqliteConnection connection, Scope scope, LeanRecords.FeedKeys feedKeys) {
    return new TenantRecords(
        lean(connection, scope, feedKeys),
        history,
        () -> hibernate.get(Deadline.after(settings.busyTimeout())),
        connection.jdbc(),
        errors,
        scope.tenantId());
  }

  private LeanRecords lean(
      SqliteConnection connection, Scope scope, LeanRecords.FeedKeys feedKeys) {
    return new LeanRecords(connection.statements(), tables, errors, scope.tenantId(), feedKeys);
  }

  @Override
  public Page<ScopedKey> scanSystem(Scope.System scope, Scan scan, ReadOptions options) {
    RecordTable table = tables.of(scan.type());
    return readers.read(
        options.deadline(),
        connection -> lean(connection, scope, LeanRecords.FeedKeys.NONE).keys(table, scan));
  }

  @Override
  public List<CommitOutcome> commit(List<Batch> batches, Deadline deadline) {
    if (batches.isEmpty()) {
      return List.of();
    }
    if (batches.size() > LIMITS.mergedBatches()) {
      throw new Rejected(
          "the call has %,d batches; %,d are allowed (mergedBatches)"
              .formatted(batches.size(), LIMITS.mergedBatches()));
    }
    Deadline ready = prepare(batches, deadline);
    return watched(() -> writer.transaction(ready, connection -> write(connection, batches)));
  }

  private Deadline prepare(List<Batch> batches, Deadline deadline) {
    batches.forEach(SqliteStorage::refuseImpossible);
    batches.forEach(history::prepare);
    // Before the write lock is taken: nobody waits for Hibernate but who needs it.
    return batches.stream().anyMatch(SqliteStorage::needsHibernate)
        ? hibernate.ready(deadline)
        : deadline;
  }

  private static boolean needsHibernate(Batch batch) {
    return batch.mutations().stream().anyMatch(mutation -> !Tables.lean(mutation.key().type()))
        || batch.checks().stream().anyMatch(check -> !Tables.lean(check.key().type()));
  }

  private static void refuseImpossible(Batch batch) {
    batch
        .violates(LIMITS)
        .ifPresent(
            limit -> {
              throw new Rejected(limit);
            });
    for (Mutation mutation : batch.mutations()) {
      Row after = null;
      if (mutation instanceof Mutation.Insert insert) {
        after = insert.after();
      } else if (mutation instanceof Mutation.Update update) {
        after = update.after();
        if (!update.notExpired().isEmpty() || !update.expired().isEmpty()) {
          throw noClock(mutation.key());
        }
      }
      if (after != null && after.values().stream().anyMatch(StoreTime.class::isInstance)) {
        throw noClock(mutation.key());
      }
    }
  }

  private static Rejected noClock(Key key) {
    return new Rejected(
        key
            + ": this store has no clock of its own (STORE_CLOCK): give instants, and watch"
            + " leases");
  }

  private Writer.Result<List<CommitOutcome>> write(SqliteConnection connection, List<Batch> batches)
      throws SQLException {
    StoreRow store = StoreRow.read(connection);
    boolean merged = batches.size() > 1;
    boolean anything = false;
    List<CommitOutcome> outcomes = new ArrayList<>(batches.size());
    for (Batch batch : batches) {
      refuseOtherEpoch(batch, store);
    }
    for (Batch batch : batches) {
      if (merged) {
        connection.savepoint();
      }
      CommitOutcome outcome = write(connection, batch, store);
      boolean committed = outcome instanceof CommitOutcome.Committed;
      if (merged) {
        connection.endSavepoint(committed);
      }
      anything |= committed;
      outcomes.add(outcome);
    }
    return new Writer.Result<>(outcomes, anything);
  }

  private CommitOutcome write(SqliteConnection connection, Batch batch, StoreRow store)
      throws SQLException {
    try (TenantRecords records = records(connection, batch.scope(), store)) {
      return records.write(batch, () -> nextRevision(connection));
    }
  }

  private static long nextRevision(SqliteConnection connection) throws SQLException {
    try (ResultSet row = connection.statements().get(NEXT_REVISION).executeQuery()) {
      return row.next() ? row.getLong(1) : 1;
    }
  }

  private void refuseOtherEpoch(Batch batch, StoreRow store) {
    if (batch.epoch() != store.epoch()) {
      StoreIdentity known = identity;
      identity = new StoreIdentity(known.storeId(), store.epoch(), known.schemaVersion());
      throw new Unavailable(
          "commit %s was prepared in epoch %d, the store is in epoch %d: read again, then retry"
              .formatted(batch.commitId(), batch.epoch(), store.epoch()),
          null);
    }
  }

  private interface Call<T> {
    T run();
  }

  /** Remembers what the last write died of, for {@link #health()}. */
  private <T> T watched(Call<T> call) {
    try {
      T result = call.run();
      problem = null;
      return result;
    } catch (PersistenceException.StorageFailure e) {
      if (e.getCause() != null) {
        problem = e.getMessage();
      }
      throw e;
    }
  }

  @Override
  public PurgeOutcome purge(Scope scope, Purge purge, Deadline deadline) {
    Deadline ready = prepare(List.of(purge.batch()), deadline);
    return watched(
        () ->
            writer.transaction(
                ready,
                connection -> {
                  PurgeOutcome outcome = purge(connection, scope, purge);
                  return new Writer.Result<>(outcome, outcome instanceof PurgeOutcome.Purged);
                }));
  }

  private PurgeOutcome purge(SqliteConnection connection, Scope scope, Purge purge)
      throws SQLException {
    StoreRow store = StoreRow.read(connection);
    refuseOtherEpoch(purge.batch(), store);
    RecordTable table = tables.of(purge.type());
    long highest = Purger.highest(connection, table, scope.tenantId(), purge);
    for (FeedCursor cursor : purge.notBeyond()) {
      if (highest > FeedPlace.of(cursor, store.epoch()).key()) {
        return new PurgeOutcome.HeldBack(cursor);
      }
    }
    CommitOutcome outcome = write(connection, purge.batch(), store);
    if (outcome instanceof CommitOutcome.Conflict conflict) {
      return new PurgeOutcome.Conflict(conflict.failed());
    }
    if (highest == 0) {
      return new PurgeOutcome.Purged(0);
    }
    return new PurgeOutcome.Purged(
        Purger.remove(connection, table, scope.tenantId(), purge, highest, store.next()));
  }

  @Override
  public Statistics statistics(Scope scope, Deadline deadline) {
    return readers.snapshot(
        deadline, connection -> StoreStatistics.read(connection, tables, scope));
  }

  @Override
  public FeedChunk feed(Scope scope, Optional<FeedCursor> after, int limit, Deadline deadline) {
    if (limit < 1) {
      throw new InvalidInput("limit must be at least 1, not " + limit);
    }
    return readers.snapshot(deadline, connection -> feed.read(connection, scope, after, limit));
  }

  @Override
  public Health health() {
    try {
      StoreIdentity now = readers.read(Deadline.after(Duration.ofSeconds(1)), StoreRow::identity);
      identity = now;
      String found = problem;
      if (found == null && !Files.isWritable(settings.path())) {
        found = "the SQLite store " + settings.path() + " may not be written by this process";
      }
      long space = Files.getFileStore(settings.path()).getUsableSpace();
      if (found == null && space < LITTLE_SPACE_BYTES) {
        found = "the disk of " + settings.path() + " has only " + (space >> 20) + " MiB left";
      }
      boolean writable = problem == null && Files.isWritable(settings.path());
      return new Health(writable, Optional.of(Duration.ZERO), Optional.ofNullable(found));
    } catch (IOException e) {
      return new Health(false, Optional.empty(), Optional.of(FileReasons.withPath(e)));
    } catch (PersistenceException e) {
      return new Health(false, Optional.empty(), Optional.of(String.valueOf(e.getMessage())));
    }
  }

  @Override
  public void close() {
    hibernate.close();
    readers.close();
    writer.close();
  }
}
