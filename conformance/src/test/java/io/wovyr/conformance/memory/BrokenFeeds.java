/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.memory;

import io.wovyr.persistence.PersistenceException.FeedTruncated;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.CommitOutcome.Conflict;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.FeedChunk;
import io.wovyr.persistence.storage.spi.ForwardingStorage;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Purge;
import io.wovyr.persistence.storage.spi.PurgeOutcome;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Stores whose feed skips, doubles, reorders or forgets. */
final class BrokenFeeds {
  private static final String FEED = "Feed";

  private BrokenFeeds() {}

  static List<Broken> all() {
    return List.of(
        Broken.both(
            "places are given out before the commit",
            FEED,
            "c001ARowThatCommitsLateIsNotPassedBy",
            EarlyPlaces::open),
        Broken.both(
                "places are given out before the commit, beside many writers",
                FEED,
                "c001AFollowerBesideManyWritersSeesEveryRowOnce",
                EarlyPlaces::open)
            .raced(),
        Broken.handle(
            "chunks are in no order",
            FEED,
            "keepsTheOrderOfEachExecution",
            storage ->
                new Changed(storage) {
                  @Override
                  List<FeedChunk.Entry> change(List<FeedChunk.Entry> entries) {
                    List<FeedChunk.Entry> reversed = new ArrayList<>(entries);
                    Collections.reverse(reversed);
                    return reversed;
                  }
                }),
        Broken.handle(
            "the row of a cursor is delivered again",
            FEED,
            "everyCursorIsAPlaceToGoOn",
            Again::new),
        Broken.store(
            "what was rolled back is delivered",
            FEED,
            "whatWasNotCommittedIsNotDeliveredAndHoldsNothingUp",
            DeliversConflicts::new),
        Broken.handle(
            "truncation is not reported",
            FEED,
            "aCursorBelowWhatWasPurgedIsRefused",
            storage ->
                new ForwardingStorage(storage) {
                  @Override
                  public FeedChunk feed(
                      Scope scope, Optional<FeedCursor> after, int limit, Deadline deadline) {
                    try {
                      return super.feed(scope, after, limit, deadline);
                    } catch (FeedTruncated e) {
                      return super.feed(scope, Optional.empty(), limit, deadline);
                    }
                  }
                }),
        Broken.handle(
            "an empty feed gives no place to go on from",
            FEED,
            "anEmptyFeedGivesThePlaceWhereItsReaderBegan",
            storage ->
                new ForwardingStorage(storage) {
                  @Override
                  public FeedChunk feed(
                      Scope scope, Optional<FeedCursor> after, int limit, Deadline deadline) {
                    FeedChunk chunk = super.feed(scope, after, limit, deadline);
                    return chunk.entries().isEmpty()
                        ? new FeedChunk(List.of(), after, chunk.stalledSince())
                        : chunk;
                  }
                }),
        Broken.handle(
            "old purges stop new readers",
            FEED,
            "whoBeginsAfterAPurgeReadsOnToTheEnd",
            OneMark::new),
        Broken.handle(
            "a tenant's feed is everybody's",
            FEED,
            "aTenantSeesItsOwnRowsAndTheSystemAll",
            storage ->
                new ForwardingStorage(storage) {
                  @Override
                  public FeedChunk feed(
                      Scope scope, Optional<FeedCursor> after, int limit, Deadline deadline) {
                    return super.feed(new Scope.System("mistake"), after, limit, deadline);
                  }
                }),
        Broken.handle(
            "a cursor is worth nothing to the next handle",
            FEED,
            "aCursorSurvivesReopening",
            OwnCursors::new));
  }

  /**
   * Takes the places in the feed when the call begins. Every other commit waits until readers came
   * by: so one of them passes it by, whichever thread the machine lets run.
   */
  private static final class EarlyPlaces extends MemoryStore {
    private static final ThreadLocal<List<Long>> PLACES = ThreadLocal.withInitial(ArrayList::new);
    private static final long LONGEST_NANOS = 20_000_000;

    private final AtomicLong commits = new AtomicLong();
    private final AtomicLong reads = new AtomicLong();

    private EarlyPlaces(MemorySettings settings) {
      super(settings);
    }

    static Broken.StoreAndHandles open(MemorySettings settings) {
      EarlyPlaces store = new EarlyPlaces(settings);
      return new Broken.StoreAndHandles(store, store::counted);
    }

    private Storage counted(Storage handle) {
      return new ForwardingStorage(handle) {
        @Override
        public FeedChunk feed(
            Scope scope, Optional<FeedCursor> after, int limit, Deadline deadline) {
          FeedChunk chunk = super.feed(scope, after, limit, deadline);
          reads.incrementAndGet();
          return chunk;
        }
      };
    }

    @Override
    List<CommitOutcome> commit(List<Batch> batches, Deadline deadline) {
      long events =
          batches.stream()
              .flatMap(batch -> batch.mutations().stream())
              .filter(mutation -> mutation.key().type() == RecordTypes.EVENT)
              .count();
      for (long i = 0; i < events; i++) {
        PLACES.get().add(locked(deadline, () -> feed().nextPosition()));
      }
      if (events > 0 && commits.getAndIncrement() % 2 == 0) {
        awaitReaders();
      }
      try {
        return super.commit(batches, deadline);
      } finally {
        PLACES.remove();
      }
    }

    private void awaitReaders() {
      long enough = reads.get() + 3;
      long until = System.nanoTime() + LONGEST_NANOS;
      while (reads.get() < enough && System.nanoTime() - until < 0) {
        LockSupport.parkNanos(50_000);
      }
    }

    @Override
    long feedPosition() {
      return PLACES.get().isEmpty() ? super.feedPosition() : PLACES.get().remove(0);
    }
  }

  /** Changes the entries of a chunk. */
  private abstract static class Changed extends ForwardingStorage {
    Changed(Storage storage) {
      super(storage);
    }

    abstract List<FeedChunk.Entry> change(List<FeedChunk.Entry> entries);

    @Override
    public FeedChunk feed(Scope scope, Optional<FeedCursor> after, int limit, Deadline deadline) {
      FeedChunk chunk = super.feed(scope, after, limit, deadline);
      List<FeedChunk.Entry> changed = new ArrayList<>();
      List<FeedChunk.Entry> rows = change(chunk.entries());
      for (int i = 0; i < rows.size(); i++) {
        changed.add(
            new FeedChunk.Entry(
                rows.get(i).tenantId(), rows.get(i).row(), chunk.entries().get(i).cursor()));
      }
      return new FeedChunk(changed, chunk.next(), chunk.stalledSince());
    }
  }

  /** Begins at the cursor's row instead of after it, once something follows. */
  private static final class Again extends ForwardingStorage {
    private final Map<FeedCursor, FeedChunk.Entry> delivered = new ConcurrentHashMap<>();

    Again(Storage storage) {
      super(storage);
    }

    @Override
    public FeedChunk feed(Scope scope, Optional<FeedCursor> after, int limit, Deadline deadline) {
      FeedChunk chunk = super.feed(scope, after, limit, deadline);
      chunk.entries().forEach(entry -> delivered.put(entry.cursor(), entry));
      Optional<FeedChunk.Entry> last = after.map(delivered::get);
      if (last.isEmpty() || chunk.entries().isEmpty() || chunk.entries().size() == limit) {
        return chunk;
      }
      List<FeedChunk.Entry> entries = new ArrayList<>(chunk.entries());
      entries.add(0, last.get());
      return new FeedChunk(entries, chunk.next(), chunk.stalledSince());
    }
  }

  private static final class DeliversConflicts extends MemoryStore {
    DeliversConflicts(MemorySettings settings) {
      super(settings);
    }

    @Override
    CommitOutcome commitOne(Batch batch) {
      CommitOutcome outcome = super.commitOne(batch);
      if (outcome instanceof Conflict) {
        for (Mutation mutation : batch.mutations()) {
          if (mutation instanceof Mutation.Insert insert
              && insert.key().type() == RecordTypes.EVENT) {
            feed().inserted(batch.scope().tenantId(), insert.after(), feedPosition());
          }
        }
      }
      return outcome;
    }
  }

  /** Refuses every cursor of a tenant that was ever purged, but the newest. */
  private static final class OneMark extends ForwardingStorage {
    private final Map<String, Boolean> purged = new ConcurrentHashMap<>();

    OneMark(Storage storage) {
      super(storage);
    }

    @Override
    public PurgeOutcome purge(Scope scope, Purge purge, Deadline deadline) {
      purged.put(scope.tenantId(), true);
      return super.purge(scope, purge, deadline);
    }

    @Override
    public FeedChunk feed(Scope scope, Optional<FeedCursor> after, int limit, Deadline deadline) {
      FeedChunk chunk = super.feed(scope, after, limit, deadline);
      if (after.isPresent() && purged.containsKey(scope.tenantId()) && !chunk.entries().isEmpty()) {
        throw new FeedTruncated("below the mark");
      }
      return chunk;
    }
  }

  /** Reads only the cursors that it gave out itself. */
  private static final class OwnCursors extends ForwardingStorage {
    private final String own = UUID.randomUUID() + "/";

    OwnCursors(Storage storage) {
      super(storage);
    }

    @Override
    public FeedChunk feed(Scope scope, Optional<FeedCursor> after, int limit, Deadline deadline) {
      FeedChunk chunk =
          super.feed(
              scope,
              after
                  .filter(cursor -> cursor.position().startsWith(own))
                  .map(cursor -> at(cursor, cursor.position().substring(own.length()))),
              limit,
              deadline);
      return new FeedChunk(
          chunk.entries().stream()
              .map(
                  entry ->
                      new FeedChunk.Entry(
                          entry.tenantId(),
                          entry.row(),
                          at(entry.cursor(), own + entry.cursor().position())))
              .toList(),
          chunk.entries().isEmpty()
              ? after
              : chunk.next().map(cursor -> at(cursor, own + cursor.position())),
          Optional.empty());
    }

    private static FeedCursor at(FeedCursor cursor, String position) {
      return new FeedCursor(cursor.epoch(), position);
    }
  }
}
