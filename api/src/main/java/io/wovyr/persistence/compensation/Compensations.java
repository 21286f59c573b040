/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.compensation;

import io.wovyr.persistence.Change;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.retry.FailedAttempt;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Compensation stacks of one tenant. Thread-safe. Entries are pushed as steps succeed and undone in
 * reverse order, each once: every change is guarded by the entry's version and committed with the
 * event that tells of it, under the execution's lease. A rollback that is killed anywhere is
 * resumed by asking for {@link #next} again.
 *
 * <p>A rollback begins with the transition of its execution to {@code COMPENSATING}, and ends with
 * one to {@code COMPENSATED}: nothing checks that {@link #next} is empty then.
 *
 * <p>An entry that cannot be read here, since a newer version wrote it or it is damaged, is never
 * passed over where it may have to be undone first: {@link #next} and {@link #start} throw what
 * {@link #find} throws for it, {@code UnsupportedVersion} or {@code Corrupt}. {@link #stack} and
 * {@link #list} are for people and leave it out: decide nothing by them.
 *
 * @since 0.1
 */
public interface Compensations {
  /**
   * Puts an entry on top of the stack, of what cannot be read here as well.
   *
   * @throws PersistenceException.InvalidInput from {@link io.wovyr.persistence.UnitOfWork#with}:
   *     when the highest position, 2,147,483,647, is taken
   */
  Change push(UUID executionId, NewCompensation compensation);

  /**
   * The highest entry that is not done, whether or not it was begun; empty: nothing is left.
   *
   * @throws PersistenceException.UnsupportedVersion when one above it was written by a newer
   *     version, which alone can tell whether it is done
   * @throws PersistenceException.Corrupt when one above it is damaged
   */
  Optional<CompensationRecord> next(UUID executionId);

  /**
   * Begins to undo an entry, or begins again after a crash or a failure. When it is staged, every
   * higher entry must be done, or done by what was staged in the same unit of work before: the end
   * of one step and the begin of the next may be one commit.
   *
   * <p>An entry that is pushed after this change was made, however late, makes the commit a
   * conflict ({@code STALE_VERSION}, naming what was pushed): ask for {@link #next} again. In the
   * same unit of work nothing is pushed: its commit is an {@code IllegalTransition}. What the
   * caller's JTA transaction has pushed and undone so far is seen, by the thread that is in it;
   * {@link #next} and {@link #all} read what is committed: go on from the answers there.
   *
   * @throws PersistenceException.IllegalTransition as all below: when its status does not allow it;
   *     from {@link io.wovyr.persistence.UnitOfWork#with}: when a higher entry is not done
   */
  Change start(CompensationRecord before);

  /** It is undone. */
  Change complete(CompensationRecord before, Optional<Payload> result);

  /**
   * The try failed. The reason is a sensitive value.
   *
   * @param nextAttemptAt kept with the entry, of the years 1970 to 9999; what wakes the execution
   *     then is {@link io.wovyr.persistence.lease.Wake#at} at the release of its lease
   */
  Change fail(
      CompensationRecord before, String errorType, Payload reason, Optional<Instant> nextAttemptAt);

  /** It is left as it is, by decision. */
  Change skip(CompensationRecord before, Payload reason);

  /**
   * Makes an execution that is being rolled back due now, and tells its history so: whoever takes
   * it goes on with {@link #next}. Undoes nothing by itself, however often it is asked. Needs
   * {@code OPERATE}; works from outside, without a lease.
   *
   * @throws PersistenceException.IllegalTransition when it is not being rolled back
   */
  CommitResult resume(UUID executionId);

  /** This entry. */
  Optional<CompensationRecord> find(UUID executionId, int position);

  /**
   * The whole stack of an execution, top first, for what decides by them: none is left out, as
   * lists do.
   *
   * @throws PersistenceException.UnsupportedVersion when one of them was written by a newer version
   * @throws PersistenceException.Corrupt when one of them is damaged
   */
  List<CompensationRecord> all(UUID executionId);

  /** The stack of an execution, top first, without what cannot be read here. */
  Page<CompensationRecord> stack(UUID executionId, int limit, Optional<String> after);

  /** Entries of all executions in this status, oldest first, without what cannot be read here. */
  Page<CompensationRecord> list(CompensationStatus status, int limit, Optional<String> after);

  /** What undoing it needs. */
  Optional<Payload> input(CompensationRecord entry);

  /** What undoing it answered. */
  Optional<Payload> result(CompensationRecord entry);

  /** Why the last try failed, or it was skipped. */
  Optional<Payload> failure(CompensationRecord entry);

  /**
   * Its tries that failed, first one first, each with its reason and the delay that followed; as
   * much of it as {@link io.wovyr.persistence.retry.Retries#history} keeps.
   */
  List<FailedAttempt> history(CompensationRecord entry);
}
