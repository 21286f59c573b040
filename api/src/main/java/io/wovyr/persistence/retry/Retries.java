/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.retry;

import io.wovyr.persistence.Change;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.payload.Payload;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Retries of one tenant. Thread-safe. A failed attempt is recorded in the commit that tells of it;
 * then the execution's lease is freed until {@link #nextDue}: whichever worker comes then goes on
 * with the stored attempt and delay. A retry has no timer of its own: it is found through the
 * execution's due time, so no worker, no scheduler and no process need survive.
 *
 * @since 0.1
 */
public interface Retries {
  /**
   * What follows a failed attempt.
   *
   * @param retry as it will be stored
   * @param change to be staged beside the event of the failure
   */
  record Decision(RetryRecord retry, Change change) {
    /** When to try again; empty: never. */
    public Optional<Instant> nextAttemptAt() {
      return retry.nextAttemptAt();
    }
  }

  /**
   * Decides what follows a failed attempt. The first failure fixes the policy; later ones go by it,
   * whatever is given then. A retry that is over stays over: an exhausted one gets another attempt
   * by {@link #retryNow} only. The activity itself is not touched: stage {@code failAndReschedule}
   * or {@code fail} of {@link io.wovyr.persistence.activity.Activities} beside it.
   *
   * @param errorType a name of the application, compared with the policy's
   * @param reason a sensitive value; kept in the history beside those before it, which are left out
   *     with a warning when they are damaged or their data key is gone
   * @throws PersistenceException.IllegalTransition as all below: when its status does not allow it
   */
  Decision failed(
      UUID executionId, String activityId, RetryPolicy policy, String errorType, Payload reason);

  /** An attempt succeeded after all. */
  Change succeeded(RetryRecord before);

  /** It is not wanted any more. Needs no lease where the execution is finished. */
  Change cancelled(RetryRecord before);

  /**
   * Makes a pending or exhausted retry due now, with its execution: an exhausted one gets one more
   * attempt. Needs {@code OPERATE}; works from outside, without a lease. Only id and version of
   * {@code before} count: the rest is what is stored.
   */
  CommitResult retryNow(RetryRecord before);

  /** The retry of this activity. */
  Optional<RetryRecord> find(UUID executionId, String activityId);

  /**
   * All retries of an execution by activity, for what decides by them: none is left out, as lists
   * do.
   *
   * @throws PersistenceException.UnsupportedVersion when one of them was written by a newer version
   * @throws PersistenceException.Corrupt when one of them is damaged
   */
  List<RetryRecord> all(UUID executionId);

  /** The retries of an execution by activity, without what cannot be read here. */
  Page<RetryRecord> list(UUID executionId, int limit, Optional<String> after);

  /** The retries of all executions that wait, earliest first. */
  Page<RetryRecord> pending(int limit, Optional<String> after);

  /** The retries of all executions that gave up. */
  Page<RetryRecord> exhausted(int limit, Optional<String> after);

  /**
   * When the earliest pending retry of an execution is due, as stored: what to free its lease
   * until.
   *
   * @throws PersistenceException.UnsupportedVersion when one of its retries was written by a newer
   *     version, and may be the earliest
   * @throws PersistenceException.Corrupt when one of them is damaged
   */
  Optional<Instant> nextDue(UUID executionId);

  /** Why the last attempt failed. */
  Optional<Payload> reason(RetryRecord retry);

  /**
   * Its attempts that failed, first one first, each with its reason and the delay that followed:
   * the newest {@value FailedAttempt#MOST_KEPT}, in {@value FailedAttempt#MOST_BYTES} bytes
   * together, see there. Of a retry stored by a version that kept no histories: the newest one.
   *
   * @throws PersistenceException.Corrupt when it is damaged in the store; the next failure begins
   *     it anew, without the attempts before
   */
  List<FailedAttempt> history(RetryRecord retry);
}
