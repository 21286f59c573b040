/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence;

import io.wovyr.persistence.feed.Feed;
import io.wovyr.persistence.lease.Leases;
import io.wovyr.persistence.metrics.MetricsSnapshots;
import io.wovyr.persistence.schedule.Scheduler;
import io.wovyr.persistence.schedule.SchedulerOptions;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A durable-state layer over one store. Thread-safe; one per store and process. Every operation
 * goes through {@link #as(Caller)}, so that nobody forgets whose data it is.
 *
 * <pre>{@code
 * Repositories orders = persistence.as(Caller.of("acme", "order-service", Role.WRITER));
 * var created = orders.executions().create(NewExecution.of(DefinitionRef.of("order", 1)));
 * }</pre>
 *
 * @since 0.1
 */
public interface Persistence extends AutoCloseable {
  /**
   * The repositories as this caller sees them: its tenant's records only. Cheap; make one per
   * request.
   */
  Repositories as(Caller caller);

  /**
   * What the system itself needs across tenants.
   *
   * @param reason why, recorded where access is audited; 1 to 255 characters
   */
  SystemAccess system(String reason);

  /**
   * A scheduler over this store; it does nothing until it is started or run. Close it before this.
   *
   * @throws PersistenceException.InvalidInput for options out of bounds
   */
  Scheduler scheduler(SchedulerOptions options);

  /** Name of the storage provider, such as {@code sqlite}. */
  String provider();

  /**
   * Takes no more leases, lets the bodies end whose leases a {@link
   * io.wovyr.persistence.lease.LeaseKeeper} keeps, as long as {@code wovyr.shutdown.grace} says,
   * then cancels the others and frees their leases; closes schedulers; then frees connections and
   * files. Leases that nobody keeps run out by themselves.
   */
  @Override
  void close();

  /**
   * See {@link #system(String)}. Yields keys and the system's own rows, never values of tenants.
   */
  interface SystemAccess {
    /**
     * Executions somebody should look at now, of all tenants: runnable ones, due timers and
     * retries, expired leases. A hint; acquiring decides. Pick at random from the answer to keep
     * workers apart.
     *
     * @param limit 1 to 1,000
     */
    List<Due> due(int limit);

    /**
     * Schedules that are due to fire, of all tenants, the most overdue first. A hint; {@link
     * io.wovyr.persistence.schedule.Schedules#fire} decides. Pick at random from the answer to keep
     * schedulers apart, and go on with the others when one cannot be fired.
     *
     * @param limit 1 to 1,000
     */
    List<DueSchedule> dueSchedules(int limit);

    /**
     * As {@link #dueSchedules(int)}, page by page: those that cannot be fired stay due, and must
     * not hide the ones behind them.
     *
     * @param limit 1 to 1,000
     * @param after {@link Page#next()} of the page before
     */
    Page<DueSchedule> dueSchedules(int limit, Optional<String> after);

    /** Named leases of the system. */
    Leases leases();

    /** The feed over all tenants. */
    Feed feed();

    /** Stored samples of the store's metrics. */
    MetricsSnapshots metrics();

    /**
     * Removes expired commit markers, which every creation of an execution leaves, and every commit
     * without an event; cheap when there are none. Those of a newer version are passed over.
     *
     * @param limit most that are removed in this call, 1 to 1,000
     * @return how many were removed; call again while it is {@code limit}
     */
    int sweepMarkers(int limit);

    /**
     * Removes large values that were written for a commit that never came, or that no record refers
     * to any more. Safe while others commit, at any time, by several at once; cheap when there are
     * none. Returns how many.
     *
     * @param limit 1 to 1,000
     */
    int sweepLargeValues(int limit);
  }

  /** An execution somebody should look at. */
  record Due(String tenantId, UUID executionId) {}

  /** A schedule that is due to fire. */
  record DueSchedule(String tenantId, String name) {}
}
