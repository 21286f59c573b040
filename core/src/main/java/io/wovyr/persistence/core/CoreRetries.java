/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.Change;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Conflict;
import io.wovyr.persistence.CommitResult.Failure;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.Permission;
import io.wovyr.persistence.PersistenceException.IllegalTransition;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.core.payload.Attempt;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.retry.FailedAttempt;
import io.wovyr.persistence.retry.Retries;
import io.wovyr.persistence.retry.RetryPolicy;
import io.wovyr.persistence.retry.RetryRecord;
import io.wovyr.persistence.retry.RetryStatus;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Scan;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.stream.Stream;

/** Retries of one tenant. Thread-safe. */
final class CoreRetries implements Retries {
  private static final int PAGE = 200;

  private final TenantAccess access;

  CoreRetries(TenantAccess access) {
    this.access = access;
  }

  @Override
  public Decision failed(
      UUID executionId, String activityId, RetryPolicy policy, String errorType, Payload reason) {
    access.require(Permission.WORK);
    Inputs.name("error type", errorType);
    AttemptHistory.checked(reason);
    Optional<RetryRecord> stored = find(executionId, activityId);
    stored.ifPresent(retry -> checkPending(retry, "fail again"));
    RetryPolicy ruling = stored.map(RetryRecord::policy).orElse(policy);
    int attempts =
        TenantAccess.after(
            stored.map(RetryRecord::attempts).orElse(0),
            "the attempts of " + key(executionId, activityId));
    Instant now = access.now();
    boolean allowed = ruling.allowsAfter(attempts, errorType);
    Optional<Duration> delay =
        allowed ? Optional.of(drawn(ruling.ceiling(attempts))) : Optional.empty();
    RecordHeader header = stored.map(RetryRecord::header).orElseGet(TenantAccess::unsavedHeader);
    Attempt attempt =
        new Attempt(Attempt.End.FAILED, attempts, now, errorType, delay, Optional.of(reason));
    Payload history =
        stored
            .map(retry -> attempts(retry).with(attempt))
            .orElseGet(() -> AttemptHistory.first(attempt));
    RetryRecord after =
        new RetryRecord(
            header,
            executionId,
            activityId,
            allowed ? RetryStatus.PENDING : RetryStatus.EXHAUSTED,
            attempts,
            ruling.maxAttempts(),
            ruling.initialDelay(),
            ruling.multiplierPercent(),
            ruling.maxDelay(),
            ruling.nonRetryable(),
            delay,
            delay.map(now::plus),
            stored.map(RetryRecord::firstFailureAt).orElse(now),
            now,
            errorType,
            Optional.of(access.seal(key(executionId, activityId), header, "reason", history)));
    return new Decision(
        after,
        access.change(
            unit ->
                stored.ifPresentOrElse(
                    before -> unit.updateRecord(before, after), () -> unit.insertRecord(after))));
  }

  /** Evenly between zero and the longest, in whole microseconds. */
  private static Duration drawn(Duration longest) {
    long micros = longest.toNanos() / 1_000;
    return Duration.ofNanos(ThreadLocalRandom.current().nextLong(micros + 1) * 1_000);
  }

  @Override
  public Change succeeded(RetryRecord before) {
    access.require(Permission.WORK);
    RetryRecord after = ended(before, RetryStatus.SUCCEEDED);
    return access.change(unit -> unit.updateRecord(before, after));
  }

  @Override
  public Change cancelled(RetryRecord before) {
    access.require(Permission.WORK);
    RetryRecord after = ended(before, RetryStatus.CANCELLED);
    return access.change(unit -> unit.updateCancelled(before, after));
  }

  /** As it is when it is over. */
  static RetryRecord ended(RetryRecord before, RetryStatus to) {
    checkPending(before, "become " + to);
    return with(before, to, before.maxAttempts(), Optional.empty());
  }

  private static void checkPending(RetryRecord before, String what) {
    if (before.status() != RetryStatus.PENDING) {
      throw notAllowed(before, what);
    }
  }

  private static IllegalTransition notAllowed(RetryRecord before, String what) {
    return new IllegalTransition(
        "the retry of activity %s of execution %s is %s and cannot %s; possible: %s"
            .formatted(
                before.activityId(),
                before.executionId(),
                before.status(),
                what,
                before.status().next()));
  }

  @Override
  public CommitResult retryNow(RetryRecord seen) {
    access.require(Permission.OPERATE);
    access.checkOwn(seen.header());
    // What is made due is what is stored: an operator may not change anything else of it.
    Optional<RetryRecord> stored =
        access
            .find(RetryRecord.class, seen.executionId(), seen.activityId())
            .filter(found -> found.header().id().equals(seen.header().id()));
    if (stored.isEmpty()) {
      return lost(seen, Reason.NOT_FOUND, "it is not there");
    }
    RetryRecord before = stored.get();
    if (before.header().version() < seen.header().version()) {
      return lost(seen, Reason.STALE_VERSION, "it never was like this: read it again");
    }
    // An older one is not written any more, only recognised when it was asked for before.
    return dueNow(before.header().version() == seen.header().version() ? before : seen);
  }

  private static CommitResult lost(RetryRecord seen, Reason reason, String what) {
    Key key = key(seen.executionId(), seen.activityId());
    return new Conflict(List.of(new Failure(reason, key.toString(), what)));
  }

  private CommitResult dueNow(RetryRecord before) {
    if (!before.status().next().contains(RetryStatus.PENDING)) {
      throw notAllowed(before, "become due");
    }
    boolean exhausted = before.status() == RetryStatus.EXHAUSTED;
    int maxAttempts =
        exhausted
            ? Math.max(
                before.maxAttempts(),
                TenantAccess.after(
                    before.attempts(),
                    "the attempts of " + key(before.executionId(), before.activityId())))
            : before.maxAttempts();
    RetryRecord after = with(before, RetryStatus.PENDING, maxAttempts, Optional.of(access.now()));
    // One signal for each version of the retry: asked twice, it is asked once.
    String dedupeKey = "retry-now/" + before.header().id() + "/" + before.header().version();
    return access
        .unit()
        .updateFromOutside(before, after)
        .appendSystem(
            before.executionId(),
            Append.signal(dedupeKey),
            SystemEvents.retryNow(before.activityId()))
        .commit();
  }

  private static RetryRecord with(
      RetryRecord before, RetryStatus status, int maxAttempts, Optional<Instant> nextAttemptAt) {
    return new RetryRecord(
        before.header(),
        before.executionId(),
        before.activityId(),
        status,
        before.attempts(),
        maxAttempts,
        before.initialDelay(),
        before.multiplierPercent(),
        before.maxDelay(),
        before.nonRetryable(),
        before.lastDelay(),
        nextAttemptAt,
        before.firstFailureAt(),
        before.lastFailureAt(),
        before.lastError(),
        before.reason());
  }

  @Override
  public Optional<RetryRecord> find(UUID executionId, String activityId) {
    access.require(Permission.READ);
    return access.find(RetryRecord.class, executionId, Inputs.name("activity id", activityId));
  }

  @Override
  public List<RetryRecord> all(UUID executionId) {
    access.require(Permission.READ);
    return everyOne(executionId).toList();
  }

  @Override
  public Page<RetryRecord> list(UUID executionId, int limit, Optional<String> after) {
    access.require(Permission.READ);
    Pages.checkLimit(limit);
    return access.page(
        RetryRecord.class, Scan.byKey(RecordTypes.RETRY, List.of(executionId), limit).after(after));
  }

  @Override
  public Page<RetryRecord> pending(int limit, Optional<String> after) {
    access.require(Permission.READ);
    Pages.checkLimit(limit);
    return access.page(
        RetryRecord.class,
        Scan.byPath(RecordTypes.RETRY, "pending", List.of(), limit).after(after));
  }

  @Override
  public Page<RetryRecord> exhausted(int limit, Optional<String> after) {
    access.require(Permission.READ);
    Pages.checkLimit(limit);
    return access.page(
        RetryRecord.class,
        Scan.byPath(RecordTypes.RETRY, "by_status", List.of(RetryStatus.EXHAUSTED.name()), limit)
            .after(after));
  }

  @Override
  public Optional<Instant> nextDue(UUID executionId) {
    access.require(Permission.READ);
    // One that cannot be read may be the earliest.
    return everyOne(executionId)
        .flatMap(retry -> retry.nextAttemptAt().stream())
        .min(Comparator.naturalOrder());
  }

  private Stream<RetryRecord> everyOne(UUID executionId) {
    return access.all(RetryRecord.class, Scan.byKey(RecordTypes.RETRY, List.of(executionId), PAGE));
  }

  @Override
  public Optional<Payload> reason(RetryRecord retry) {
    return attempts(retry).newestReason();
  }

  @Override
  public List<FailedAttempt> history(RetryRecord retry) {
    return attempts(retry).failed();
  }

  private AttemptHistory attempts(RetryRecord retry) {
    return new AttemptHistory(
        access,
        key(retry.executionId(), retry.activityId()),
        retry.header(),
        "reason",
        retry.reason(),
        bare(retry));
  }

  private static Key key(UUID executionId, String activityId) {
    return Key.of(RecordTypes.RETRY, executionId, activityId);
  }

  /** What a reason tells of that was stored before there were histories: the newest attempt. */
  private static Function<Payload, Attempt> bare(RetryRecord retry) {
    return reason ->
        new Attempt(
            Attempt.End.FAILED,
            retry.attempts(),
            retry.lastFailureAt(),
            retry.lastError(),
            retry.lastDelay(),
            Optional.of(reason));
  }
}
