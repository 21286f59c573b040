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

  /** A consumer of the feed that stands at its first entry. */
  static void consumer(SampleStore store, String name) {
    var feed = store.orders().feed();
    RegisteredCursor first =
        RegisteredCursor.of(name, feed.read(Optional.empty(), 1).entries().get(0).cursor());
    feed.cursors().insert(first).orThrow();
  }
}
