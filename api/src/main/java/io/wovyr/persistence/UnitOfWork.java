/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence;

import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.Wake;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Collects changes and commits them as one batch: all of them at one instant, or none. Several
 * executions may take part (a parent and its child). Nothing is sent before {@link #commit()}, so
 * no transaction is open while user code runs. Not thread-safe; commit once: from then on, also
 * when the commit failed, every method but {@link #find} throws {@link IllegalStateException}.
 *
 * <pre>{@code
 * CommitResult result = orders.unitOfWork()
 *     .append(id, Append.next(lease), NewEvent.of("Charged").put(VARIABLES, "charge", receipt))
 *     .transition(execution, Transition.to(COMPLETED), Append.next(lease))
 *     .commit();
 * }</pre>
 *
 * @since 0.1
 */
public interface UnitOfWork {
  /** Creates an execution, as {@link io.wovyr.persistence.execution.Executions#create}. */
  UnitOfWork create(NewExecution execution);

  /** Appends events to an execution. All appends to one execution must use the same mode. */
  UnitOfWork append(UUID executionId, Append mode, List<NewEvent> events);

  /** Appends one event. */
  default UnitOfWork append(UUID executionId, Append mode, NewEvent event) {
    return append(executionId, mode, List.of(event));
  }

  /**
   * Moves an execution to another status, with an event that says so, after the events appended
   * before this call.
   *
   * @throws PersistenceException.IllegalTransition at once, when the lifecycle has no such step
   */
  UnitOfWork transition(WorkflowExecution before, Transition transition, Append mode);

  /** Frees the lease in the same commit. Not needed when a transition closes the execution. */
  UnitOfWork release(Lease lease, Wake wake);

  /**
   * Renews the lease in the same commit: what is staged beside it for its execution is decided
   * under the lease without an event to tell of it, as a heartbeat of an activity. Nothing counts
   * as progress of the execution by it. Not needed beside an append or transition under the lease,
   * which renew it as well.
   */
  UnitOfWork renew(Lease lease);

  /**
   * Stores a new record of a type that has a {@link Repository}; its header is filled in.
   *
   * @throws PersistenceException.InvalidInput for types that change by other means (executions,
   *     events, leases)
   */
  UnitOfWork insert(Object entity);

  /** Replaces a record as it was read by another of the same key. */
  <T> UnitOfWork update(T before, T after);

  /** Removes a record as it was read. */
  UnitOfWork delete(Object before);

  /**
   * Adds what a repository made: an activity's step, a retry, a compensation. Those three belong to
   * whoever holds the lease of their execution: they are committed together with an append or
   * transition under it, its release or its {@link #renew}, or with the creation of the execution;
   * so a worker that lost the lease changes none of them.
   */
  default UnitOfWork with(Change change) {
    change.stage(this);
    return this;
  }

  /** A record by its key, as this unit of work would leave it; staged changes are seen. Strong. */
  <T> Optional<T> find(Class<T> type, Object key);

  /** Holds only if this execution is still at this version when the batch is written. */
  UnitOfWork check(WorkflowExecution unchanged);

  /**
   * Called on the committing thread before each new try is sent, with the reference that {@link
   * Repositories#outcome(CommitReference)} understands: store it if the outcome must be known
   * across a crash of this process.
   */
  UnitOfWork beforeSend(Consumer<CommitReference> callback);

  /** Time the commit may take, retries included; the setting's default otherwise. */
  UnitOfWork within(Duration deadline);

  /**
   * Commits. Transient failures are retried inside, unknown outcomes are resolved, and changes that
   * do not concern this one (a heartbeat meanwhile) are stepped over.
   *
   * <p>While the calling thread is in a JTA transaction, and the store can join one, the changes
   * become part of it: the answer is {@link CommitResult.Joined} or {@link CommitResult.Conflict},
   * after which the transaction goes on as if nothing had been asked. Nothing is retried there:
   * when a statement fails, an exception says so and the transaction can only be rolled back.
   * Several commits in one transaction build upon each other; what is read in between is what
   * others see, without them. Leases are kept, renewed or freed as the transaction ends: when it is
   * rolled back they are as before.
   *
   * @throws IllegalStateException when it was called before
   * @throws PersistenceException.InvalidInput nothing was written: there is nothing to commit, or
   *     an activity, a retry or a compensation is changed without the lease of its execution
   * @throws PersistenceException.Rejected nothing was written, never will be
   * @throws PersistenceException.Unavailable nothing was written, retry is safe; inside a JTA
   *     transaction, in a new one
   * @throws PersistenceException.OutcomeUnknown the deadline came first; ask later by its reference
   */
  CommitResult commit();
}
