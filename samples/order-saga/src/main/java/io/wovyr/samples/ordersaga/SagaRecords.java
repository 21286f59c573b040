/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.persistence.CommitResult.Applied;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.UnitOfWork;
import io.wovyr.persistence.activity.Activities;
import io.wovyr.persistence.activity.ActivityExecution;
import io.wovyr.persistence.activity.ActivityStatus;
import io.wovyr.persistence.activity.NewActivity;
import io.wovyr.persistence.compensation.CompensationRecord;
import io.wovyr.persistence.compensation.Compensations;
import io.wovyr.persistence.compensation.NewCompensation;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.retry.Retries;
import io.wovyr.persistence.retry.RetryPolicy;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The records of one execution as its worker knows them: its activities and its compensation stack,
 * as they were read or written last. What happens is staged in the unit of work that holds the
 * event of it. Used by one runner, on one thread.
 */
final class SagaRecords {
  private final Repositories repositories;
  private final UUID id;
  private final String worker;
  private final RetryPolicy policy;
  private final Map<Activity, ActivityExecution> activities = new EnumMap<>(Activity.class);
  private final Map<Activity, CompensationRecord> stack = new EnumMap<>(Activity.class);

  /**
   * None are known yet.
   *
   * @param policy of all retries
   */
  SagaRecords(Repositories repositories, UUID id, String worker, RetryPolicy policy) {
    this.repositories = repositories;
    this.id = id;
    this.worker = worker;
    this.policy = policy;
  }

  /** Reads them; to be done under the lease. */
  void load() {
    // All of them, or none: a list for people leaves out what cannot be read, and the saga would do
    // it again.
    repositories.activities().all(id).forEach(this::keep);
    repositories.compensations().all(id).forEach(this::keep);
  }

  /** What the saga decides by. */
  SagaState state(Workflow workflow) {
    return SagaState.of(workflow, activities.values(), stack.values());
  }

  /** An attempt begins, or begins again. */
  void begin(UnitOfWork unit, Step.Attempt attempt, Payload input) {
    Activities all = repositories.activities();
    Activity activity = attempt.activity();
    ActivityExecution before = activities.get(activity);
    if (before == null) {
      NewActivity scheduled = NewActivity.of(activity.text(), activity.text()).withInput(input);
      unit.with(all.begin(id, scheduled, worker));
    } else if (before.status() == ActivityStatus.STARTED) {
      unit.with(all.takeOver(before, worker));
    } else {
      unit.with(all.start(before, worker));
    }
    entry(activity).ifPresent(entry -> unit.with(repositories.compensations().start(entry)));
  }

  /** The attempt succeeded. */
  void succeeded(UnitOfWork unit, Step.Attempt attempt, Payload receipt) {
    Activity activity = attempt.activity();
    Compensations compensations = repositories.compensations();
    Retries retries = repositories.retries();
    unit.with(repositories.activities().complete(started(activity), Optional.of(receipt)));
    if (attempt.number() > 1) {
      retries.find(id, activity.text()).ifPresent(retry -> unit.with(retries.succeeded(retry)));
    }
    entry(activity)
        .ifPresent(entry -> unit.with(compensations.complete(entry, Optional.of(receipt))));
    activity
        .undo()
        .map(undo -> NewCompensation.of(activity.text(), undo.text()).withInput(receipt))
        .ifPresent(undo -> unit.with(compensations.push(id, undo)));
  }

  /**
   * The attempt failed.
   *
   * @return when the next one is due; empty when it failed for good
   */
  Optional<Instant> failed(UnitOfWork unit, Step.Attempt attempt, Answer answer) {
    Activity activity = attempt.activity();
    Payload reason = Payload.text(answer.text());
    String error = answer.kind().name();
    Retries.Decision decision =
        repositories.retries().failed(id, activity.text(), policy, error, reason);
    Optional<Instant> next = decision.nextAttemptAt();
    ActivityExecution started = started(activity);
    unit.with(decision.change())
        .with(
            next.isPresent()
                ? repositories.activities().failAndReschedule(started, reason)
                : repositories.activities().fail(started, reason));
    entry(activity)
        .ifPresent(
            entry -> unit.with(repositories.compensations().fail(entry, error, reason, next)));
    return next;
  }

  /** The entry of the stack that this activity undoes. */
  private Optional<CompensationRecord> entry(Activity undo) {
    return Optional.ofNullable(stack.get(undo));
  }

  private ActivityExecution started(Activity activity) {
    ActivityExecution started = activities.get(activity);
    if (started == null) {
      throw new IllegalStateException(activity.text() + " of execution " + id + " has no record");
    }
    return started;
  }

  /** Goes on from what was stored. */
  void stored(Applied committed) {
    committed.records(ActivityExecution.class).forEach(this::keep);
    committed.records(CompensationRecord.class).forEach(this::keep);
  }

  private void keep(ActivityExecution activity) {
    activities.put(Activity.named(activity.activityId()), activity);
  }

  private void keep(CompensationRecord entry) {
    stack.put(Activity.named(entry.action()), entry);
  }
}
