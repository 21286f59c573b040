/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.memory;

import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.CommitOutcome.Committed;
import io.wovyr.persistence.storage.spi.CommitOutcome.Conflict;
import io.wovyr.persistence.storage.spi.CommitOutcome.Expectation;
import io.wovyr.persistence.storage.spi.CommitOutcome.Failed;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.ForwardingStorage;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Storage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** Stores that write what they must not, or not what they must. */
final class BrokenWrites {
  private BrokenWrites() {}

  static List<Broken> all() {
    return List.of(
        Broken.handle(
            "mutations are written one by one",
            "Atomicity",
            "aFailedMutationAnywhereInTheBatchLeavesNothing",
            OneByOne::new),
        Broken.store(
                "readers see half a batch",
                "Atomicity",
                "aPageNeverShowsHalfABatch",
                HalfVisible::new)
            .raced(),
        Broken.store(
            "versions are not compared",
            "Guards",
            "anUpdateOfAStaleVersionConflicts",
            settings ->
                new Forgiving(
                    settings,
                    failed ->
                        failed.expectation() instanceof Expectation.VersionIs
                            && failed.actual().isPresent())),
        Broken.store(
            "checks are ignored",
            "Guards",
            "aCheckHoldsOrConflictsAndChangesNothing",
            settings -> new Judging(settings, batch -> only(batch, batch.mutations()))),
        Broken.store(
            "only the first head is guarded",
            "Guards",
            "everyHeadOfABatchIsGuarded",
            settings ->
                new Judging(
                    settings,
                    batch ->
                        new Batch(
                            batch.commitId(),
                            batch.epoch(),
                            batch.scope(),
                            Optional.empty(),
                            batch.mutations().stream().limit(1).toList(),
                            batch.checks()))),
        Broken.store(
            "an update of a missing row inserts it",
            "Guards",
            "anUpdateOrDeleteOfAMissingRowConflictsAndWritesNothing",
            settings ->
                new Forgiving(
                    settings,
                    failed ->
                        failed.expectation() instanceof Expectation.VersionIs
                            && failed.actual().isEmpty())),
        Broken.store(
            "the later time wins", "Guards", "c010TheVersionDecidesNeverATime", LaterWins::new),
        Broken.store(
            "unique keys are ignored",
            "Unique keys",
            "anInsertOfATakenEntryConflicts",
            settings ->
                new Forgiving(
                    settings, failed -> failed.expectation() instanceof Expectation.UniqueKeyFree)),
        Broken.store(
            "unique keys are not guarded on update",
            "Unique keys",
            "anUpdateToATakenEntryConflicts",
            UniqueOnInsertOnly::new),
        Broken.store(
            "unique names differ by case only in vain",
            "Unique keys",
            "entriesDifferInEveryCharacter",
            CaseFolding::new),
        Broken.store(
                "unique keys are looked up before the lock",
                "Unique keys",
                "exactlyOneOfManyClaimsTheSameEntry",
                settings ->
                    new JudgedBeforeTheLock(
                        settings,
                        failed -> failed.expectation() instanceof Expectation.UniqueKeyFree))
            .raced(),
        Broken.store(
            "a taken key is passed over in silence",
            "Sequences",
            "c003OneOfTwentyAppendsAtTheSameVersionWins",
            settings -> new DoNothingOnConflict(settings, failed -> true)),
        Broken.store(
            "the second event of a number vanishes",
            "Sequences",
            "aTakenSequenceConflictsAndKeepsTheFirstEvent",
            settings ->
                new DoNothingOnConflict(
                    settings, failed -> failed.expectation() instanceof Expectation.Absent)),
        Broken.store(
                "keys are looked up before the lock",
                "Sequences",
                "c012ExactlyOneOfManyInsertsTheSameNumber",
                settings ->
                    new JudgedBeforeTheLock(
                        settings, failed -> failed.expectation() instanceof Expectation.Absent))
            .raced(),
        Broken.store(
                "versions are compared before the lock: a lost update",
                "Takeover",
                "exactlyOneOfManyTakesAnExecution",
                settings ->
                    new JudgedBeforeTheLock(
                        settings, failed -> failed.expectation() instanceof Expectation.VersionIs))
            .raced(),
        Broken.store(
            "two batches of one call overwrite each other",
            "Atomicity",
            "twoBatchesOfOneCallOnTheSameBeforeImageHaveOneWinner",
            JudgesTheWholeCallFirst::new),
        Broken.store(
            "a resubmission is applied again",
            "Idempotent resubmission",
            "theSameBatchAgainIsAConflictWhoseWitnessCarriesTheCommit",
            AppliesAgain::new),
        Broken.store(
            "a resubmission is applied again after an unknown outcome",
            "Faults at commit",
            "everyUnknownOutcomeResolvesToOneApplication",
            AppliesAgain::new),
        Broken.store(
            "the owner's name is the fence",
            "Fencing",
            "c079NothingGuardedByAFormerTokenApplies",
            OwnerIsTheFence::new));
  }

  private static Batch only(Batch batch, List<Mutation> mutations) {
    return new Batch(
        batch.commitId(),
        batch.epoch(),
        batch.scope(),
        batch
            .witness()
            .filter(key -> mutations.stream().anyMatch(mutation -> mutation.key().equals(key))),
        mutations,
        List.of());
  }

  private static final class OneByOne extends ForwardingStorage {
    OneByOne(Storage storage) {
      super(storage);
    }

    @Override
    public List<CommitOutcome> commit(List<Batch> batches, Deadline deadline) {
      return batches.stream().map(batch -> commitOneByOne(batch, deadline)).toList();
    }

    private CommitOutcome commitOneByOne(Batch batch, Deadline deadline) {
      Batch checks =
          new Batch(
              batch.commitId(),
              batch.epoch(),
              batch.scope(),
              Optional.empty(),
              List.of(),
              batch.checks());
      CommitOutcome last = delegate().commit(checks, deadline);
      for (Mutation mutation : batch.mutations()) {
        if (last instanceof Conflict) {
          return last;
        }
        last = delegate().commit(only(batch, List.of(mutation)), deadline);
      }
      return last;
    }
  }

  private static final class HalfVisible extends MemoryStore {
    HalfVisible(MemorySettings settings) {
      super(settings);
    }

    @Override
    List<CommitOutcome> commit(List<Batch> batches, Deadline deadline) {
      List<CommitOutcome> outcomes = new ArrayList<>();
      for (Batch batch : batches) {
        List<Failed> failed = locked(deadline, () -> judge(batch, now()));
        if (!failed.isEmpty()) {
          outcomes.add(conflict(failed));
          continue;
        }
        for (Mutation mutation : batch.mutations()) {
          locked(deadline, () -> apply(only(batch, List.of(mutation)), now()));
          LockSupport.parkNanos(200_000);
        }
        outcomes.add(new Committed(batch.commitId(), Map.of()));
      }
      return outcomes;
    }
  }

  /** Lets conditions of some kind pass. */
  private static final class Forgiving extends MemoryStore {
    private final Predicate<Failed> forgiven;

    Forgiving(MemorySettings settings, Predicate<Failed> forgiven) {
      super(settings);
      this.forgiven = forgiven;
    }

    @Override
    List<Failed> judge(Batch batch, Instant now) {
      return super.judge(batch, now).stream().filter(forgiven.negate()).toList();
    }

    @Override
    void vouch(String tenant, Mutation mutation) {}
  }

  /** Judges something else than it writes. */
  private static final class Judging extends MemoryStore {
    private final java.util.function.UnaryOperator<Batch> judged;

    Judging(MemorySettings settings, java.util.function.UnaryOperator<Batch> judged) {
      super(settings);
      this.judged = judged;
    }

    @Override
    List<Failed> judge(Batch batch, Instant now) {
      return super.judge(judged.apply(batch), now);
    }

    @Override
    void vouch(String tenant, Mutation mutation) {}
  }

  private static final class LaterWins extends MemoryStore {
    LaterWins(MemorySettings settings) {
      super(settings);
    }

    @Override
    Row kept(Row row) {
      Row stored = rows().find(row.header().tenantId(), row.key()).orElse(row);
      boolean earlier = row.header().updatedAt().isBefore(stored.header().updatedAt());
      return earlier ? stored : row;
    }
  }

  private static final class UniqueOnInsertOnly extends MemoryStore {
    UniqueOnInsertOnly(MemorySettings settings) {
      super(settings);
    }

    @Override
    List<Failed> judge(Batch batch, Instant now) {
      return super.judge(batch, now).stream()
          .filter(
              failed ->
                  !(failed.expectation() instanceof Expectation.UniqueKeyFree)
                      || batch.mutations().stream()
                          .anyMatch(
                              mutation ->
                                  mutation instanceof Mutation.Insert
                                      && mutation.key().equals(failed.key())))
          .toList();
    }
  }

  private static final class CaseFolding extends MemoryStore {
    CaseFolding(MemorySettings settings) {
      super(settings);
    }

    @Override
    List<Failed> judge(Batch batch, Instant now) {
      List<Failed> failed = new ArrayList<>(super.judge(batch, now));
      for (Mutation mutation : batch.mutations()) {
        if (mutation instanceof Mutation.Insert insert
            && insert.key().type() == RecordTypes.EXECUTION
            && insert.after().get("liveWorkflowId") instanceof String name
            && rows().table(batch.scope().tenantId(), RecordTypes.EXECUTION).values().stream()
                .anyMatch(row -> name.equalsIgnoreCase((String) row.get("liveWorkflowId")))) {
          failed.add(
              new Failed(
                  insert.key(), new Expectation.UniqueKeyFree("live_workflow"), Optional.empty()));
        }
      }
      return failed;
    }
  }

  /** Conditions of some kind are compared before the store is locked, and not again. */
  private static final class JudgedBeforeTheLock extends MemoryStore {
    private final Predicate<Failed> early;
    private static final ThreadLocal<List<Failed>> JUDGED = ThreadLocal.withInitial(List::of);

    JudgedBeforeTheLock(MemorySettings settings, Predicate<Failed> early) {
      super(settings);
      this.early = early;
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
            locked(deadline, () -> super.judge(batch, now()).stream().filter(early).toList()));
        LockSupport.parkNanos(50_000);
        outcomes.addAll(super.commit(List.of(batch), deadline));
      }
      return outcomes;
    }

    @Override
    List<Failed> judge(Batch batch, Instant now) {
      List<Failed> failed = new ArrayList<>(JUDGED.get());
      super.judge(batch, now).stream().filter(early.negate()).forEach(failed::add);
      return failed;
    }

    @Override
    void vouch(String tenant, Mutation mutation) {}
  }

  private static final class JudgesTheWholeCallFirst extends MemoryStore {
    JudgesTheWholeCallFirst(MemorySettings settings) {
      super(settings);
    }

    @Override
    List<CommitOutcome> commit(List<Batch> batches, Deadline deadline) {
      return batches.size() == 1
          ? super.commit(batches, deadline)
          : locked(deadline, () -> commitAll(batches));
    }

    private List<CommitOutcome> commitAll(List<Batch> batches) {
      admit(batches);
      List<List<Failed>> failed = batches.stream().map(batch -> judge(batch, now())).toList();
      List<CommitOutcome> outcomes = new ArrayList<>();
      for (int i = 0; i < batches.size(); i++) {
        outcomes.add(
            failed.get(i).isEmpty() ? apply(batches.get(i), now()) : conflict(failed.get(i)));
      }
      return outcomes;
    }
  }

  /** Answers "committed" for what it did not write. */
  private static final class DoNothingOnConflict extends MemoryStore {
    private final Predicate<Failed> swallowed;

    DoNothingOnConflict(MemorySettings settings, Predicate<Failed> swallowed) {
      super(settings);
      this.swallowed = swallowed;
    }

    @Override
    CommitOutcome commitOne(Batch batch) {
      List<Failed> failed = judge(batch, now());
      return !failed.isEmpty() && failed.stream().allMatch(swallowed)
          ? new Committed(batch.commitId(), Map.of())
          : super.commitOne(batch);
    }
  }

  private static final class AppliesAgain extends MemoryStore {
    private final Set<UUID> known = ConcurrentHashMap.newKeySet();

    AppliesAgain(MemorySettings settings) {
      super(settings);
    }

    @Override
    CommitOutcome commitOne(Batch batch) {
      if (!known.contains(batch.commitId())) {
        CommitOutcome outcome = super.commitOne(batch);
        if (outcome instanceof Committed) {
          known.add(batch.commitId());
        }
        return outcome;
      }
      for (Mutation mutation : batch.mutations()) {
        if (mutation instanceof Mutation.Update update) {
          Row stored = rows().find(batch.scope().tenantId(), update.key()).orElseThrow();
          Row again = update.after().with(stored.header().next(now(), "again"));
          rows().put(batch.scope().tenantId(), again);
        }
      }
      return new Committed(batch.commitId(), Map.of());
    }
  }

  private static final class OwnerIsTheFence extends MemoryStore {
    OwnerIsTheFence(MemorySettings settings) {
      super(settings);
    }

    @Override
    List<Failed> judge(Batch batch, Instant now) {
      return super.judge(batch, now).stream()
          .filter(failed -> !isOwnedByTheSame(batch, failed))
          .toList();
    }

    private static boolean isOwnedByTheSame(Batch batch, Failed failed) {
      return failed.actual().isPresent()
          && failed.expectation() instanceof Expectation.VersionIs
          && batch.mutations().stream()
              .filter(Mutation.Update.class::isInstance)
              .map(Mutation.Update.class::cast)
              .anyMatch(
                  update ->
                      update.key().equals(failed.key())
                          && update.before().type().has("owner")
                          && update.before().get("owner") != null
                          && failed.actual().get().get("owner") != null
                          && String.valueOf(update.before().get("owner"))
                              .equals(failed.actual().get().get("owner")));
    }
  }
}
