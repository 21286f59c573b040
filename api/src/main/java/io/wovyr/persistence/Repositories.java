/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence;

import io.wovyr.persistence.activity.Activities;
import io.wovyr.persistence.audit.AuditLog;
import io.wovyr.persistence.checkpoint.CheckpointRecords;
import io.wovyr.persistence.compensation.Compensations;
import io.wovyr.persistence.definition.Definitions;
import io.wovyr.persistence.event.Events;
import io.wovyr.persistence.execution.Executions;
import io.wovyr.persistence.feed.Feed;
import io.wovyr.persistence.lease.Leases;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.quarantine.Quarantine;
import io.wovyr.persistence.retry.Retries;
import io.wovyr.persistence.schedule.Schedules;
import io.wovyr.persistence.secret.Secrets;
import io.wovyr.persistence.state.WorkflowState;
import java.time.Duration;
import java.util.function.Function;

/**
 * Everything one caller may touch, bound to its tenant. Thread-safe and cheap.
 *
 * @since 0.1
 */
public interface Repositories {
  /** On whose behalf. */
  Caller caller();

  /** Executions. */
  Executions executions();

  /** Events. */
  Events events();

  /** Leases. */
  Leases leases();

  /** Workflow definitions. */
  Definitions definitions();

  /** Activities of executions. */
  Activities activities();

  /** Retries of activities. */
  Retries retries();

  /** Compensation stacks. */
  Compensations compensations();

  /** Schedules. */
  Schedules schedules();

  /** Records of checkpoints. */
  CheckpointRecords checkpoints();

  /** Who did what. */
  AuditLog audit();

  /** Secrets. */
  Secrets secrets();

  /** Records that cannot be read here. */
  Quarantine quarantine();

  /** The feed of this tenant. */
  Feed feed();

  /** A new, empty unit of work. Not thread-safe; commit it once. */
  UnitOfWork unitOfWork();

  /**
   * Runs a function that reads, decides and commits; when it answers a conflict, runs it again from
   * the start, with full jitter between, until {@code budget} is over. The function must have no
   * other effects. Inside a JTA transaction that the store joins it runs once: what the caller read
   * there before has to be decided again as well.
   *
   * @return the last answer
   */
  CommitResult retrying(Duration budget, Function<Repositories, CommitResult> work);

  /**
   * What became of a commit whose outcome was unknown. Settles it for good: after {@link
   * Resolution#NEVER_APPLIED} no try still in flight can win.
   *
   * @throws PersistenceException.InvalidInput for a reference of another tenant, or a damaged one
   */
  Resolution outcome(CommitReference reference);

  /** Opens a value of a state with this caller's rights. */
  Payload open(WorkflowState.Leaf leaf);
}
