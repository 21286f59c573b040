/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.CommitOutcome.Committed;
import io.wovyr.persistence.storage.spi.CommitOutcome.Conflict;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.FeedChunk;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * One tenant of the store under test, made for one test: builds rows of it, commits and reads them.
 * Thread-safe.
 */
final class KitTenant {
  private static final Duration CALL = Duration.ofSeconds(30);

  private final Storage storage;
  private final Scope scope;
  private final Duration patience;

  KitTenant(Storage storage, Scope scope, Duration patience) {
    this.storage = storage;
    this.scope = scope;
    this.patience = patience;
  }

  Scope scope() {
    return scope;
  }

  String id() {
    return scope.tenantId();
  }

  Storage storage() {
    return storage;
  }

  /** The same tenant through another handle. */
  KitTenant through(Storage other) {
    return new KitTenant(other, scope, patience);
  }

  /** Long enough for any call that does not hang. */
  static Deadline deadline() {
    return Deadline.after(CALL);
  }

  static ReadOptions strong() {
    return ReadOptions.strong(deadline());
  }

  /** A minimal row. */
  Row row(Key key) {
    return SampleRows.minimal(id(), key);
  }

  /** A head as it is when nothing has happened yet. */
  Row head(UUID executionId) {
    return row(Key.of(RecordTypes.HEAD, executionId))
        .with("lastSequence", 0L)
        .with("lowWaterMark", 1L)
        .with("fencingToken", 0L);
  }

  /** An event of a commit. */
  Row event(UUID executionId, long sequence, UUID commitId) {
    return row(Key.of(RecordTypes.EVENT, executionId, sequence)).with("commitId", commitId);
  }

  /** An event of some commit. */
  Row event(UUID executionId, long sequence) {
    return event(executionId, sequence, UUID.randomUUID());
  }

  Batch batch(Mutation... mutations) {
    return batch(List.of(mutations), List.of());
  }

  Batch batch(List<? extends Mutation> mutations, List<Batch.VersionIs> checks) {
    return batch(UUID.randomUUID(), Optional.empty(), mutations, checks);
  }

  Batch batch(
      UUID commitId,
      Optional<Key> witness,
      List<? extends Mutation> mutations,
      List<Batch.VersionIs> checks) {
    return new Batch(
        commitId,
        storage.identity().epoch(),
        scope,
        witness,
        List.<Mutation>copyOf(mutations),
        checks);
  }

  /** The step of an execution: its head raised by one event, which is the witness. */
  Batch step(Row head) {
    UUID commitId = UUID.randomUUID();
    UUID executionId = (UUID) head.key().values().get(0);
    long sequence = lastSequence(head) + 1;
    Row event = event(executionId, sequence, commitId);
    Row after = SampleRows.next(head).with("lastSequence", sequence);
    return batch(
        commitId,
        Optional.of(event.key()),
        List.of(new Mutation.Update(head, after), new Mutation.Insert(event)),
        List.of());
  }

  static long lastSequence(Row head) {
    return (Long) java.util.Objects.requireNonNull(head.get("lastSequence"));
  }

  /** Commits, trying again while the store says that nothing was written and retry is safe. */
  CommitOutcome commit(Batch batch) {
    Deadline deadline = deadline();
    while (true) {
      try {
        return storage.commit(batch, deadline);
      } catch (Unavailable e) {
        if (deadline.isOver()) {
          throw e;
        }
        Thread.onSpinWait();
      }
    }
  }

  CommitOutcome commit(Mutation... mutations) {
    return commit(batch(mutations));
  }

  /** Commits what must succeed. */
  Committed committed(Batch batch) {
    CommitOutcome outcome = commit(batch);
    if (outcome instanceof Committed committed) {
      assertEquals(batch.commitId(), committed.commitId(), "the outcome names its commit");
      return committed;
    }
    return fail("expected the batch to be written, but got " + outcome);
  }

  Committed committed(Mutation... mutations) {
    return committed(batch(mutations));
  }

  /** Commits what must not succeed. */
  Conflict conflict(Batch batch) {
    CommitOutcome outcome = commit(batch);
    if (outcome instanceof Conflict conflict) {
      return conflict;
    }
    return fail("expected a conflict, but the batch was written: " + outcome);
  }

  Conflict conflict(Mutation... mutations) {
    return conflict(batch(mutations));
  }

  /** Inserts a row that must find its place, and answers it. */
  Row insert(Row row) {
    committed(new Mutation.Insert(row));
    return row;
  }

  /** Updates a row that must be there, and answers what was sent. */
  Row update(Row before, Row after) {
    committed(new Mutation.Update(before, after));
    return after;
  }

  Optional<Row> read(Key key) {
    return storage.read(scope, List.of(key), strong()).get(0);
  }

  /** The row that must be there. */
  Row stored(Key key) {
    return read(key).orElseGet(() -> fail(key + " is not stored"));
  }

  /** All rows of a scan, page by page. */
  List<Row> all(Scan scan) {
    List<Row> rows = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      Page<Row> page = storage.scan(scope, scan.after(next), strong());
      assertPage(page, scan.limit(), next);
      rows.addAll(page.items());
      next = page.next();
    } while (next.isPresent());
    return rows;
  }

  private static void assertPage(Page<?> page, int limit, Optional<String> asked) {
    if (page.items().size() > limit) {
      fail("a page has " + page.items().size() + " items, asked were " + limit);
    }
    if (page.next().isPresent() && page.next().equals(asked)) {
      fail("a page leads to itself");
    }
  }

  /** The events of an execution. */
  List<Row> events(UUID executionId) {
    return all(Scan.byKey(RecordTypes.EVENT, List.of(executionId), 500));
  }

  /** The next chunk of this tenant's feed. */
  FeedChunk feed(Optional<FeedCursor> after, int limit) {
    return storage.feed(scope, after, limit, deadline());
  }

  /** A follower of this tenant's feed, to be run from {@code after}. */
  Follower follower(Optional<FeedCursor> after) {
    return Follower.of(storage, scope, after, patience);
  }

  /** Runs a follower of this tenant's feed from {@code after} until it saw so many rows. */
  List<FeedChunk.Entry> follow(Optional<FeedCursor> after, int rows) {
    return follower(after).until(rows);
  }
}
