/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.schedule;

import io.wovyr.persistence.PersistenceException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Fires schedules when they are due: finds them across tenants, fires each as {@link
 * Schedules#fire} does, goes on with the others when one cannot be fired, and waits longer and
 * longer while the store is out of reach. Run one in every process that may; of schedulers that
 * share a lease one fires and the others stand by, and without a lease all fire side by side. Who
 * fires a time is decided by the commit either way, so that it is fired once whatever becomes of a
 * scheduler or its clock.
 *
 * <pre>{@code
 * try (Scheduler scheduler = persistence.scheduler(SchedulerOptions.of("node-1"))) {
 *   scheduler.start(outcome -> {});
 *   ...
 * }
 * }</pre>
 *
 * <p>Thread-safe; at most one thread is in {@link #run} or {@link #fireDue} at a time, others wait.
 *
 * @since 0.1
 */
public interface Scheduler extends AutoCloseable {
  /**
   * Looks once and fires what is due, on the calling thread. For whoever has a loop of its own.
   *
   * @return what came of each schedule that was due; empty also while another scheduler holds the
   *     lease
   * @throws PersistenceException.StorageFailure when the store cannot be asked what is due; call
   *     again later
   */
  List<Outcome> fireDue();

  /**
   * Looks again and again on the calling thread until it is closed or the thread is interrupted;
   * its interrupt flag stays set. Then frees the lease. A store that is out of reach does not end
   * it.
   *
   * @param listener told of every outcome, on the calling thread, while the next one waits; an
   *     exception it throws is logged and stops nothing
   * @throws IllegalStateException when it was closed
   * @throws PersistenceException.StorageFailure when its first look is refused for a cause that
   *     stays: the store was opened without the system role, or refuses its login
   */
  void run(Consumer<Outcome> listener);

  /**
   * As {@link #run}, on a daemon thread of its own, where a look that is refused is logged and made
   * again.
   *
   * @throws IllegalStateException when it was closed or started before
   */
  void start(Consumer<Outcome> listener);

  /** True while it fires what is due; false while another one holds the lease, or none runs. */
  boolean isActive();

  /**
   * Begins no more fires, waits for the one under way, and frees the lease, so that another
   * scheduler goes on at once. A second call does nothing.
   */
  @Override
  void close();

  /** How a look at one due schedule ended. */
  enum Result {
    /** Executions were created. */
    FIRED,
    /** It moved on and nothing was created: its misfire rule says so, or they are there already. */
    PASSED_OVER,
    /** Somebody else fired, paused, changed or removed it first. */
    LOST,
    /** It cannot be fired, and was paused: its definition cannot be executed any more. */
    REFUSED,
    /** The store or the record failed; it stays due and is tried again, later each time. */
    FAILED
  }

  /**
   * What came of one due schedule.
   *
   * @param executions that were created, oldest fire first
   * @param problem why it was refused or failed, for people; no payloads
   */
  record Outcome(
      String tenantId,
      String schedule,
      Result result,
      List<Begun> executions,
      Optional<String> problem) {
    /** Copies the executions. */
    public Outcome {
      executions = List.copyOf(executions);
    }
  }

  /** An execution that was created; the workflow id ends with the time of its fire. */
  record Begun(UUID executionId, String workflowId) {}
}
