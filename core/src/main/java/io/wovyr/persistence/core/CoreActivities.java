/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.Change;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.Permission;
import io.wovyr.persistence.PersistenceException.IllegalTransition;
import io.wovyr.persistence.activity.Activities;
import io.wovyr.persistence.activity.ActivityExecution;
import io.wovyr.persistence.activity.ActivityStatus;
import io.wovyr.persistence.activity.NewActivity;
import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Scan;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Activities of one tenant. Thread-safe. */
final class CoreActivities implements Activities {
  private static final int PAGE = 200;

  private final TenantAccess access;

  CoreActivities(TenantAccess access) {
    this.access = access;
  }

  @Override
  public Change schedule(UUID executionId, NewActivity activity) {
    access.require(Permission.WORK);
    ActivityExecution scheduled = scheduled(executionId, activity);
    return access.change(unit -> unit.insertRecord(scheduled));
  }

  @Override
  public Change begin(UUID executionId, NewActivity activity, String worker) {
    access.require(Permission.WORK);
    ActivityExecution begun = begun(scheduled(executionId, activity), worker).build();
    return access.change(unit -> unit.insertRecord(begun));
  }

  private ActivityExecution scheduled(UUID executionId, NewActivity activity) {
    var header = TenantAccess.unsavedHeader();
    Instant now = access.now();
    return new ActivityExecution(
        header,
        executionId,
        activity.activityId(),
        activity.activityType(),
        ActivityStatus.SCHEDULED,
        0,
        now,
        Optional.of(now),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        activity.timeouts().scheduleToStart(),
        activity.timeouts().startToClose(),
        activity.timeouts().scheduleToClose(),
        activity.timeouts().heartbeat(),
        access.seal(key(executionId, activity.activityId()), header, "input", activity.input()),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  @Override
  public Change start(ActivityExecution before, String worker) {
    access.require(Permission.WORK);
    return update(before, begun(before, worker));
  }

  private Draft begun(ActivityExecution before, String worker) {
    Inputs.name("worker", worker);
    return new Draft(before, ActivityStatus.STARTED)
        .attempt(
            TenantAccess.after(before.attempt(), "the attempts of " + key(before)),
            worker,
            access.now());
  }

  @Override
  public Change takeOver(ActivityExecution before, String worker) {
    access.require(Permission.WORK);
    Inputs.name("worker", worker);
    if (before.status() != ActivityStatus.STARTED) {
      throw notAllowed(before, "be taken over");
    }
    return staged(before, new Draft(before).attempt(before.attempt(), worker, access.now()));
  }

  @Override
  public Change heartbeat(ActivityExecution before, Optional<Payload> details) {
    access.require(Permission.WORK);
    if (before.status() != ActivityStatus.STARTED) {
      throw notAllowed(before, "have a heartbeat");
    }
    Draft draft = new Draft(before);
    draft.heartbeatAt = Optional.of(access.now());
    if (details.isPresent()) {
      draft.details = sealed(before, "heartbeatDetails", details);
    }
    return staged(before, draft);
  }

  @Override
  public Change complete(ActivityExecution before, Optional<Payload> result) {
    access.require(Permission.WORK);
    Draft draft = new Draft(before, ActivityStatus.COMPLETED).closed(access.now());
    draft.result = sealed(before, "result", result);
    return update(before, draft);
  }

  @Override
  public Change fail(ActivityExecution before, Payload reason) {
    return ended(before, ActivityStatus.FAILED, reason);
  }

  @Override
  public Change timeOut(ActivityExecution before, Payload reason) {
    return ended(before, ActivityStatus.TIMED_OUT, reason);
  }

  private Change ended(ActivityExecution before, ActivityStatus to, Payload reason) {
    access.require(Permission.WORK);
    return update(before, failed(before, to, reason));
  }

  private Draft failed(ActivityExecution before, ActivityStatus to, Payload reason) {
    Draft draft = new Draft(before, to).closed(access.now());
    draft.failure = sealed(before, "failure", Optional.of(reason));
    return draft;
  }

  @Override
  public Change failAndReschedule(ActivityExecution before, Payload reason) {
    access.require(Permission.WORK);
    ActivityExecution failed =
        allowed(before, failed(before, ActivityStatus.FAILED, reason)).build();
    return staged(before, allowed(failed, rescheduled(failed)));
  }

  @Override
  public Change cancel(ActivityExecution before) {
    access.require(Permission.WORK);
    ActivityExecution after = cancelled(before, access.now());
    return access.change(unit -> unit.updateCancelled(before, after));
  }

  /** As it is when nobody wants it any more. */
  static ActivityExecution cancelled(ActivityExecution before, Instant now) {
    return allowed(before, new Draft(before, ActivityStatus.CANCELLED).closed(now)).build();
  }

  @Override
  public Change reschedule(ActivityExecution before) {
    access.require(Permission.WORK);
    return update(before, rescheduled(before));
  }

  private Draft rescheduled(ActivityExecution before) {
    Draft draft = new Draft(before, ActivityStatus.SCHEDULED);
    draft.openSince = Optional.of(access.now());
    draft.closedAt = Optional.empty();
    return draft;
  }

  private Change update(ActivityExecution before, Draft draft) {
    return staged(before, allowed(before, draft));
  }

  private static Draft allowed(ActivityExecution before, Draft draft) {
    if (!before.status().next().contains(draft.status)) {
      throw notAllowed(before, "become " + draft.status);
    }
    return draft;
  }

  private Change staged(ActivityExecution before, Draft draft) {
    ActivityExecution after = draft.build();
    return access.change(unit -> unit.updateRecord(before, after));
  }

  private static IllegalTransition notAllowed(ActivityExecution before, String what) {
    return new IllegalTransition(
        "activity %s of execution %s is %s and cannot %s; possible: %s"
            .formatted(
                before.activityId(),
                before.executionId(),
                before.status(),
                what,
                before.status().next()));
  }

  private Optional<StoredPayload> sealed(
      ActivityExecution activity, String attribute, Optional<Payload> value) {
    return access.seal(key(activity), activity.header(), attribute, value);
  }

  @Override
  public Optional<ActivityExecution> find(UUID executionId, String activityId) {
    access.require(Permission.READ);
    return access.find(
        ActivityExecution.class, executionId, Inputs.name("activity id", activityId));
  }

  @Override
  public List<ActivityExecution> all(UUID executionId) {
    access.require(Permission.READ);
    return access
        .all(ActivityExecution.class, Scan.byKey(RecordTypes.ACTIVITY, List.of(executionId), PAGE))
        .toList();
  }

  @Override
  public Page<ActivityExecution> list(UUID executionId, int limit, Optional<String> after) {
    access.require(Permission.READ);
    Pages.checkLimit(limit);
    return access.page(
        ActivityExecution.class,
        Scan.byKey(RecordTypes.ACTIVITY, List.of(executionId), limit).after(after));
  }

  @Override
  public Page<ActivityExecution> open(int limit, Optional<String> after) {
    access.require(Permission.READ);
    Pages.checkLimit(limit);
    return access.page(
        ActivityExecution.class,
        Scan.byPath(RecordTypes.ACTIVITY, "open", List.of(), limit).after(after));
  }

  @Override
  public Optional<Payload> input(ActivityExecution activity) {
    return opened(activity, "input", activity.input());
  }

  @Override
  public Optional<Payload> heartbeatDetails(ActivityExecution activity) {
    return opened(activity, "heartbeatDetails", activity.heartbeatDetails());
  }

  @Override
  public Optional<Payload> result(ActivityExecution activity) {
    return opened(activity, "result", activity.result());
  }

  @Override
  public Optional<Payload> failure(ActivityExecution activity) {
    return opened(activity, "failure", activity.failure());
  }

  private Optional<Payload> opened(
      ActivityExecution activity, String attribute, Optional<StoredPayload> stored) {
    return access.open(key(activity), activity.header(), attribute, stored);
  }

  private static Key key(ActivityExecution activity) {
    return key(activity.executionId(), activity.activityId());
  }

  private static Key key(UUID executionId, String activityId) {
    return Key.of(RecordTypes.ACTIVITY, executionId, activityId);
  }

  /** The next version of an activity, in the making. */
  private static final class Draft {
    private final ActivityExecution before;
    private final ActivityStatus status;
    private int attempt;
    private Optional<Instant> openSince;
    private Optional<String> worker;
    private Optional<Instant> startedAt;
    private Optional<Instant> heartbeatAt;
    private Optional<Instant> closedAt;
    private Optional<StoredPayload> details;
    private Optional<StoredPayload> result;
    private Optional<StoredPayload> failure;

    Draft(ActivityExecution before) {
      this(before, before.status());
    }

    Draft(ActivityExecution before, ActivityStatus status) {
      this.before = before;
      this.status = status;
      attempt = before.attempt();
      openSince = before.openSince();
      worker = before.worker();
      startedAt = before.startedAt();
      heartbeatAt = before.heartbeatAt();
      closedAt = before.closedAt();
      details = before.heartbeatDetails();
      result = before.result();
      failure = before.failure();
    }

    Draft attempt(int number, String by, Instant now) {
      attempt = number;
      worker = Optional.of(by);
      startedAt = Optional.of(now);
      heartbeatAt = Optional.empty();
      return this;
    }

    Draft closed(Instant now) {
      openSince = Optional.empty();
      closedAt = Optional.of(now);
      return this;
    }

    ActivityExecution build() {
      return new ActivityExecution(
          before.header(),
          before.executionId(),
          before.activityId(),
          before.activityType(),
          status,
          attempt,
          before.scheduledAt(),
          openSince,
          worker,
          startedAt,
          heartbeatAt,
          closedAt,
          before.scheduleToStart(),
          before.startToClose(),
          before.scheduleToClose(),
          before.heartbeatTimeout(),
          before.input(),
          details,
          result,
          failure);
    }
  }
}
