/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.memory;

import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.storage.spi.Attribute;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.CommitOutcome.Expectation;
import io.wovyr.persistence.storage.spi.CommitOutcome.Failed;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.ForwardingStorage;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StoreTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/** Stores whose clock, locks or limits are not what they say. */
final class BrokenTimes {
  private static final String CLOCK = "Expiry with a store clock";

  private BrokenTimes() {}

  static List<Broken> all() {
    AtomicInteger handles = new AtomicInteger();
    return List.of(
        Broken.store(
            "expiry is judged before waiting for the row",
            CLOCK,
            "c080ExpiryIsJudgedAfterWaitingForTheRow",
            EarlyClock::new),
        Broken.store(
            "expiry is judged by a clock that is an hour late",
            CLOCK,
            "c080AnExpiredLeaseWritesNothing",
            settings ->
                new MemoryStore(settings) {
                  @Override
                  List<Failed> judge(Batch batch, Instant now) {
                    return super.judge(batch, now.minus(Duration.ofHours(1)));
                  }
                }),
        Broken.store(
            "a takeover does not wait for the expiry",
            CLOCK,
            "aTakeoverWaitsForTheExpiry",
            settings ->
                new MemoryStore(settings) {
                  @Override
                  List<Failed> judge(Batch batch, Instant now) {
                    return super.judge(batch, now).stream()
                        .filter(failed -> !(failed.expectation() instanceof Expectation.Expired))
                        .toList();
                  }
                }),
        Broken.handle(
            "buckets round down",
            CLOCK,
            "bucketsRoundUp",
            storage ->
                new Timed(
                    storage,
                    time -> new StoreTime(time.plus().minus(time.bucket()), time.bucket()))),
        Broken.handle(
            "every handle has a clock of its own",
            CLOCK,
            "c081EveryHandleReadsTheSameClock",
            storage -> {
              Duration off = Duration.ofHours(handles.getAndIncrement());
              return new Timed(
                  storage, time -> new StoreTime(time.plus().plus(off), time.bucket()));
            }),
        Broken.handle(
            "a store without a clock guesses",
            "Expiry without a store clock",
            "refusesSymbolicInstants",
            Guessing::new),
        Broken.store(
            "no limit is enforced",
            "Limits",
            "aRecordAtTheLimitIsWrittenAndOneByteMoreIsRejected",
            settings ->
                new MemoryStore(settings) {
                  @Override
                  void admit(List<Batch> batches) {}
                }),
        Broken.store(
            "the limit itself is too much",
            "Limits",
            "aBatchAtTheLimitOfItemsIsWrittenAndOneMoreIsRejected",
            settings ->
                new MemoryStore(settings) {
                  @Override
                  void admit(List<Batch> batches) {
                    super.admit(batches);
                    if (batches.get(0).items(settings().limits())
                        == settings().limits().batchItems()) {
                      throw new io.wovyr.persistence.PersistenceException.Rejected("batchItems");
                    }
                  }
                }),
        Broken.handle(
            "limits are noticed when half is written",
            "Limits",
            "oneBatchBeyondALimitKeepsAllOfTheCallFromBeingWritten",
            storage ->
                new ForwardingStorage(storage) {
                  @Override
                  public List<CommitOutcome> commit(List<Batch> batches, Deadline deadline) {
                    return batches.size() > limits().mergedBatches()
                        ? super.commit(batches, deadline)
                        : batches.stream().map(one -> super.commit(one, deadline)).toList();
                  }
                }),
        Broken.handle(
            "rows are locked in the order of the batch",
            "Contention",
            "crossingBatchesAreAnsweredAndNeverBlockEachOther",
            new RowLocks()::around),
        Broken.store(
                "checks are looked up before the lock",
                "Contention",
                "aCheckedRowCannotChangeUnseen",
                EarlyChecks::new)
            .raced(),
        Broken.handle(
            "a deadline does not end the waiting",
            "Contention",
            "nobodyWaitsLongBeyondTheDeadline",
            storage ->
                new ForwardingStorage(storage) {
                  @Override
                  public List<CommitOutcome> commit(List<Batch> batches, Deadline deadline) {
                    return super.commit(
                        batches,
                        deadline.isOver() ? deadline : Deadline.after(Duration.ofMinutes(1)));
                  }
                }),
        Broken.handle(
            "a deadline that is over is not looked at",
            "Life cycle",
            "aCallWhoseDeadlineIsOverWritesNothing",
            storage ->
                new ForwardingStorage(storage) {
                  @Override
                  public List<CommitOutcome> commit(List<Batch> batches, Deadline deadline) {
                    return super.commit(
                        batches,
                        deadline.isOver() ? Deadline.after(Duration.ofMinutes(1)) : deadline);
                  }
                }),
        Broken.handle(
            "the epoch is not looked at",
            "Life cycle",
            "aBatchOfAnotherEpochIsRefused",
            storage ->
                new ForwardingStorage(storage) {
                  @Override
                  public List<CommitOutcome> commit(List<Batch> batches, Deadline deadline) {
                    return super.commit(
                        batches.stream().map(one -> ofEpoch(one, identity().epoch())).toList(),
                        deadline);
                  }
                }));
  }

  private static Batch ofEpoch(Batch batch, long epoch) {
    return new Batch(
        batch.commitId(), epoch, batch.scope(), batch.witness(), batch.mutations(), batch.checks());
  }

  /** Reads the clock when the call begins. */
  private static final class EarlyClock extends MemoryStore {
    private static final ThreadLocal<Instant> BEGUN = new ThreadLocal<>();

    EarlyClock(MemorySettings settings) {
      super(settings);
    }

    @Override
    List<CommitOutcome> commit(List<Batch> batches, Deadline deadline) {
      BEGUN.set(super.now());
      try {
        return super.commit(batches, deadline);
      } finally {
        BEGUN.remove();
      }
    }

    @Override
    Instant now() {
      Instant early = BEGUN.get();
      return early != null ? early : super.now();
    }
  }

  /** Changes symbolic instants on their way in. */
  private static final class Timed extends ForwardingStorage {
    private final UnaryOperator<StoreTime> change;

    Timed(Storage storage, UnaryOperator<StoreTime> change) {
      super(storage);
      this.change = change;
    }

    @Override
    public List<CommitOutcome> commit(List<Batch> batches, Deadline deadline) {
      return super.commit(
          batches.stream().map(batch -> BrokenRows.mapped(batch, this::changed)).toList(),
          deadline);
    }

    private Row changed(Row row) {
      Row changed = row;
      for (Attribute attribute : row.type().attributes()) {
        if (row.get(attribute.name()) instanceof StoreTime time) {
          changed = changed.with(attribute.name(), change.apply(time));
        }
      }
      return changed;
    }
  }

  /** Has a clock, says that it has none, and uses it all the same. */
  private static final class Guessing extends ForwardingStorage {
    Guessing(Storage storage) {
      super(storage);
    }

    @Override
    public Set<Capability> capabilities() {
      return Set.of(Capability.MERGED_COMMIT);
    }
  }

  /** A lock per row, taken in the order of the batch, held while committing. */
  private static final class RowLocks {
    private final Map<Key, ReentrantLock> locks = new ConcurrentHashMap<>();

    Storage around(Storage storage) {
      return new ForwardingStorage(storage) {
        @Override
        public List<CommitOutcome> commit(List<Batch> batches, Deadline deadline) {
          List<ReentrantLock> held = new ArrayList<>();
          try {
            for (Batch batch : batches) {
              batch.mutations().forEach(mutation -> held.add(lock(mutation.key(), deadline)));
            }
            return super.commit(batches, deadline);
          } finally {
            Collections.reverse(held);
            held.forEach(ReentrantLock::unlock);
          }
        }
      };
    }

    private ReentrantLock lock(Key key, Deadline deadline) {
      ReentrantLock lock = locks.computeIfAbsent(key, k -> new ReentrantLock());
      try {
        if (lock.tryLock(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS)) {
          LockSupport.parkNanos(20_000);
          return lock;
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      throw new Unavailable("deadlock", null);
    }
  }

  private static final class EarlyChecks extends MemoryStore {
    private static final ThreadLocal<List<Failed>> JUDGED = ThreadLocal.withInitial(List::of);

    EarlyChecks(MemorySettings settings) {
      super(settings);
    }

    private static Batch of(Batch batch, List<Mutation> mutations, List<Batch.VersionIs> checks) {
      return new Batch(
          batch.commitId(), batch.epoch(), batch.scope(), Optional.empty(), mutations, checks);
    }

    @Override
    List<CommitOutcome> commit(List<Batch> batches, Deadline deadline) {
      locked(
          deadline,
          () -> {
            admit(batches);
            return true;
          });
      List<CommitOutcome> outcomes = new ArrayList<>();
      for (Batch batch : batches) {
        JUDGED.set(
            locked(deadline, () -> super.judge(of(batch, List.of(), batch.checks()), now())));
        LockSupport.parkNanos(50_000);
        outcomes.addAll(super.commit(List.of(batch), deadline));
      }
      return outcomes;
    }

    @Override
    List<Failed> judge(Batch batch, Instant now) {
      List<Failed> failed = new ArrayList<>(JUDGED.get());
      failed.addAll(super.judge(of(batch, batch.mutations(), List.of()), now));
      return failed;
    }
  }
}
