/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.Change;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.Permission;
import io.wovyr.persistence.PersistenceException.IllegalTransition;
import io.wovyr.persistence.compensation.CompensationRecord;
import io.wovyr.persistence.compensation.CompensationStatus;
import io.wovyr.persistence.compensation.Compensations;
import io.wovyr.persistence.compensation.NewCompensation;
import io.wovyr.persistence.core.payload.Attempt;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.retry.FailedAttempt;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Scan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

/** Compensation stacks of one tenant. Thread-safe. */
final class CoreCompensations implements Compensations {
  private static final int PAGE = 200;

  private final TenantAccess access;

  CoreCompensations(TenantAccess access) {
    this.access = access;
  }

  @Override
  public Change push(UUID executionId, NewCompensation compensation) {
    access.require(Permission.WORK);
    var header = TenantAccess.unsavedHeader();
    Instant now = access.now();
    int stored = highest(executionId);
    return access.change(
        unit -> {
          int position =
              TenantAccess.after(
                  Math.max(
                      stored,
                      Math.max(highestStaged(unit, executionId), unit.joinedTop(executionId))),
                  "the compensation stack of execution " + executionId);
          unit.insertRecord(
              new CompensationRecord(
                  header,
                  executionId,
                  position,
                  compensation.activityId(),
                  compensation.action(),
                  CompensationStatus.REGISTERED,
                  0,
                  compensation.metadata(),
                  now,
                  Optional.empty(),
                  Optional.empty(),
                  Optional.empty(),
                  Optional.empty(),
                  access.seal(key(executionId, position), header, "input", compensation.input()),
                  Optional.empty(),
                  Optional.empty()));
        });
  }

  /** A position is taken by an entry that cannot be read here, too. */
  private int highest(UUID executionId) {
    return access.highestNumber(Scan.byKey(RecordTypes.COMPENSATION, List.of(executionId), 1));
  }

  private static int highestStaged(StagedUnitOfWork unit, UUID executionId) {
    return unit.plain().keySet().stream()
        .filter(key -> key.type() == RecordTypes.COMPENSATION)
        .filter(key -> key.values().get(0).equals(executionId))
        .mapToInt(key -> (Integer) key.values().get(1))
        .max()
        .orElse(0);
  }

  @Override
  public Optional<CompensationRecord> next(UUID executionId) {
    access.require(Permission.READ);
    return topFirst(executionId).filter(entry -> !entry.status().isDone()).findFirst();
  }

  /** None is passed over: what cannot be read may have to be undone before those below it. */
  private Stream<CompensationRecord> topFirst(UUID executionId) {
    return access.all(
        CompensationRecord.class,
        Scan.byKey(RecordTypes.COMPENSATION, List.of(executionId), PAGE).descending());
  }

  @Override
  public Change start(CompensationRecord before) {
    access.require(Permission.WORK);
    List<CompensationRecord> above = above(before);
    Draft draft =
        before.status() == CompensationStatus.RUNNING
            ? new Draft(before, CompensationStatus.RUNNING)
            : moved(before, CompensationStatus.RUNNING);
    draft.attempts = TenantAccess.after(before.attempts(), "the attempts of " + key(before));
    draft.startedAt = before.startedAt().or(() -> Optional.of(access.now()));
    draft.nextAttemptAt = Optional.empty();
    CompensationRecord after = draft.build();
    return access.change(
        unit -> {
          NavigableMap<Integer, CompensationRecord> higher = higher(unit, before, above);
          higher.values().stream()
              .filter(entry -> !entry.status().isDone())
              .forEach(entry -> requireDone(unit, entry, before));
          unit.updateRecord(before, after);
          unit.requireTop(
              before.executionId(), higher.isEmpty() ? before.position() : higher.lastKey());
        });
  }

  private List<CompensationRecord> above(CompensationRecord entry) {
    return topFirst(entry.executionId())
        .takeWhile(other -> other.position() > entry.position())
        .toList();
  }

  /** The entries above one, by position, as the JTA transaction of the caller will leave them. */
  private static NavigableMap<Integer, CompensationRecord> higher(
      StagedUnitOfWork unit, CompensationRecord entry, List<CompensationRecord> stored) {
    NavigableMap<Integer, CompensationRecord> higher = new TreeMap<>();
    stored.forEach(one -> higher.put(one.position(), one));
    unit.joined(entry.executionId()).stream()
        .filter(one -> one.position() > entry.position())
        .forEach(one -> higher.put(one.position(), one));
    return higher;
  }

  /** A unit of work sees what was staged in it before. */
  private static void requireDone(
      StagedUnitOfWork unit, CompensationRecord above, CompensationRecord wanted) {
    boolean done =
        unit.staged(CompensationRecord.class, above)
            .map(staged -> staged.status().isDone())
            .orElse(false);
    if (!done) {
      throw new IllegalTransition(
          "compensation %d of execution %s cannot begin: %d is to be undone before it"
              .formatted(wanted.position(), wanted.executionId(), above.position()));
    }
  }

  @Override
  public Change complete(CompensationRecord before, Optional<Payload> result) {
    access.require(Permission.WORK);
    Draft draft = moved(before, CompensationStatus.COMPENSATED);
    draft.finishedAt = Optional.of(access.now());
    draft.result = sealed(before, "result", result);
    return staged(before, draft);
  }

  @Override
  public Change fail(
      CompensationRecord before,
      String errorType,
      Payload reason,
      Optional<Instant> nextAttemptAt) {
    access.require(Permission.WORK);
    Optional<Instant> again =
        nextAttemptAt.map(next -> Inputs.calendar("the time of the next attempt", next));
    Draft draft = moved(before, CompensationStatus.FAILED);
    draft.lastError = Optional.of(Inputs.name("error type", errorType));
    Instant now = access.now();
    draft.failure =
        ended(
            before,
            new Attempt(
                Attempt.End.FAILED,
                before.attempts(),
                now,
                errorType,
                again.map(next -> delay(now, next)),
                Optional.of(reason)));
    draft.nextAttemptAt = again;
    return staged(before, draft);
  }

  @Override
  public Change skip(CompensationRecord before, Payload reason) {
    access.require(Permission.WORK);
    Draft draft = moved(before, CompensationStatus.SKIPPED);
    Instant now = access.now();
    draft.finishedAt = Optional.of(now);
    draft.failure =
        ended(
            before,
            new Attempt(
                Attempt.End.LEFT,
                before.attempts(),
                now,
                "",
                Optional.empty(),
                Optional.of(reason)));
    draft.nextAttemptAt = Optional.empty();
    return staged(before, draft);
  }

  private Optional<StoredPayload> ended(CompensationRecord before, Attempt attempt) {
    AttemptHistory.checked(attempt.reason().orElseThrow());
    return sealed(before, "failure", Optional.of(attempts(before).with(attempt)));
  }

  private static Duration delay(Instant now, Instant next) {
    return next.isBefore(now) ? Duration.ZERO : Duration.between(now, next);
  }

  /**
   * What a reason tells of that was stored before there were histories: the newest try that failed,
   * or why the entry was left as it is. When that was, its last change is nearest to.
   */
  private static Function<Payload, Attempt> bare(CompensationRecord entry) {
    boolean left = entry.status() == CompensationStatus.SKIPPED;
    boolean since = !left && entry.status() != CompensationStatus.FAILED;
    return reason ->
        new Attempt(
            left ? Attempt.End.LEFT : Attempt.End.FAILED,
            since ? Math.max(1, entry.attempts() - 1) : entry.attempts(),
            entry.header().updatedAt(),
            left ? "" : entry.lastError().orElse(""),
            Optional.empty(),
            Optional.of(reason));
  }

  @Override
  public CommitResult resume(UUID executionId) {
    access.require(Permission.OPERATE);
    access
        .find(WorkflowExecution.class, executionId)
        .filter(execution -> execution.status() != ExecutionStatus.COMPENSATING)
        .ifPresent(
            execution -> {
              throw new IllegalTransition(
                  "execution %s is %s, not COMPENSATING: there is no rollback to go on with"
                      .formatted(executionId, execution.status()));
            });
    return access
        .unit()
        .appendSystem(
            executionId,
            Append.signal("compensation-resumed/" + UUID.randomUUID()),
            SystemEvents.compensationResumed())
        .commit();
  }

  private static Draft moved(CompensationRecord before, CompensationStatus to) {
    if (!before.status().next().contains(to)) {
      throw new IllegalTransition(
          "compensation %d of execution %s is %s and cannot become %s; possible: %s"
              .formatted(
                  before.position(),
                  before.executionId(),
                  before.status(),
                  to,
                  before.status().next()));
    }
    return new Draft(before, to);
  }

  private Change staged(CompensationRecord before, Draft draft) {
    CompensationRecord after = draft.build();
    return access.change(unit -> unit.updateRecord(before, after));
  }

  private Optional<StoredPayload> sealed(
      CompensationRecord entry, String attribute, Optional<Payload> value) {
    return access.seal(key(entry), entry.header(), attribute, value);
  }

  @Override
  public Optional<CompensationRecord> find(UUID executionId, int position) {
    access.require(Permission.READ);
    return access.find(CompensationRecord.class, executionId, position);
  }

  @Override
  public List<CompensationRecord> all(UUID executionId) {
    access.require(Permission.READ);
    return topFirst(executionId).toList();
  }

  @Override
  public Page<CompensationRecord> stack(UUID executionId, int limit, Optional<String> after) {
    access.require(Permission.READ);
    Pages.checkLimit(limit);
    return access.page(
        CompensationRecord.class,
        Scan.byKey(RecordTypes.COMPENSATION, List.of(executionId), limit)
            .descending()
            .after(after));
  }

  @Override
  public Page<CompensationRecord> list(
      CompensationStatus status, int limit, Optional<String> after) {
    access.require(Permission.READ);
    Pages.checkLimit(limit);
    return access.page(
        CompensationRecord.class,
        Scan.byPath(RecordTypes.COMPENSATION, "by_status", List.of(status.name()), limit)
            .after(after));
  }

  @Override
  public Optional<Payload> input(CompensationRecord entry) {
    return opened(entry, "input", entry.input());
  }

  @Override
  public Optional<Payload> result(CompensationRecord entry) {
    return opened(entry, "result", entry.result());
  }

  @Override
  public Optional<Payload> failure(CompensationRecord entry) {
    return attempts(entry).newestReason();
  }

  @Override
  public List<FailedAttempt> history(CompensationRecord entry) {
    return attempts(entry).failed();
  }

  private AttemptHistory attempts(CompensationRecord entry) {
    return new AttemptHistory(
        access, key(entry), entry.header(), "failure", entry.failure(), bare(entry));
  }

  private Optional<Payload> opened(
      CompensationRecord entry, String attribute, Optional<StoredPayload> stored) {
    return access.open(key(entry), entry.header(), attribute, stored);
  }

  private static Key key(CompensationRecord entry) {
    return key(entry.executionId(), entry.position());
  }

  private static Key key(UUID executionId, int position) {
    return Key.of(RecordTypes.COMPENSATION, executionId, position);
  }

  /** The next version of an entry, in the making. */
  private static final class Draft {
    private final CompensationRecord before;
    private final CompensationStatus status;
    private int attempts;
    private Optional<Instant> startedAt;
    private Optional<Instant> finishedAt;
    private Optional<Instant> nextAttemptAt;
    private Optional<String> lastError;
    private Optional<StoredPayload> result;
    private Optional<StoredPayload> failure;

    Draft(CompensationRecord before, CompensationStatus status) {
      this.before = before;
      this.status = status;
      attempts = before.attempts();
      startedAt = before.startedAt();
      finishedAt = before.finishedAt();
      nextAttemptAt = before.nextAttemptAt();
      lastError = before.lastError();
      result = before.result();
      failure = before.failure();
    }

    CompensationRecord build() {
      return new CompensationRecord(
          before.header(),
          before.executionId(),
          before.position(),
          before.activityId(),
          before.action(),
          status,
          attempts,
          before.metadata(),
          before.registeredAt(),
          startedAt,
          finishedAt,
          nextAttemptAt,
          lastError,
          before.input(),
          result,
          failure);
    }
  }
}
