/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.memory;

import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.CommitOutcome.Committed;
import io.wovyr.persistence.storage.spi.CommitOutcome.Conflict;
import io.wovyr.persistence.storage.spi.CommitOutcome.Failed;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Purge;
import io.wovyr.persistence.storage.spi.PurgeOutcome;
import io.wovyr.persistence.storage.spi.RecordType.FeedRole;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StoreIdentity;
import io.wovyr.persistence.storage.spi.StoreTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A store in memory. {@link #open()} gives as many handles as wanted; what one commits, all see,
 * and closing them loses nothing while the store itself is reachable. One lock orders everything.
 * The before-image of an update or delete must have the index entries of the stored row: a batch
 * that lies about them is an {@link IllegalArgumentException}, since stores that do not read before
 * they write would keep a broken index for ever. Thread-safe.
 *
 * @since 0.1
 */
public class MemoryStore {
  /** Version of the (imagined) schema. */
  static final int SCHEMA_VERSION = 1;

  private final MemorySettings settings;
  private final UUID storeId = UUID.randomUUID();
  private final ReentrantLock lock = new ReentrantLock(true);
  private final Condition rowUnlocked = lock.newCondition();
  private final Set<MemoryRows.Place> lockedRows = new HashSet<>();
  private final MemoryRows rows;
  private final MemoryFeed feed = new MemoryFeed();
  private final Random order = new Random(1);
  private long epoch = 1;

  /** An empty store of this shape. */
  public MemoryStore(MemorySettings settings) {
    this(settings, new MemoryRows());
  }

  MemoryStore(MemorySettings settings, MemoryRows rows) {
    this.settings = settings;
    this.rows = rows;
  }

  /** Another handle of this store. */
  public Storage open() {
    return new MemoryStorage(this);
  }

  /**
   * Begins a new epoch, as a restore or a promotion does. Batches of the former one are refused.
   */
  public void raiseEpoch() {
    lock.lock();
    try {
      epoch++;
      feed.begin(epoch);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Makes everybody who writes or checks a row wait, as another client's lock on it would; others
   * go on. For tests of what happens inside a slow storage call.
   *
   * @return lets the row go; may run twice
   */
  public Runnable lock(Scope scope, Key key) {
    MemoryRows.Place place = new MemoryRows.Place(scope.tenantId(), key);
    lock.lock();
    try {
      lockedRows.add(place);
    } finally {
      lock.unlock();
    }
    return () -> {
      lock.lock();
      try {
        lockedRows.remove(place);
        rowUnlocked.signalAll();
      } finally {
        lock.unlock();
      }
    };
  }

  /** Waits until no row of these batches is locked; only within {@link #locked}. */
  private void awaitRows(List<Batch> batches, Deadline deadline) {
    while (batches.stream().anyMatch(this::isHeldUp)) {
      try {
        if (rowUnlocked.awaitNanos(deadline.remaining().toNanos()) <= 0) {
          throw new Unavailable("the deadline came before a lock on a row went", null);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new Unavailable("interrupted while waiting for a row; nothing was written", e);
      }
    }
  }

  private boolean isHeldUp(Batch batch) {
    String tenant = batch.scope().tenantId();
    Stream<Key> written = batch.mutations().stream().map(Mutation::key);
    Stream<Key> checked = batch.checks().stream().map(Batch.VersionIs::key);
    return Stream.concat(written, checked)
        .anyMatch(key -> lockedRows.contains(new MemoryRows.Place(tenant, key)));
  }

  final MemorySettings settings() {
    return settings;
  }

  final Set<Capability> capabilities() {
    Set<Capability> capabilities = EnumSet.of(Capability.MERGED_COMMIT);
    if (settings.storeClock()) {
      capabilities.add(Capability.STORE_CLOCK);
    }
    return Collections.unmodifiableSet(capabilities);
  }

  final StoreIdentity identity() {
    lock.lock();
    try {
      return new StoreIdentity(storeId, epoch, SCHEMA_VERSION);
    } finally {
      lock.unlock();
    }
  }

  /** Runs with the store locked; {@code Unavailable} when the lock is not had in time. */
  final <T> T locked(Deadline deadline, Supplier<T> work) {
    boolean acquired = false;
    try {
      acquired = lock.tryLock(Math.max(0, deadline.remaining().toNanos()), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Unavailable("interrupted while waiting for the store; nothing was written", e);
    }
    if (!acquired) {
      throw new Unavailable("the deadline came before the store's lock", null);
    }
    try {
      if (deadline.isOver()) {
        throw new Unavailable("the deadline is over; nothing was written", null);
      }
      return work.get();
    } finally {
      lock.unlock();
    }
  }

  /** The rows; only within {@link #locked}. */
  final MemoryRows rows() {
    return rows;
  }

  /** The feed; only within {@link #locked}. */
  final MemoryFeed feed() {
    return feed;
  }

  /** The store's now, in whole microseconds. */
  Instant now() {
    return StoreTime.NOW.at(settings.clock().instant());
  }

  List<CommitOutcome> commit(List<Batch> batches, Deadline deadline) {
    return locked(
        deadline,
        () -> {
          awaitRows(batches, deadline);
          admit(batches);
          CommitOutcome[] outcomes = new CommitOutcome[batches.size()];
          for (int position : order(batches.size())) {
            outcomes[position] = commitOne(batches.get(position));
          }
          return Arrays.asList(outcomes);
        });
  }

  /** Refuses what will never be written, or not in this epoch, before anything is. */
  void admit(List<Batch> batches) {
    if (batches.size() > settings.limits().mergedBatches()) {
      throw new Rejected(
          "%,d batches in one call; %,d are allowed (mergedBatches)"
              .formatted(batches.size(), settings.limits().mergedBatches()));
    }
    for (Batch batch : batches) {
      batch
          .violates(settings.limits())
          .ifPresent(
              limit -> {
                throw new Rejected("commit " + batch.commitId() + ": " + limit);
              });
      if (!settings.storeClock() && StoreTimes.areUsedBy(batch)) {
        throw new Rejected(
            "commit "
                + batch.commitId()
                + ": this store has no clock (STORE_CLOCK): send instants, not notExpired or StoreTime");
      }
      if (batch.epoch() != epoch) {
        throw new Unavailable(
            "commit %s was read in epoch %d, the store is in %d: read again"
                .formatted(batch.commitId(), batch.epoch(), epoch),
            null);
      }
    }
  }

  private List<Integer> order(int size) {
    List<Integer> positions = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      positions.add(i);
    }
    switch (settings.commitOrder()) {
      case GIVEN -> {}
      case REVERSED -> Collections.reverse(positions);
      case SHUFFLED -> Collections.shuffle(positions, order);
    }
    return positions;
  }

  /** Judges and applies one batch. */
  CommitOutcome commitOne(Batch batch) {
    Instant now = now();
    List<Failed> failed = judge(batch, now);
    return failed.isEmpty() ? apply(batch, now) : conflict(failed);
  }

  /** The conditions that do not hold now. */
  List<Failed> judge(Batch batch, Instant now) {
    return new MemoryJudge(rows, batch, now).failed();
  }

  final Conflict conflict(List<Failed> failed) {
    if (settings.actualInConflicts()) {
      return new Conflict(failed);
    }
    return new Conflict(
        failed.stream()
            .map(one -> new Failed(one.key(), one.expectation(), Optional.empty()))
            .toList());
  }

  /** Writes a batch whose conditions hold. */
  CommitOutcome apply(Batch batch, Instant now) {
    String tenant = batch.scope().tenantId();
    batch.mutations().forEach(mutation -> vouch(tenant, mutation));
    Map<Key, Map<String, Instant>> resolved = new LinkedHashMap<>();
    for (Mutation mutation : batch.mutations()) {
      write(tenant, mutation, now, resolved);
    }
    return new Committed(batch.commitId(), resolved);
  }

  /** Refuses a before-image that would leave a broken index. */
  void vouch(String tenant, Mutation mutation) {
    rows.vouch(tenant, mutation);
  }

  /** Writes one mutation and, for a row of the feed, its feed entry. */
  final void write(
      String tenant, Mutation mutation, Instant now, Map<Key, Map<String, Instant>> resolved) {
    if (mutation instanceof Mutation.Delete delete) {
      rows.remove(tenant, delete.key());
      return;
    }
    Row after =
        mutation instanceof Mutation.Insert insert
            ? insert.after()
            : ((Mutation.Update) mutation).after();
    Map<String, Instant> times = StoreTimes.in(after, now);
    if (!times.isEmpty()) {
      resolved.put(after.key(), times);
    }
    Row stored = kept(StoreTimes.resolve(after, times));
    rows.put(tenant, stored);
    if (mutation instanceof Mutation.Insert && stored.type().feedRole() == FeedRole.RECORDS) {
      feed.inserted(tenant, stored, feedPosition());
    }
  }

  /** The place in the feed of a row that is written now. */
  long feedPosition() {
    return feed.nextPosition();
  }

  /** What is kept of a row. */
  Row kept(Row row) {
    return row;
  }

  PurgeOutcome purge(Purge purge, String tenant, Deadline deadline) {
    return locked(
        deadline,
        () -> {
          awaitRows(List.of(purge.batch()), deadline);
          admit(List.of(purge.batch()));
          Instant now = now();
          List<Failed> failed = judge(purge.batch(), now);
          if (!failed.isEmpty()) {
            return new PurgeOutcome.Conflict(conflict(failed).failed());
          }
          List<Key> keys = rows.range(tenant, purge);
          Optional<FeedCursor> passed = feed.passed(tenant, keys, purge.notBeyond(), epoch);
          if (passed.isPresent()) {
            return new PurgeOutcome.HeldBack(passed.get());
          }
          apply(purge.batch(), now);
          remove(tenant, keys);
          return new PurgeOutcome.Purged(keys.size());
        });
  }

  /** Removes rows for ever and raises the feed's mark above them. */
  void remove(String tenant, List<Key> keys) {
    keys.forEach(key -> rows.remove(tenant, key));
    feed.purged(tenant, keys);
  }
}
