/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.activity;

import io.wovyr.persistence.Change;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.payload.Payload;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Activities of one tenant. Thread-safe. A change is staged beside the event that tells of it, so
 * that an activity's step is one commit:
 *
 * <pre>{@code
 * repositories.unitOfWork()
 *     .append(id, Append.next(lease), NewEvent.of("ChargeScheduled"))
 *     .with(activities.schedule(id, NewActivity.of("charge", "charge-card")))
 *     .commit();
 * }</pre>
 *
 * <p>Activities change under the lease of their execution only, see {@link
 * io.wovyr.persistence.UnitOfWork#with}: what a worker that lost it would still write is refused.
 * An activity that ends elsewhere is told to the execution by a signal, and ended by whoever takes
 * the execution then.
 *
 * <p>The commit's answer holds the activity as stored. Methods that take one want it as it was read
 * or answered last; when it has changed since, the commit is a conflict. They write it as it is
 * handed in with their one change, for whoever holds the lease may change all of it, and nothing is
 * read: a step is one round trip.
 *
 * @since 0.1
 */
public interface Activities {
  /** Schedules an activity; a conflict when the execution has one of this id already. */
  Change schedule(UUID executionId, NewActivity activity);

  /**
   * Begins the next attempt.
   *
   * @throws PersistenceException.IllegalTransition as all below: when its status does not allow it
   */
  Change start(ActivityExecution before, String worker);

  /** Schedules an activity and begins its first attempt, as {@link #schedule} and then start. */
  Change begin(UUID executionId, NewActivity activity, String worker);

  /**
   * Goes on with the attempt of a worker that is gone: the same attempt, in the name of this one.
   * For whoever took over the execution and repeats what it cannot know the end of.
   */
  Change takeOver(ActivityExecution before, String worker);

  /**
   * The worker is still on it; may leave details for the next attempt. Worth no event, it is
   * committed with the lease instead, which it renews: {@code
   * unit.renew(lease).with(activities.heartbeat(activity, details)).commit()}.
   */
  Change heartbeat(ActivityExecution before, Optional<Payload> details);

  /** It is done. */
  Change complete(ActivityExecution before, Optional<Payload> result);

  /** The attempt failed. The reason is a sensitive value. */
  Change fail(ActivityExecution before, Payload reason);

  /** The attempt failed and another one follows: as {@link #fail} and then {@link #reschedule}. */
  Change failAndReschedule(ActivityExecution before, Payload reason);

  /** It took too long: the attempt, or waiting for one. */
  Change timeOut(ActivityExecution before, Payload reason);

  /** It is not wanted any more. Needs no lease where the execution is finished. */
  Change cancel(ActivityExecution before);

  /** Schedules it again after a failed attempt. */
  Change reschedule(ActivityExecution before);

  /** The activity of this id. */
  Optional<ActivityExecution> find(UUID executionId, String activityId);

  /**
   * All activities of an execution by id, for what decides by them: none is left out, as lists do.
   *
   * @throws PersistenceException.UnsupportedVersion when one of them was written by a newer version
   * @throws PersistenceException.Corrupt when one of them is damaged
   */
  List<ActivityExecution> all(UUID executionId);

  /** The activities of an execution by id, without what cannot be read here. */
  Page<ActivityExecution> list(UUID executionId, int limit, Optional<String> after);

  /** The open ones of all executions, longest open first. */
  Page<ActivityExecution> open(int limit, Optional<String> after);

  /** What it was given. */
  Optional<Payload> input(ActivityExecution activity);

  /** What the last heartbeat left. */
  Optional<Payload> heartbeatDetails(ActivityExecution activity);

  /** What it answered. */
  Optional<Payload> result(ActivityExecution activity);

  /** Why the last failed attempt failed. */
  Optional<Payload> failure(ActivityExecution activity);
}
