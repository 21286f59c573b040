/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException.FeedTruncated;
import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.PersistenceException.StorageFailure;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.sealing.spi.SealingProvider;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An open store. Thread-safe. A lost race is an answer; a broken store is one of the four {@link
 * StorageFailure}s; driver exceptions never leave a provider except as causes.
 *
 * @since 0.1
 */
public interface Storage extends AutoCloseable {
  /** Which store this is, and its epoch now. No I/O in the ordinary case. */
  StoreIdentity identity();

  /** What this store can do. */
  Set<Capability> capabilities();

  /** What fits. */
  Limits limits();

  /**
   * Reads several records in one round trip, each as it is at one common instant where the store
   * can.
   *
   * @return one answer per key, in the order asked; empty where this scope has no such record,
   *     whoever else has
   * @throws Unavailable the store cannot be read now
   */
  List<Optional<Row>> read(Scope scope, List<Key> keys, ReadOptions options);

  /**
   * Reads the record that holds a unique entry.
   *
   * @param values of the unique key's attributes, in order
   * @return empty where no record of this scope holds it
   * @throws Unavailable the store cannot be read now
   */
  Optional<Row> readUnique(
      Scope scope, RecordType type, String uniqueKey, List<Object> values, ReadOptions options);

  /**
   * Reads a page of a range, by key or by a path of reach TENANT. A page is consistent in itself;
   * no snapshot across pages is promised, but a row that is there all the time is seen exactly
   * once. A page may be empty and have a next one. A row with a value that cannot be read is there
   * like any other, with {@link Unreadable} in the place of the value.
   *
   * @throws Unavailable the store cannot be read now
   */
  Page<Row> scan(Scope scope, Scan scan, ReadOptions options);

  /**
   * Reads a page of keys over all tenants, by a path of reach SYSTEM, in the order of the path's
   * values; entries of equal values follow in an order of the store's own.
   *
   * @throws Unavailable the store cannot be read now
   */
  Page<ScopedKey> scanSystem(Scope.System scope, Scan scan, ReadOptions options);

  /**
   * Writes batches, each atomically and independent of the others, in any order. All conditions of
   * a batch hold at one instant or nothing of it is written; when this returns {@code Committed} it
   * is durable. An exception concerns all batches of the call.
   *
   * @return one outcome per batch, in the order given
   * @throws Unavailable nothing was written; retry is safe
   * @throws OutcomeUnknown any of them may have been written: resubmit each identically
   * @throws Rejected nothing was written and never will be: a limit, named in the message
   */
  List<CommitOutcome> commit(List<Batch> batches, Deadline deadline);

  /** Writes one batch; as {@link #commit(List, Deadline)}. */
  default CommitOutcome commit(Batch batch, Deadline deadline) {
    return commit(List.of(batch), deadline).get(0);
  }

  /**
   * The JTA transaction that the calling thread is in, whatever its state; empty when it is in
   * none, and always without {@link Capability#JTA}. No I/O. Everything but {@link #enlist} stays
   * out of it: reads see what is committed, and commits are not undone with it.
   */
  default Optional<CallersTransaction> callersTransaction() {
    return Optional.empty();
  }

  /**
   * Applies a batch inside the caller's JTA transaction; never more than statements. All conditions
   * hold at one instant, from which on others wait for the end of that transaction, or nothing of
   * the batch is applied. Nothing is tried again. Only with {@link Capability#JTA}.
   *
   * @throws Unavailable nothing was applied: there is no transaction that can be joined (any more),
   *     or a statement failed; then the transaction can only be rolled back
   * @throws Rejected nothing was applied and never will be: a limit, or a transaction that has
   *     another resource which it cannot be committed together with
   */
  default Enlisted enlist(Batch batch, Deadline deadline) {
    throw new Rejected("this store cannot join a JTA transaction");
  }

  /**
   * Removes append-only records for ever, writes the batch that says so, and raises the feed's mark
   * to the highest place removed, all in one transaction. Under the purge role where there is one.
   * Failures as {@link #commit(List, Deadline)}.
   */
  PurgeOutcome purge(Scope scope, Purge purge, Deadline deadline);

  /**
   * What seals values, for a store that keeps some beside the records, such as who changed them in
   * a history of its own. Core hands it over once, before the first commit; a store that is never
   * told keeps them in clear. Stores that pass everything on to another pass this on, too.
   */
  default void useSealing(SealingProvider sealing) {}

  /** Sizes, of one tenant or (system scope) of the whole store. */
  Statistics statistics(Scope scope, Deadline deadline);

  /**
   * The next rows of the feed, of one tenant or (system scope) of all. Without a cursor from the
   * first row that is still there; what was purged before such a reader began is not missing for
   * it. There always is a cursor to go on from, be the feed empty. A cursor is good for both scopes
   * and for every handle of the store.
   *
   * @throws FeedTruncated when rows after the cursor were purged since its reader began without one
   */
  FeedChunk feed(Scope scope, Optional<FeedCursor> after, int limit, Deadline deadline);

  /** How the store is, quickly. Never throws; a closed handle is not writable. */
  Health health();

  /** Frees what the store holds. Idempotent. */
  @Override
  void close();
}
