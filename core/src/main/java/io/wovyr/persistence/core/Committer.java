/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.CommitReference;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Committed;
import io.wovyr.persistence.CommitResult.Conflict;
import io.wovyr.persistence.CommitResult.Failure;
import io.wovyr.persistence.CommitResult.Joined;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.Resolution;
import io.wovyr.persistence.core.Sender.Judge;
import io.wovyr.persistence.core.Sender.Sent;
import io.wovyr.persistence.core.telemetry.Telemetry;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.storage.spi.CommitOutcome.Expectation;
import io.wovyr.persistence.storage.spi.CommitOutcome.Failed;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Enlisted;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Decides one unit of work: builds its batch on the heads as last seen, sends it, and on a refusal
 * either answers the caller or, when only things moved that do not concern it, builds it again on
 * the new heads. Every rebuilt batch is a new try under its own commit id, begun only when the
 * former can no longer apply. Used once, on one thread.
 */
final class Committer {
  private final Engine engine;
  private final Scope scope;
  private final String actor;
  private final StagedUnitOfWork work;
  private final Deadline deadline;
  private final Repeats repeats;
  private final Map<UUID, Row> heads = new LinkedHashMap<>();
  private final long epoch;
  private final Optional<JoinedTransaction> joined;

  /**
   * @param joined the JTA transaction that it becomes part of
   */
  Committer(
      Engine engine,
      Scope scope,
      String actor,
      StagedUnitOfWork work,
      Deadline deadline,
      Optional<JoinedTransaction> joined) {
    this.engine = engine;
    this.scope = scope;
    this.actor = actor;
    this.work = work;
    this.deadline = deadline;
    this.repeats = new Repeats(engine, scope);
    this.epoch = engine.epoch();
    this.joined = joined;
  }

  CommitResult commit() {
    try (Telemetry.Deciding deciding = engine.telemetry().commit(scope.tenantId())) {
      try {
        CommitResult result = underLeases();
        deciding.answered(result);
        return result;
      } catch (RuntimeException e) {
        deciding.failed(e);
        throw e;
      }
    }
  }

  private CommitResult underLeases() {
    List<HeldLease> leases = new ArrayList<>(work.edits().size());
    for (ExecutionEdit edit : work.edits()) {
      edit.lease().ifPresent(leases::add);
    }
    leases.sort(Comparator.comparing(HeldLease::executionId));
    List<HeldLease> locked = new ArrayList<>(leases.size());
    try {
      for (HeldLease lease : leases) {
        lease.lockWithin(deadline);
        locked.add(lease);
        lease.checkFree(joined.map(JoinedTransaction::key).orElse(null));
      }
      return decide();
    } finally {
      locked.forEach(lease -> lease.lock().unlock());
    }
  }

  private CommitResult decide() {
    List<Key> unknown = new ArrayList<>();
    for (ExecutionEdit edit : work.edits()) {
      staged(edit)
          .or(() -> edit.lease().map(HeldLease::row))
          .ifPresentOrElse(
              row -> heads.put(edit.executionId(), row),
              () -> unknown.add(headKey(edit.executionId())));
    }
    refresh(unknown);
    Backoff backoff = new Backoff(engine.settings());
    while (true) {
      Optional<CommitResult> early = beforeSending();
      if (early.isPresent()) {
        return early.get();
      }
      BatchPlan plan = new BatchPlan(engine, scope, actor, work, epoch, heads);
      if (plan.hasLargeValues()) {
        // What was committed before is not written once more to find that out.
        Optional<CommitResult> before = repeated();
        if (before.isPresent()) {
          return before.get();
        }
      }
      plan.writeLargeValues(joined, deadline);
      long sentAt = engine.nanoTime().getAsLong();
      work.callback().ifPresent(callback -> callback.accept(plan.reference().encode()));
      UnitJudge judge = new UnitJudge(plan.reference());
      Sent sent;
      try {
        sent =
            joined.isPresent()
                ? enlist(plan, judge)
                : engine.sender().send(plan.batch(), judge, deadline);
      } catch (Rejected e) {
        // Nothing was written: perhaps only what ends beside it was too much for one batch.
        plan.discardLargeValues();
        if (joined.isPresent() || !work.leftOpen().takeLess()) {
          throw e;
        }
        continue;
      }
      if (joined.isPresent() && sent instanceof Sent.Applied applied) {
        return joined(plan, applied, joined.get(), sentAt);
      }
      if (sent instanceof Sent.Applied applied) {
        return applied(plan, applied, sentAt);
      }
      plan.discardLargeValues();
      Optional<CommitResult> answer =
          sent instanceof Sent.Refused refused
              ? refused(refused.failed())
              : Optional.of(authorityLost());
      if (answer.isPresent()) {
        return answer.get();
      }
      if (!backoff.pause(deadline)) {
        throw new Unavailable(
            "nothing was written within the deadline: others changed the execution all the time",
            null);
      }
    }
  }

  private void refresh(List<Key> keys) {
    if (keys.isEmpty()) {
      return;
    }
    List<Optional<Row>> rows = engine.read(scope, keys);
    for (int i = 0; i < keys.size(); i++) {
      UUID id = (UUID) keys.get(i).values().get(0);
      Optional<Row> stored = rows.get(i);
      joined
          .flatMap(transaction -> transaction.head(scope, id))
          .or(() -> stored)
          .ifPresentOrElse(row -> heads.put(id, row), () -> heads.remove(id));
    }
  }

  /** The head as the JTA transaction that this becomes part of will leave it, if it changes it. */
  private Optional<Row> staged(ExecutionEdit edit) {
    return joined.flatMap(transaction -> transaction.head(scope, edit.executionId()));
  }

  /** Once: what the caller's transaction answers is final, and what breaks there ends it. */
  private Sent enlist(BatchPlan plan, UnitJudge judge) {
    Enlisted enlisted = engine.storage().enlist(plan.batch(), judge.until(deadline));
    if (enlisted instanceof Enlisted.Conflict conflict) {
      return new Sent.Refused(conflict.failed());
    }
    return new Sent.Applied(((Enlisted.Applied) enlisted).resolved(), false);
  }

  private CommitResult joined(
      BatchPlan plan, Sent.Applied applied, JoinedTransaction transaction, long sentAt) {
    Map<UUID, Row> stored = stored(plan, applied);
    for (ExecutionEdit edit : work.edits()) {
      Row after = stored.get(edit.executionId());
      if (edit.lease().isPresent() && after != null) {
        boolean gives = edit.closes() || edit.release().isPresent();
        boolean sawAll = edit.mode() instanceof Append.Sequence;
        transaction.stepped(
            edit.lease().get(), new JoinedTransaction.Step(after, sawAll, sentAt, gives));
      }
    }
    stored.values().forEach(head -> transaction.changed(scope, head));
    plan.published().forEach(value -> transaction.published(scope, value));
    for (StagedUnitOfWork.Plain change : work.plain().values()) {
      Row after = change.after();
      if (after != null && after.type() == RecordTypes.COMPENSATION) {
        transaction.wrote(scope, after);
      }
    }
    return new Joined(plan.reference().encode(), plan.commitId(), plan.records(stored.values()));
  }

  /** What can be answered from the heads as seen, without sending anything. */
  private Optional<CommitResult> beforeSending() {
    for (ExecutionEdit edit : work.edits()) {
      Optional<CommitResult> answer = beforeSending(edit);
      if (answer.isPresent()) {
        return answer;
      }
    }
    Optional<CommitResult> pushed = pushed();
    if (pushed.isEmpty()) {
      work.leftOpen().stage(work, work.endedFromOutside());
    }
    return pushed;
  }

  /** What is higher now than what it was decided by; a later one moves the head as well. */
  private Optional<CommitResult> pushed() {
    for (Map.Entry<UUID, Integer> seen : work.tops().entrySet()) {
      int top = Math.max(work.top(seen.getKey()), work.joinedTop(seen.getKey()));
      if (top > seen.getValue()) {
        Key key = Key.of(RecordTypes.COMPENSATION, seen.getKey(), top);
        return repeated()
            .or(
                () ->
                    conflict(
                        Reason.STALE_VERSION,
                        key,
                        "it was pushed since, and is to be undone first: ask for the next again"));
      }
    }
    return Optional.empty();
  }

  private Optional<CommitResult> beforeSending(ExecutionEdit edit) {
    Key key = headKey(edit.executionId());
    if (!isHeld(edit) || isElsewhere(edit)) {
      refresh(List.of(key));
    }
    Row head = heads.get(edit.executionId());
    if (head == null) {
      return conflict(Reason.NOT_FOUND, key, "there is no such execution");
    }
    if (staged(edit).isEmpty()) {
      adoptOrLose(edit, head);
    } else if (edit.lease().isPresent() && joined.get().hasMore(edit.lease().get(), head)) {
      edit.lease().get().sawMore();
    }
    boolean held = isHeld(edit);
    boolean closed = Boolean.TRUE.equals(head.get("closed"));
    if (held && !closed && !isElsewhere(edit)) {
      return Optional.empty();
    }
    return repeated()
        .or(
            () -> {
              if (closed) {
                return conflict(Reason.CLOSED, key, "the execution is finished");
              }
              String last = "the last event is " + BatchPlan.lastSequence(head);
              return held
                  ? conflict(Reason.WRONG_SEQUENCE, key, last)
                  : edit.lease().map(Committer::lost);
            });
  }

  /** A head that was read again is built upon only while the lease still stands on it. */
  private static void adoptOrLose(ExecutionEdit edit, Row head) {
    edit.lease()
        .ifPresent(
            lease -> {
              if (lease.holds(head)) {
                lease.adopt(head);
              } else {
                lease.lose();
              }
            });
  }

  private boolean isHeld(ExecutionEdit edit) {
    return edit.lease()
        .map(lease -> isHeld(lease) && staged(edit).map(lease::holds).orElse(true))
        .orElse(true);
  }

  private boolean isElsewhere(ExecutionEdit edit) {
    Row head = heads.get(edit.executionId());
    return edit.mode() instanceof Append.Sequence sequence
        && (head == null || sequence.last() != BatchPlan.lastSequence(head));
  }

  private boolean isHeld(HeldLease lease) {
    if (lease.epoch() != epoch) {
      lease.lose();
    }
    return lease.isHeld();
  }

  private CommitResult applied(BatchPlan plan, Sent.Applied applied, long sentAt) {
    Map<UUID, Row> stored = stored(plan, applied);
    for (ExecutionEdit edit : work.edits()) {
      if (edit.lease().isEmpty()) {
        continue;
      }
      HeldLease lease = edit.lease().get();
      if (edit.closes() || edit.release().isPresent()) {
        lease.lose();
        continue;
      }
      Row after = plan.headsAfter().get(edit.executionId());
      if (after == null) {
        throw new IllegalStateException("no head of execution " + edit.executionId());
      }
      Row now = stored.get(edit.executionId());
      if (now != null && (!applied.recognised() || lease.holds(now))) {
        lease.stepped(after, now, edit.mode() instanceof Append.Sequence, sentAt);
      } else {
        lease.lose();
      }
    }
    return new Committed(plan.commitId(), plan.records(stored.values()));
  }

  /**
   * The heads as stored. Those of a batch that was only recognised afterwards are read again, since
   * the store alone knows their instants; others may have moved them on meanwhile.
   */
  private Map<UUID, Row> stored(BatchPlan plan, Sent.Applied applied) {
    Map<UUID, Row> stored = new LinkedHashMap<>();
    if (applied.recognised()) {
      List<Key> keys = plan.headsAfter().values().stream().map(Row::key).toList();
      for (Optional<Row> row : engine.read(scope, keys)) {
        row.ifPresent(head -> stored.put((UUID) head.key().values().get(0), head));
      }
    } else {
      plan.headsAfter()
          .forEach((id, after) -> stored.put(id, LeaseWriter.resolve(after, applied.resolved())));
    }
    return stored;
  }

  private CommitResult authorityLost() {
    return work.edits().stream()
        .flatMap(edit -> edit.lease().stream())
        .filter(lease -> !lease.isHeld())
        .findFirst()
        .map(Committer::lost)
        .orElseThrow(() -> new IllegalStateException("authority lost without a lost lease"));
  }

  private static CommitResult lost(HeldLease lease) {
    Failure failure =
        lease.hasRunOut()
            ? new Failure(
                Reason.LEASE_EXPIRED,
                lease.row().key().toString(),
                "the lease of worker " + lease.worker() + " ran out: acquire again, load again")
            : new Failure(
                Reason.LEASE_LOST,
                lease.row().key().toString(),
                "the lease with token " + lease.token() + " is not held any more");
    return new Conflict(List.of(failure));
  }

  /** The answer to a refusal; empty to build the batch again on the heads as they are now. */
  private Optional<CommitResult> refused(List<Failed> failed) {
    Optional<CommitResult> repeated = repeated();
    if (repeated.isPresent()) {
      return repeated;
    }
    Map<UUID, Row> before = Map.copyOf(heads);
    refresh(work.edits().stream().map(edit -> headKey(edit.executionId())).toList());
    List<Failure> failures = new ArrayList<>();
    boolean moved = false;
    for (ExecutionEdit edit : work.edits()) {
      Row was = before.get(edit.executionId());
      Row is = heads.get(edit.executionId());
      leaseFailure(edit, is, failed).ifPresent(failures::add);
      moved |= was == null || is == null || was.version() != is.version();
    }
    if (failures.isEmpty()) {
      for (Failed one : failed) {
        recordFailure(one).ifPresent(failures::add);
      }
    }
    if (!failures.isEmpty()) {
      return Optional.of(new Conflict(failures));
    }
    if (!moved) {
      checkExplained(failed);
    }
    return Optional.empty();
  }

  /** The lease of an edit does not stand any more; otherwise goes on from the head as it is. */
  private Optional<Failure> leaseFailure(
      ExecutionEdit edit, @org.jspecify.annotations.Nullable Row head, List<Failed> failed) {
    if (edit.lease().isEmpty() || head == null) {
      return Optional.empty();
    }
    HeldLease lease = edit.lease().get();
    if (staged(edit).isPresent()) {
      return Optional.empty();
    }
    boolean closed = Boolean.TRUE.equals(head.get("closed"));
    if (!lease.holds(head)) {
      lease.lose();
      return Optional.of(
          new Failure(
              closed ? Reason.CLOSED : Reason.LEASE_LOST,
              head.key().toString(),
              closed
                  ? "the execution is finished"
                  : "token %d was overtaken by %d"
                      .formatted(lease.token(), FencedRows.token(head))));
    }
    boolean expired =
        failed.stream()
            .anyMatch(
                one ->
                    one.key().equals(head.key())
                        && one.expectation() instanceof Expectation.NotExpired);
    if (expired) {
      lease.runOut();
      return Optional.of(
          new Failure(
              Reason.LEASE_EXPIRED, head.key().toString(), "the store's clock says it ran out"));
    }
    lease.adopt(head);
    return Optional.empty();
  }

  /** What a failed condition on anything but a head means to the caller. */
  private Optional<Failure> recordFailure(Failed failed) {
    Key key = failed.key();
    boolean ownSequence =
        key.type() == RecordTypes.EVENT && !isUnique(failed) && !isCreated(key.values().get(0));
    boolean looksAgain =
        isOwnHead(key)
            || ownSequence
            || key.type() == RecordTypes.COMMIT_MARKER
            || key.type() == RecordTypes.LARGE_VALUE
            || work.leftOpen().ends(key);
    if (looksAgain) {
      joined.ifPresent(transaction -> work.leftOpen().leave(key));
      return Optional.empty();
    }
    if (failed.expectation() instanceof Expectation.UniqueKeyFree unique) {
      String what =
          key.type() == RecordTypes.EVENT
              ? "it was told before, with other content or other changes beside it: a change that is"
                  + " handed over again is the one that was made then"
              : "another record holds the same " + unique.name();
      return Optional.of(new Failure(Reason.UNIQUE_KEY_TAKEN, key.toString(), what));
    }
    if (failed.expectation() instanceof Expectation.Absent) {
      return Optional.of(
          new Failure(
              Reason.ALREADY_EXISTS, key.toString(), "it is there already, with other content"));
    }
    boolean gone = failed.actual().isEmpty() && !engine.exists(scope, key);
    return Optional.of(
        gone
            ? new Failure(Reason.NOT_FOUND, key.toString(), "it is not there")
            : new Failure(
                Reason.STALE_VERSION,
                key.toString(),
                "expected " + failed.expectation() + ": read it again and decide again"));
  }

  private boolean isOwnHead(Key key) {
    return key.type() == RecordTypes.HEAD
        && work.edits().stream().anyMatch(edit -> edit.executionId().equals(key.values().get(0)));
  }

  private boolean isCreated(Object executionId) {
    return work.creations().stream().anyMatch(creation -> creation.id().equals(executionId));
  }

  private static boolean isUnique(Failed failed) {
    return failed.expectation() instanceof Expectation.UniqueKeyFree;
  }

  /** A refusal with nothing moved must be one that passes by itself, else the store is broken. */
  private void checkExplained(List<Failed> failed) {
    for (Failed one : failed) {
      if (one.key().type() == RecordTypes.EVENT
          && one.expectation() instanceof Expectation.Absent
          && engine.read(scope, one.key()).isPresent()) {
        throw new Corrupt(
            one.key() + " is there, but the head of its execution does not know it", null);
      }
    }
  }

  /** The whole unit of work was committed before: the answer it got then. */
  private Optional<CommitResult> repeated() {
    Optional<Committed> found = repeats.of(work);
    if (found.isPresent() && joined.isEmpty() && freesLeases()) {
      found = repeats.of(work);
    }
    return found.map(CommitResult.class::cast);
  }

  /**
   * What was committed before, under another lease, is asked for again under one that is held now
   * and that it would free: it is freed. Whether any was.
   */
  private boolean freesLeases() {
    boolean freed = false;
    for (ExecutionEdit edit : work.edits()) {
      Optional<HeldLease> held = edit.lease().filter(this::isHeld);
      if (held.isPresent() && edit.release().isPresent()) {
        StagedUnitOfWork freeing = work.another();
        freeing.release(held.get(), edit.release().get());
        freeing.commit(deadline);
        freed = true;
      }
    }
    return freed;
  }

  private static Optional<CommitResult> conflict(Reason reason, Key key, String message) {
    return Optional.of(new Conflict(List.of(new Failure(reason, key.toString(), message))));
  }

  private static Key headKey(UUID executionId) {
    return Key.of(RecordTypes.HEAD, executionId);
  }

  /** Judges the tries of one batch by its witness. */
  private final class UnitJudge implements Judge {
    private final Reference reference;

    UnitJudge(Reference reference) {
      this.reference = reference;
    }

    @Override
    public boolean mayWrite() {
      for (ExecutionEdit edit : work.edits()) {
        if (edit.lease().isPresent() && !edit.lease().get().isHeld()) {
          return false;
        }
      }
      return true;
    }

    /** A store that makes the write wait must not let it through when the lease is over. */
    @Override
    public Deadline until(Deadline commit) {
      Deadline earliest = commit;
      for (ExecutionEdit edit : work.edits()) {
        if (edit.lease().isPresent()) {
          earliest = earliest.atMost(edit.lease().get().remaining());
        }
      }
      return earliest;
    }

    /**
     * A version that moved never comes back, so after such a refusal looking is enough. A taken key
     * may become free again: then a write makes sure that the former try cannot win any more.
     */
    @Override
    public boolean applied(List<Failed> refused, Deadline until) {
      boolean isFinal =
          refused.stream()
              .anyMatch(
                  one ->
                      one.expectation() instanceof Expectation.VersionIs
                          && one.key().type() == RecordTypes.HEAD);
      if (isFinal) {
        return engine.outcomes().witnessed(scope, reference);
      }
      Resolution resolution = engine.outcomes().settle(scope, reference, actor, until);
      if (resolution == Resolution.UNDECIDED) {
        throw new Unavailable("the witness of the commit is not there any more", null);
      }
      return resolution == Resolution.APPLIED;
    }

    @Override
    public Optional<CommitReference> reference() {
      return Optional.of(reference.encode());
    }
  }
}
