/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Change;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.activity.NewActivity;
import io.wovyr.persistence.compensation.NewCompensation;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.feed.RegisteredCursor;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.retry.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** Orders with activities, retries and compensations, each written by a step of its worker. */
final class SampleWork {
  private static final Payload SECRET = Payload.text(SampleStore.SECRET);

  private SampleWork() {}

  private static void step(SampleStore store, Lease lease, String event, Change change) {
    store
        .orders()
        .unitOfWork()
        .append(lease.executionId(), Append.next(lease), NewEvent.of(event))
        .with(change)
        .commit()
        .orThrow();
  }

  private static void schedule(SampleStore store, Lease lease) {
    NewActivity activity = NewActivity.of("charge", "Charge").withInput(SECRET);
    Change change = store.orders().activities().schedule(lease.executionId(), activity);
    step(store, lease, "ChargeScheduled", change);
  }

  private static void push(SampleStore store, Lease lease, String activity) {
    NewCompensation undo = NewCompensation.of(activity, "undo-" + activity).withInput(SECRET);
    Change change = store.orders().compensations().push(lease.executionId(), undo);
    step(store, lease, "CompensationPushed", change);
  }

  private static Lease running(SampleStore store, String workflowId) {
    Lease lease = store.acquire(store.createOrder(workflowId), "worker-1");
    store.transition(lease, ExecutionStatus.RUNNING);
    return lease;
  }

  /** An order with an open activity whose rollback stands still after two steps. */
  static UUID rolledBack(SampleStore store, String workflowId) {
    Lease lease = running(store, workflowId);
    schedule(store, lease);
    push(store, lease, "reserve");
    push(store, lease, "charge");
    store.transition(lease, ExecutionStatus.COMPENSATING);
    return lease.executionId();
  }

  /** An order with an open activity that failed once and is tried again later, or is not. */
  static UUID failing(SampleStore store, String workflowId, Optional<Duration> later) {
    Lease lease = running(store, workflowId);
    schedule(store, lease);
    RetryPolicy policy =
        later
            .map(delay -> RetryPolicy.ofAttempts(5).withDelays(delay, delay))
            .orElse(RetryPolicy.ofAttempts(1));
    Repositories orders = store.orders();
    Change change =
        orders
            .retries()
            .failed(lease.executionId(), "charge", policy, "CardDeclined", SECRET)
            .change();
    step(store, lease, "ChargeFailed", change);
    return lease.executionId();
  }

  /** An order whose second step was refused and whose first one could not be undone yet. */
  static void undoing(SampleStore store, String workflowId) {
    Lease lease = running(store, workflowId);
    UUID id = lease.executionId();
    Repositories orders = store.orders();
    NewActivity reserve = NewActivity.of("reserve-stock", "reserve-stock");
    step(store, lease, "ReserveStarted", orders.activities().begin(id, reserve, "worker-1"));
    var reserving = orders.activities().find(id, "reserve-stock").orElseThrow();
    step(store, lease, "Reserved", orders.activities().complete(reserving, Optional.of(SECRET)));
    NewCompensation release = NewCompensation.of("reserve-stock", "release-stock");
    step(store, lease, "Pushed", orders.compensations().push(id, release.withInput(SECRET)));
    NewActivity charge = NewActivity.of("charge", "charge");
    step(store, lease, "ChargeStarted", orders.activities().begin(id, charge, "worker-1"));
    var charging = orders.activities().find(id, "charge").orElseThrow();
    step(store, lease, "ChargeRefused", orders.activities().fail(charging, SECRET));
    step(store, lease, "Exhausted", failed(orders, id, "charge", RetryPolicy.ofAttempts(1)));
    store.transition(lease, ExecutionStatus.COMPENSATING);
    var undo = orders.compensations().next(id).orElseThrow();
    step(store, lease, "UndoStarted", orders.compensations().start(undo));
    undo = orders.compensations().next(id).orElseThrow();
    Instant again = Instant.now().plus(Duration.ofMinutes(1));
    step(
        store,
        lease,
        "UndoFailed",
        orders.compensations().fail(undo, "TRY_AGAIN", SECRET, Optional.of(again)));
    step(store, lease, "Retrying", failed(orders, id, "release-stock", RetryPolicy.ofAttempts(5)));
    store.release(lease);
  }

  private static Change failed(Repositories orders, UUID id, String activity, RetryPolicy policy) {
    return orders.retries().failed(id, activity, policy, "TRY_AGAIN", SECRET).change();
  }

  /** A consumer of the feed that stands at its first entry. */
  static void consumer(SampleStore store, String name) {
    var feed = store.orders().feed();
    RegisteredCursor first =
        RegisteredCursor.of(name, feed.read(Optional.empty(), 1).entries().get(0).cursor());
    feed.cursors().insert(first).orThrow();
  }
}
