/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.execution;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.state.WorkflowState;
import java.util.Optional;
import java.util.UUID;

/**
 * The executions of the caller's tenant. Thread-safe. Reads are strong.
 *
 * @since 0.1
 */
public interface Executions {
  /**
   * Creates an execution: its record, its head and its first event at one instant. Idempotent: the
   * same id with the same definition, workflowId and input succeeds and returns the stored one; the
   * same id with anything else is a {@link CommitResult.Conflict} ({@code ALREADY_EXISTS}); a
   * workflowId that another live execution holds is one too ({@code UNIQUE_KEY_TAKEN}), unless the
   * policy {@link io.wovyr.persistence.definition.DefinitionPolicies.Policy#WORKFLOW_ID_REUSE} of
   * its definition allows it. A definition that is not stored here refuses nothing; its policies
   * are those of the settings.
   *
   * @throws PersistenceException.InvalidInput for a definition that is stored and cannot be
   *     executed
   */
  CommitResult create(NewExecution execution);

  /** The execution, or empty when this tenant has none of that id. */
  Optional<WorkflowExecution> find(UUID id);

  /**
   * The live execution that holds this name. One created where the policy allows its reuse holds
   * none: it is found by its id or by an {@link ExecutionQuery}.
   */
  Optional<WorkflowExecution> findLive(String workflowId);

  /** The head of an execution. */
  Optional<ExecutionHead> head(UUID id);

  /** Executions in id order, oldest first, of one status or of all. */
  Page<WorkflowExecution> list(Optional<ExecutionStatus> status, int limit, Optional<String> after);

  /**
   * Executions that match a query, in the order they were created (by their creators' clocks),
   * newest first unless asked otherwise. Answered by an index, whatever is asked.
   */
  Page<WorkflowExecution> find(ExecutionQuery query, int limit, Optional<String> after);

  /**
   * Moves an execution to another status, with its event. Under a lease, or as a {@link
   * Append.Signal} from outside (pause, resume, cancel). Ended from outside, its open activities
   * and its pending retries are cancelled with it, in the same commit as far as the store's limits
   * allow and else right after it; under a lease that is the holder's to decide.
   *
   * @param before the record as it was read. From outside only its id and its version count: what
   *     is stored is moved
   * @throws PersistenceException.IllegalTransition when the lifecycle has no such step
   */
  CommitResult transition(WorkflowExecution before, Transition transition, Append mode);

  /**
   * The state after the newest event.
   *
   * @throws PersistenceException.BrokenHistory when an event is missing or doubled
   * @throws PersistenceException.EventsTruncated when events needed were purged
   * @throws PersistenceException.InvalidInput when there is no such execution
   */
  WorkflowState state(UUID id);

  /**
   * The state after event {@code sequence}; 0 is the empty state. Throws as {@link #state(UUID)}.
   */
  WorkflowState state(UUID id, long sequence);

  /** Opens the input of an execution; empty when it had none. */
  Optional<Payload> input(WorkflowExecution execution);

  /** Opens the outcome of an execution; empty when it has none. */
  Optional<Payload> outcome(WorkflowExecution execution);
}
