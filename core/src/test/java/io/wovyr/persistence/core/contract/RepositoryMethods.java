/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static io.wovyr.persistence.Permission.LIST_SECRETS;
import static io.wovyr.persistence.Permission.MAINTAIN;
import static io.wovyr.persistence.Permission.MANAGE_DEFINITIONS;
import static io.wovyr.persistence.Permission.MANAGE_SCHEDULES;
import static io.wovyr.persistence.Permission.OPERATE;
import static io.wovyr.persistence.Permission.READ;
import static io.wovyr.persistence.Permission.READ_AUDIT;
import static io.wovyr.persistence.Permission.SETTLE_OUTCOMES;
import static io.wovyr.persistence.Permission.USE_SECRETS;
import static io.wovyr.persistence.Permission.WORK;
import static io.wovyr.persistence.Permission.WRITE_AUDIT;
import static io.wovyr.persistence.core.contract.RepositoryContract.TTL;
import static io.wovyr.persistence.core.contract.RightsScene.newCursor;
import static io.wovyr.persistence.core.contract.RightsScene.newDefinition;
import static io.wovyr.persistence.core.contract.RightsScene.newSchedule;
import static io.wovyr.persistence.core.contract.RightsScene.value;

import io.wovyr.persistence.Change;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.activity.NewActivity;
import io.wovyr.persistence.audit.AuditRecord;
import io.wovyr.persistence.audit.NewAuditRecord;
import io.wovyr.persistence.compensation.CompensationStatus;
import io.wovyr.persistence.compensation.NewCompensation;
import io.wovyr.persistence.definition.DefinitionPolicies;
import io.wovyr.persistence.definition.DefinitionStatus;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.ExecutionQuery;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.feed.RegisteredCursor;
import io.wovyr.persistence.lease.LeaseKeeper;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.retry.RetryPolicy;
import io.wovyr.persistence.schedule.NewSchedule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What every public method of the repositories needs. A new method needs a line here: {@link
 * RightsContract} says which is missing.
 */
final class RepositoryMethods {
  private static final Optional<String> START = Optional.empty();
  private static final Instant LONG_AGO = Instant.parse("1999-01-01T00:00:00Z");
  private static final Instant FAR = Instant.parse("2999-01-01T00:00:00Z");

  /** Nothing has to be there before the call. */
  private static final Function<RightsScene, RightsScene> NOTHING = Function.identity();

  private RepositoryMethods() {}

  static List<RepositoryMethod<?>> all() {
    return Stream.of(
            general(),
            executions(),
            events(),
            leases(),
            definitions(),
            activities(),
            retries(),
            compensations(),
            schedules(),
            checkpoints(),
            auditLog(),
            secrets(),
            quarantine(),
            feed(),
            unitOfWork())
        .flatMap(List::stream)
        .<RepositoryMethod<?>>map(Function.identity())
        .toList();
  }

  /** Under a lease of the caller's, as what belongs to an execution is changed. */
  private static CommitResult step(Repositories caller, UUID executionId, Change change) {
    return RightsScene.step(caller, executionId, change);
  }

  private static CommitResult commit(Repositories caller, Change change) {
    return caller.unitOfWork().with(change).commit().orThrow();
  }

  private static NewExecution newExecution() {
    return NewExecution.of(DefinitionRef.of("order", 1)).withInput(value());
  }

  private static NewEvent newEvent() {
    return NewEvent.of("Told").withPayload(value());
  }

  private static Append fromOutside() {
    return Append.signal("signal-" + UUID.randomUUID());
  }

  private static Transition cancel() {
    return Transition.to(ExecutionStatus.CANCELLED);
  }

  private static List<RepositoryMethod<?>> general() {
    return List.of(
        RepositoryMethod.free("caller()", NOTHING, (c, scene) -> c.caller()),
        RepositoryMethod.of(
            "outcome(CommitReference)",
            SETTLE_OUTCOMES,
            RightsScene::reference,
            Repositories::outcome),
        RepositoryMethod.of("open(Leaf)", READ, RightsScene::leaf, Repositories::open),
        RepositoryMethod.free(
            "retrying(Duration, Function)",
            scene -> scene.all().audit().append(approved()),
            (c, result) -> c.retrying(Duration.ZERO, again -> result)));
  }

  private static NewAuditRecord approved() {
    return NewAuditRecord.done("approved", "order", "17").withDetails(value());
  }

  private static List<RepositoryMethod<?>> executions() {
    return List.of(
        RepositoryMethod.of(
            "executions.create(NewExecution)",
            WORK,
            NOTHING,
            (c, scene) -> c.executions().create(newExecution()).orThrow()),
        RepositoryMethod.of(
            "executions.find(UUID)",
            READ,
            RightsScene::execution,
            (c, execution) -> c.executions().find(execution.id()).orElseThrow()),
        RepositoryMethod.of(
            "executions.findLive(String)",
            READ,
            RightsScene::execution,
            (c, execution) -> c.executions().findLive(execution.workflowId()).orElseThrow()),
        RepositoryMethod.of(
            "executions.head(UUID)",
            READ,
            RightsScene::execution,
            (c, execution) -> c.executions().head(execution.id()).orElseThrow()),
        RepositoryMethod.of(
            "executions.list(Optional, int, Optional)",
            READ,
            NOTHING,
            (c, scene) -> c.executions().list(Optional.empty(), 1, START)),
        RepositoryMethod.of(
            "executions.find(ExecutionQuery, int, Optional)",
            READ,
            NOTHING,
            (c, scene) -> c.executions().find(ExecutionQuery.all(), 1, START)),
        RepositoryMethod.of(
                "executions.transition(WorkflowExecution, Transition, Append)",
                OPERATE,
                RightsScene::execution,
                (c, execution) ->
                    c.executions().transition(execution, cancel(), fromOutside()).orThrow())
            .when("from outside"),
        RepositoryMethod.of(
                "executions.transition(WorkflowExecution, Transition, Append)",
                WORK,
                Leased::of,
                (c, leased) ->
                    c.executions()
                        .transition(leased.execution(), cancel(), leased.mode())
                        .orThrow())
            .when("under a lease"),
        RepositoryMethod.of(
            "executions.state(UUID)",
            READ,
            RightsScene::event,
            (c, event) -> c.executions().state(event.executionId())),
        RepositoryMethod.of(
            "executions.state(UUID, long)",
            READ,
            RightsScene::event,
            (c, event) -> c.executions().state(event.executionId(), 1)),
        RepositoryMethod.of(
            "executions.input(WorkflowExecution)",
            READ,
            RightsScene::execution,
            (c, execution) -> c.executions().input(execution).orElseThrow()),
        RepositoryMethod.of(
            "executions.outcome(WorkflowExecution)",
            READ,
            RightsScene::execution,
            (c, execution) -> c.executions().outcome(execution)));
  }

  /** An execution and a way to change it under a lease. */
  private record Leased(WorkflowExecution execution, Append mode) {
    static Leased of(RightsScene scene) {
      var lease = scene.lease();
      return new Leased(
          scene.all().executions().find(lease.executionId()).orElseThrow(), Append.next(lease));
    }
  }

  private static List<RepositoryMethod<?>> events() {
    return List.of(
        RepositoryMethod.of(
                "events.append(UUID, Append, List)",
                OPERATE,
                RightsScene::execution,
                (c, execution) ->
                    c.events().append(execution.id(), fromOutside(), newEvent()).orThrow())
            .when("from outside"),
        RepositoryMethod.of(
                "events.append(UUID, Append, List)",
                WORK,
                RightsScene::lease,
                (c, lease) ->
                    c.events()
                        .append(lease.executionId(), Append.next(lease), newEvent())
                        .orThrow())
            .when("under a lease"),
        RepositoryMethod.of(
            "events.read(UUID, long, int)",
            READ,
            RightsScene::event,
            (c, event) -> c.events().read(event.executionId(), 1, 10)),
        RepositoryMethod.of(
            "events.find(UUID, long)",
            READ,
            RightsScene::event,
            (c, event) -> c.events().find(event.executionId(), 1).orElseThrow()),
        RepositoryMethod.of(
            "events.byCorrelation(UUID, int, Optional)",
            READ,
            NOTHING,
            (c, scene) -> c.events().byCorrelation(UUID.randomUUID(), 1, START)),
        RepositoryMethod.of(
            "events.byCausation(UUID, int, Optional)",
            READ,
            NOTHING,
            (c, scene) -> c.events().byCausation(UUID.randomUUID(), 1, START)),
        RepositoryMethod.of(
            "events.payload(WorkflowEvent)",
            READ,
            RightsScene::event,
            (c, event) -> c.events().payload(event).orElseThrow()),
        RepositoryMethod.of(
            "events.value(WorkflowEvent, int)",
            READ,
            RightsScene::event,
            (c, event) -> c.events().value(event, 0).orElseThrow()),
        RepositoryMethod.of(
            "events.purge(UUID, long, boolean)",
            MAINTAIN,
            RightsScene::closed,
            (c, execution) -> c.events().purge(execution.id(), 2, true)));
  }

  private static List<RepositoryMethod<?>> leases() {
    return List.of(
        RepositoryMethod.of(
            "leases.acquire(UUID, String, Duration)",
            WORK,
            RightsScene::execution,
            (c, execution) -> c.leases().acquire(execution.id(), "worker", TTL)),
        RepositoryMethod.of(
            "leases.heartbeat(Lease)",
            WORK,
            RightsScene::lease,
            (c, lease) -> c.leases().heartbeat(lease)),
        RepositoryMethod.of(
            "leases.release(Lease, Wake)",
            WORK,
            RightsScene::lease,
            (c, lease) -> c.leases().release(lease, Wake.now())),
        RepositoryMethod.of(
            "leases.assign(UUID, String, Duration)",
            WORK,
            RightsScene::execution,
            (c, execution) -> c.leases().assign(execution.id(), "worker", TTL)),
        RepositoryMethod.of(
            "leases.unpark(UUID)",
            MAINTAIN,
            RightsScene::execution,
            (c, execution) -> c.leases().unpark(execution.id()).orThrow()),
        RepositoryMethod.of(
            "leases.find(UUID)",
            READ,
            RightsScene::lease,
            (c, lease) -> c.leases().find(lease.executionId()).orElseThrow()),
        RepositoryMethod.of(
            "leases.list(int, Optional)", READ, NOTHING, (c, scene) -> c.leases().list(1, START)),
        RepositoryMethod.of(
            "leases.acquireName(String, String, Duration)",
            WORK,
            NOTHING,
            (c, scene) -> c.leases().acquireName("name-" + UUID.randomUUID(), "worker", TTL)),
        RepositoryMethod.of(
            "leases.heartbeat(HeldName)",
            WORK,
            RightsScene::heldName,
            (c, held) -> c.leases().heartbeat(held)),
        RepositoryMethod.of(
            "leases.release(HeldName)",
            WORK,
            RightsScene::heldName,
            (c, held) -> c.leases().release(held)),
        RepositoryMethod.of(
            "leases.findName(String)",
            READ,
            NOTHING,
            (c, scene) -> c.leases().findName("nobody-took-it")),
        RepositoryMethod.of(
            "leases.keeper(Duration)", WORK, NOTHING, (c, scene) -> closeKeeper(c)));
  }

  private static Object closeKeeper(Repositories caller) {
    try (LeaseKeeper keeper = caller.leases().keeper(TTL)) {
      return keeper.shutdown(Duration.ZERO);
    }
  }

  private static List<RepositoryMethod<?>> definitions() {
    return List.of(
        RepositoryMethod.of(
            "definitions.add(NewDefinition)",
            MANAGE_DEFINITIONS,
            NOTHING,
            (c, scene) -> c.definitions().add(newDefinition()).orThrow()),
        RepositoryMethod.of(
            "definitions.find(String, int)",
            READ,
            RightsScene::definition,
            (c, found) -> c.definitions().find(found.name(), 1).orElseThrow()),
        RepositoryMethod.of(
            "definitions.latest(String)",
            READ,
            RightsScene::definition,
            (c, found) -> c.definitions().latest(found.name()).orElseThrow()),
        RepositoryMethod.of(
            "definitions.versions(String, int, Optional)",
            READ,
            RightsScene::definition,
            (c, found) -> c.definitions().versions(found.name(), 1, START)),
        RepositoryMethod.of(
            "definitions.list(Optional, int, Optional)",
            READ,
            NOTHING,
            (c, scene) -> c.definitions().list(Optional.empty(), 1, START)),
        RepositoryMethod.of(
            "definitions.move(WorkflowDefinition, DefinitionStatus)",
            MANAGE_DEFINITIONS,
            RightsScene::definition,
            (c, found) -> c.definitions().move(found, DefinitionStatus.ARCHIVED).orThrow()),
        RepositoryMethod.of(
            "definitions.replaceBody(WorkflowDefinition, Payload)",
            MANAGE_DEFINITIONS,
            RightsScene::draft,
            (c, draft) -> c.definitions().replaceBody(draft, value()).orThrow()),
        RepositoryMethod.of(
            "definitions.setPolicies(WorkflowDefinition, DefinitionPolicies)",
            MANAGE_DEFINITIONS,
            RightsScene::definition,
            (c, found) ->
                c.definitions().setPolicies(found, DefinitionPolicies.DEFAULTS).orThrow()),
        RepositoryMethod.of(
            "definitions.policies(WorkflowDefinition)",
            READ,
            RightsScene::definition,
            (c, found) -> c.definitions().policies(found)),
        RepositoryMethod.of(
            "definitions.policies(DefinitionRef)",
            READ,
            RightsScene::definition,
            (c, found) -> c.definitions().policies(found.ref())),
        RepositoryMethod.of(
            "definitions.body(WorkflowDefinition)",
            READ,
            RightsScene::definition,
            (c, found) -> c.definitions().body(found)));
  }

  private static List<RepositoryMethod<?>> activities() {
    return List.of(
        RepositoryMethod.of(
            "activities.schedule(UUID, NewActivity)",
            WORK,
            RightsScene::execution,
            (c, execution) ->
                step(
                    c,
                    execution.id(),
                    c.activities()
                        .schedule(
                            execution.id(),
                            NewActivity.of("charge", "Charge").withInput(value())))),
        RepositoryMethod.of(
            "activities.begin(UUID, NewActivity, String)",
            WORK,
            RightsScene::execution,
            (c, execution) ->
                step(
                    c,
                    execution.id(),
                    c.activities()
                        .begin(execution.id(), NewActivity.of("charge", "Charge"), "worker"))),
        RepositoryMethod.of(
            "activities.takeOver(ActivityExecution, String)",
            WORK,
            RightsScene::started,
            (c, activity) ->
                step(c, activity.executionId(), c.activities().takeOver(activity, "worker"))),
        RepositoryMethod.of(
            "activities.failAndReschedule(ActivityExecution, Payload)",
            WORK,
            RightsScene::started,
            (c, activity) ->
                step(
                    c,
                    activity.executionId(),
                    c.activities().failAndReschedule(activity, value()))),
        RepositoryMethod.of(
            "activities.start(ActivityExecution, String)",
            WORK,
            RightsScene::scheduled,
            (c, activity) ->
                step(c, activity.executionId(), c.activities().start(activity, "worker"))),
        RepositoryMethod.of(
            "activities.heartbeat(ActivityExecution, Optional)",
            WORK,
            RightsScene::started,
            (c, activity) ->
                step(
                    c,
                    activity.executionId(),
                    c.activities().heartbeat(activity, Optional.of(value())))),
        RepositoryMethod.of(
            "activities.complete(ActivityExecution, Optional)",
            WORK,
            RightsScene::started,
            (c, activity) ->
                step(
                    c,
                    activity.executionId(),
                    c.activities().complete(activity, Optional.of(value())))),
        RepositoryMethod.of(
            "activities.fail(ActivityExecution, Payload)",
            WORK,
            RightsScene::started,
            (c, activity) ->
                step(c, activity.executionId(), c.activities().fail(activity, value()))),
        RepositoryMethod.of(
            "activities.timeOut(ActivityExecution, Payload)",
            WORK,
            RightsScene::started,
            (c, activity) ->
                step(c, activity.executionId(), c.activities().timeOut(activity, value()))),
        RepositoryMethod.of(
            "activities.cancel(ActivityExecution)",
            WORK,
            RightsScene::started,
            (c, activity) -> step(c, activity.executionId(), c.activities().cancel(activity))),
        RepositoryMethod.of(
            "activities.reschedule(ActivityExecution)",
            WORK,
            RightsScene::failed,
            (c, activity) -> step(c, activity.executionId(), c.activities().reschedule(activity))),
        RepositoryMethod.of(
            "activities.find(UUID, String)",
            READ,
            RightsScene::scheduled,
            (c, activity) ->
                c.activities().find(activity.executionId(), activity.activityId()).orElseThrow()),
        RepositoryMethod.of(
            "activities.all(UUID)",
            READ,
            RightsScene::scheduled,
            (c, activity) -> c.activities().all(activity.executionId())),
        RepositoryMethod.of(
            "activities.list(UUID, int, Optional)",
            READ,
            RightsScene::scheduled,
            (c, activity) -> c.activities().list(activity.executionId(), 1, START)),
        RepositoryMethod.of(
            "activities.open(int, Optional)",
            READ,
            NOTHING,
            (c, scene) -> c.activities().open(1, START)),
        RepositoryMethod.of(
            "activities.input(ActivityExecution)",
            READ,
            RightsScene::scheduled,
            (c, activity) -> c.activities().input(activity).orElseThrow()),
        RepositoryMethod.of(
            "activities.heartbeatDetails(ActivityExecution)",
            READ,
            RightsScene::scheduled,
            (c, activity) -> c.activities().heartbeatDetails(activity)),
        RepositoryMethod.of(
            "activities.result(ActivityExecution)",
            READ,
            RightsScene::scheduled,
            (c, activity) -> c.activities().result(activity)),
        RepositoryMethod.of(
            "activities.failure(ActivityExecution)",
            READ,
            RightsScene::failed,
            (c, activity) -> c.activities().failure(activity).orElseThrow()));
  }

  private static List<RepositoryMethod<?>> retries() {
    return List.of(
        RepositoryMethod.of(
            "retries.failed(UUID, String, RetryPolicy, String, Payload)",
            WORK,
            RightsScene::execution,
            (c, execution) ->
                step(
                    c,
                    execution.id(),
                    c.retries()
                        .failed(
                            execution.id(), "charge", RetryPolicy.ofAttempts(2), "Timeout", value())
                        .change())),
        RepositoryMethod.of(
            "retries.succeeded(RetryRecord)",
            WORK,
            RightsScene::retry,
            (c, retry) -> step(c, retry.executionId(), c.retries().succeeded(retry))),
        RepositoryMethod.of(
            "retries.cancelled(RetryRecord)",
            WORK,
            RightsScene::retry,
            (c, retry) -> step(c, retry.executionId(), c.retries().cancelled(retry))),
        RepositoryMethod.of(
            "retries.retryNow(RetryRecord)",
            OPERATE,
            RightsScene::retry,
            (c, retry) -> c.retries().retryNow(retry).orThrow()),
        RepositoryMethod.of(
            "retries.find(UUID, String)",
            READ,
            RightsScene::retry,
            (c, retry) -> c.retries().find(retry.executionId(), "charge").orElseThrow()),
        RepositoryMethod.of(
            "retries.all(UUID)",
            READ,
            RightsScene::retry,
            (c, retry) -> c.retries().all(retry.executionId())),
        RepositoryMethod.of(
            "retries.list(UUID, int, Optional)",
            READ,
            RightsScene::retry,
            (c, retry) -> c.retries().list(retry.executionId(), 1, START)),
        RepositoryMethod.of(
            "retries.pending(int, Optional)",
            READ,
            NOTHING,
            (c, scene) -> c.retries().pending(1, START)),
        RepositoryMethod.of(
            "retries.exhausted(int, Optional)",
            READ,
            NOTHING,
            (c, scene) -> c.retries().exhausted(1, START)),
        RepositoryMethod.of(
            "retries.nextDue(UUID)",
            READ,
            RightsScene::retry,
            (c, retry) -> c.retries().nextDue(retry.executionId()).orElseThrow()),
        RepositoryMethod.of(
            "retries.reason(RetryRecord)",
            READ,
            RightsScene::retry,
            (c, retry) -> c.retries().reason(retry).orElseThrow()),
        RepositoryMethod.of(
            "retries.history(RetryRecord)",
            READ,
            RightsScene::retry,
            (c, retry) -> c.retries().history(retry)));
  }

  private static List<RepositoryMethod<?>> compensations() {
    return List.of(
        RepositoryMethod.of(
            "compensations.push(UUID, NewCompensation)",
            WORK,
            RightsScene::execution,
            (c, execution) ->
                step(
                    c,
                    execution.id(),
                    c.compensations()
                        .push(
                            execution.id(),
                            NewCompensation.of("charge", "refund").withInput(value())))),
        RepositoryMethod.of(
            "compensations.next(UUID)",
            READ,
            RightsScene::pushed,
            (c, entry) -> c.compensations().next(entry.executionId()).orElseThrow()),
        RepositoryMethod.of(
            "compensations.start(CompensationRecord)",
            WORK,
            RightsScene::pushed,
            (c, entry) -> step(c, entry.executionId(), c.compensations().start(entry))),
        RepositoryMethod.of(
            "compensations.resume(UUID)",
            OPERATE,
            RightsScene::compensating,
            (c, execution) -> c.compensations().resume(execution.id()).orThrow()),
        RepositoryMethod.of(
            "compensations.complete(CompensationRecord, Optional)",
            WORK,
            RightsScene::undoing,
            (c, entry) ->
                step(
                    c,
                    entry.executionId(),
                    c.compensations().complete(entry, Optional.of(value())))),
        RepositoryMethod.of(
            "compensations.fail(CompensationRecord, String, Payload, Optional)",
            WORK,
            RightsScene::undoing,
            (c, entry) ->
                step(
                    c,
                    entry.executionId(),
                    c.compensations().fail(entry, "Timeout", value(), Optional.empty()))),
        RepositoryMethod.of(
            "compensations.skip(CompensationRecord, Payload)",
            WORK,
            RightsScene::undoing,
            (c, entry) -> step(c, entry.executionId(), c.compensations().skip(entry, value()))),
        RepositoryMethod.of(
            "compensations.find(UUID, int)",
            READ,
            RightsScene::pushed,
            (c, entry) -> c.compensations().find(entry.executionId(), 1).orElseThrow()),
        RepositoryMethod.of(
            "compensations.all(UUID)",
            READ,
            RightsScene::pushed,
            (c, entry) -> c.compensations().all(entry.executionId())),
        RepositoryMethod.of(
            "compensations.stack(UUID, int, Optional)",
            READ,
            RightsScene::pushed,
            (c, entry) -> c.compensations().stack(entry.executionId(), 1, START)),
        RepositoryMethod.of(
            "compensations.list(CompensationStatus, int, Optional)",
            READ,
            NOTHING,
            (c, scene) -> c.compensations().list(CompensationStatus.FAILED, 1, START)),
        RepositoryMethod.of(
            "compensations.input(CompensationRecord)",
            READ,
            RightsScene::pushed,
            (c, entry) -> c.compensations().input(entry).orElseThrow()),
        RepositoryMethod.of(
            "compensations.result(CompensationRecord)",
            READ,
            RightsScene::pushed,
            (c, entry) -> c.compensations().result(entry)),
        RepositoryMethod.of(
            "compensations.failure(CompensationRecord)",
            READ,
            RightsScene::pushed,
            (c, entry) -> c.compensations().failure(entry)),
        RepositoryMethod.of(
            "compensations.history(CompensationRecord)",
            READ,
            RightsScene::undoing,
            (c, entry) -> c.compensations().history(entry)));
  }

  private static List<RepositoryMethod<?>> schedules() {
    return List.of(
        RepositoryMethod.of(
            "schedules.add(NewSchedule)",
            MANAGE_SCHEDULES,
            NOTHING,
            (c, scene) -> c.schedules().add(newSchedule()).orThrow()),
        RepositoryMethod.of(
            "schedules.replace(Schedule, NewSchedule)",
            MANAGE_SCHEDULES,
            RightsScene::schedule,
            (c, found) ->
                c.schedules()
                    .replace(
                        found, NewSchedule.of(found.name(), found.timing(), found.definition()))
                    .orThrow()),
        RepositoryMethod.of(
            "schedules.pause(Schedule)",
            MANAGE_SCHEDULES,
            RightsScene::schedule,
            (c, found) -> c.schedules().pause(found).orThrow()),
        RepositoryMethod.of(
            "schedules.resume(Schedule)",
            MANAGE_SCHEDULES,
            RightsScene::pausedSchedule,
            (c, paused) -> c.schedules().resume(paused).orThrow()),
        RepositoryMethod.of(
            "schedules.remove(Schedule)",
            MANAGE_SCHEDULES,
            RightsScene::schedule,
            (c, found) -> c.schedules().remove(found).orThrow()),
        RepositoryMethod.of(
            "schedules.find(String)",
            READ,
            RightsScene::schedule,
            (c, found) -> c.schedules().find(found.name()).orElseThrow()),
        RepositoryMethod.of(
            "schedules.list(int, Optional)",
            READ,
            NOTHING,
            (c, scene) -> c.schedules().list(1, START)),
        RepositoryMethod.of(
            "schedules.next(Schedule, Instant, int)",
            READ,
            RightsScene::schedule,
            (c, found) -> c.schedules().next(found, FAR, 1)),
        RepositoryMethod.of(
            "schedules.next(Timing, Instant, int)",
            READ,
            NOTHING,
            (c, scene) -> c.schedules().next(newSchedule().timing(), FAR, 1)),
        RepositoryMethod.of(
            "schedules.fire(Schedule)",
            WORK,
            RightsScene::schedule,
            (c, found) -> c.schedules().fire(found).result().orElseThrow().orThrow()),
        RepositoryMethod.of(
            "schedules.input(Schedule)",
            READ,
            RightsScene::schedule,
            (c, found) -> c.schedules().input(found).orElseThrow()));
  }

  private static List<RepositoryMethod<?>> checkpoints() {
    return List.of(
        RepositoryMethod.of(
            "checkpoints.add(WorkflowCheckpoint)",
            WORK,
            RightsScene::manifest,
            (c, manifest) -> commit(c, c.checkpoints().add(manifest))),
        RepositoryMethod.of(
            "checkpoints.find(UUID)",
            READ,
            RightsScene::checkpoint,
            (c, saved) -> c.checkpoints().find(saved.checkpointId()).orElseThrow()),
        RepositoryMethod.of(
            "checkpoints.latest(UUID)",
            READ,
            RightsScene::checkpoint,
            (c, saved) -> c.checkpoints().latest(saved.executionId()).orElseThrow()),
        RepositoryMethod.of(
            "checkpoints.list(UUID, int, Optional)",
            READ,
            RightsScene::checkpoint,
            (c, saved) -> c.checkpoints().list(saved.executionId(), 1, START)),
        RepositoryMethod.of(
            "checkpoints.mark(UUID, UUID)",
            READ,
            RightsScene::checkpoint,
            (c, saved) -> c.checkpoints().mark(saved.executionId(), saved.checkpointId())),
        RepositoryMethod.of(
            "checkpoints.reason(CheckpointMark)",
            READ,
            RightsScene::checkpointMark,
            (c, mark) -> c.checkpoints().reason(mark).orElseThrow()),
        RepositoryMethod.of(
            "checkpoints.pinReason(CheckpointMark)",
            READ,
            RightsScene::checkpointMark,
            (c, mark) -> c.checkpoints().pinReason(mark).orElseThrow()),
        RepositoryMethod.of(
            "checkpoints.invalidate(WorkflowCheckpoint, String)",
            WORK,
            RightsScene::checkpoint,
            (c, saved) -> c.checkpoints().invalidate(saved, RightsScene.VALUE).orThrow()),
        RepositoryMethod.of(
            "checkpoints.pin(WorkflowCheckpoint, String)",
            OPERATE,
            RightsScene::checkpoint,
            (c, saved) -> c.checkpoints().pin(saved, RightsScene.VALUE).orThrow()),
        RepositoryMethod.of(
            "checkpoints.unpin(WorkflowCheckpoint)",
            OPERATE,
            RightsScene::checkpoint,
            (c, saved) -> c.checkpoints().unpin(saved).orThrow()));
  }

  private static List<RepositoryMethod<?>> auditLog() {
    return List.of(
        RepositoryMethod.of(
            "audit.record(NewAuditRecord)",
            WRITE_AUDIT,
            NOTHING,
            (c, scene) -> commit(c, c.audit().record(approved()))),
        RepositoryMethod.of(
            "audit.append(NewAuditRecord)",
            WRITE_AUDIT,
            NOTHING,
            (c, scene) -> c.audit().append(approved()).orThrow()),
        RepositoryMethod.of(
            "audit.find(UUID)",
            READ_AUDIT,
            RightsScene::audited,
            (c, entry) -> c.audit().find(entry.id()).orElseThrow()),
        RepositoryMethod.of(
            "audit.list(Instant, Instant, int, Optional)",
            READ_AUDIT,
            RightsScene::audited,
            (c, entry) -> c.audit().list(LONG_AGO, FAR, 1, START)),
        RepositoryMethod.of(
            "audit.about(String, String, int, Optional)",
            READ_AUDIT,
            RightsScene::audited,
            (c, entry) -> c.audit().about(entry.subjectType(), entry.subjectId(), 1, START)),
        RepositoryMethod.of(
            "audit.details(AuditRecord)",
            READ_AUDIT,
            RightsScene::audited,
            (c, entry) -> c.audit().details(entry).orElseThrow()));
  }

  private static List<RepositoryMethod<?>> secrets() {
    return List.of(
        RepositoryMethod.of(
            "secrets.put(String, Payload)",
            USE_SECRETS,
            NOTHING,
            (c, scene) -> c.secrets().put("secret-" + UUID.randomUUID(), value()).orThrow()),
        RepositoryMethod.of(
            "secrets.latest(String)",
            LIST_SECRETS,
            RightsScene::secret,
            (c, secret) -> c.secrets().latest(secret.name()).orElseThrow()),
        RepositoryMethod.of(
            "secrets.list(int, Optional)",
            LIST_SECRETS,
            RightsScene::secret,
            (c, secret) -> c.secrets().list(1, START)),
        RepositoryMethod.of(
            "secrets.open(SecretRef)",
            USE_SECRETS,
            RightsScene::secret,
            (c, secret) -> c.secrets().open(secret)),
        RepositoryMethod.of(
            "secrets.revoke(SecretRef)",
            USE_SECRETS,
            RightsScene::secret,
            (c, secret) -> c.secrets().revoke(secret).orThrow()));
  }

  private static List<RepositoryMethod<?>> quarantine() {
    return List.of(
        RepositoryMethod.of(
            "quarantine.types()", MAINTAIN, NOTHING, (c, scene) -> c.quarantine().types()),
        RepositoryMethod.of(
            "quarantine.list(Optional, int, Optional)",
            MAINTAIN,
            RightsScene::execution,
            (c, execution) -> c.quarantine().list(Optional.of("execution"), 1, START)),
        RepositoryMethod.of(
            "quarantine.find(String, String)",
            MAINTAIN,
            RightsScene::execution,
            (c, execution) -> c.quarantine().find("execution", execution.id().toString())));
  }

  private static List<RepositoryMethod<?>> feed() {
    return List.of(
        RepositoryMethod.of(
            "feed.read(Optional, int)",
            READ,
            RightsScene::event,
            (c, event) -> c.feed().read(Optional.empty(), 1)),
        RepositoryMethod.of(
            "feed.listCursors(int, Optional)",
            READ,
            NOTHING,
            (c, scene) -> c.feed().listCursors(1, START)),
        RepositoryMethod.of(
            "feed.cursors.insert(Object)",
            WORK,
            NOTHING,
            (c, scene) -> c.feed().cursors().insert(newCursor()).orThrow()),
        RepositoryMethod.of(
            "feed.cursors.update(Object, Object)",
            WORK,
            RightsScene::cursor,
            (c, cursor) ->
                c.feed().cursors().update(cursor, cursor.movedTo(cursor.cursor())).orThrow()),
        RepositoryMethod.of(
            "feed.cursors.delete(Object)",
            WORK,
            RightsScene::cursor,
            (c, cursor) -> c.feed().cursors().delete(cursor).orThrow()),
        RepositoryMethod.of(
            "feed.cursors.find(Object)",
            READ,
            RightsScene::cursor,
            (c, cursor) -> c.feed().cursors().find(cursor.name()).orElseThrow()));
  }

  private static List<RepositoryMethod<?>> unitOfWork() {
    return List.of(
        RepositoryMethod.of(
            "unitOfWork.create(NewExecution)",
            WORK,
            NOTHING,
            (c, scene) -> c.unitOfWork().create(newExecution()).commit().orThrow()),
        RepositoryMethod.of(
                "unitOfWork.append(UUID, Append, List)",
                OPERATE,
                RightsScene::execution,
                (c, execution) ->
                    c.unitOfWork()
                        .append(execution.id(), fromOutside(), newEvent())
                        .commit()
                        .orThrow())
            .when("from outside"),
        RepositoryMethod.of(
                "unitOfWork.append(UUID, Append, List)",
                WORK,
                RightsScene::lease,
                (c, lease) ->
                    c.unitOfWork()
                        .append(lease.executionId(), Append.next(lease), newEvent())
                        .commit()
                        .orThrow())
            .when("under a lease"),
        RepositoryMethod.of(
                "unitOfWork.transition(WorkflowExecution, Transition, Append)",
                OPERATE,
                RightsScene::execution,
                (c, execution) ->
                    c.unitOfWork()
                        .transition(execution, cancel(), fromOutside())
                        .commit()
                        .orThrow())
            .when("from outside"),
        RepositoryMethod.of(
                "unitOfWork.transition(WorkflowExecution, Transition, Append)",
                WORK,
                Leased::of,
                (c, leased) ->
                    c.unitOfWork()
                        .transition(leased.execution(), cancel(), leased.mode())
                        .commit()
                        .orThrow())
            .when("under a lease"),
        RepositoryMethod.of(
            "unitOfWork.release(Lease, Wake)",
            WORK,
            RightsScene::lease,
            (c, lease) ->
                c.unitOfWork()
                    .release(lease, Wake.now())
                    .append(lease.executionId(), Append.next(lease), newEvent())
                    .commit()
                    .orThrow()),
        RepositoryMethod.of(
            "unitOfWork.renew(Lease)",
            WORK,
            RightsScene::lease,
            (c, lease) -> c.unitOfWork().renew(lease).commit().orThrow()),
        RepositoryMethod.of(
            "unitOfWork.insert(Object)",
            WORK,
            NOTHING,
            (c, scene) -> c.unitOfWork().insert(newCursor()).commit().orThrow()),
        RepositoryMethod.of(
            "unitOfWork.update(Object, Object)",
            WORK,
            RightsScene::cursor,
            (c, cursor) -> c.unitOfWork().update(cursor, cursor).commit().orThrow()),
        RepositoryMethod.of(
            "unitOfWork.delete(Object)",
            WORK,
            RightsScene::cursor,
            (c, cursor) -> c.unitOfWork().delete(cursor).commit().orThrow()),
        RepositoryMethod.of(
            "unitOfWork.find(Class, Object)",
            READ,
            RightsScene::cursor,
            (c, cursor) ->
                c.unitOfWork().find(RegisteredCursor.class, cursor.name()).orElseThrow()),
        RepositoryMethod.of(
                "unitOfWork.find(Class, Object)",
                READ_AUDIT,
                RightsScene::audited,
                (c, entry) -> c.unitOfWork().find(AuditRecord.class, entry.id()).orElseThrow())
            .when("of audit records"),
        RepositoryMethod.of(
            "unitOfWork.check(WorkflowExecution)",
            READ,
            RightsScene::execution,
            (c, execution) -> c.unitOfWork().check(execution)),
        RepositoryMethod.free(
            "unitOfWork.beforeSend(Consumer)",
            NOTHING,
            (c, scene) -> c.unitOfWork().beforeSend(reference -> {})),
        RepositoryMethod.free(
            "unitOfWork.within(Duration)", NOTHING, (c, scene) -> c.unitOfWork().within(TTL)),
        RepositoryMethod.free(
            "unitOfWork.commit()", RepositoryMethods::made, (c, made) -> commit(c, made)));
  }

  /** A change has the rights of whoever made it. */
  private static Change made(RightsScene scene) {
    return scene.all().audit().record(approved());
  }
}
