/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.event;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The events of the caller's tenant: append and read, nothing else. Thread-safe. Reads are strong.
 *
 * @since 0.1
 */
public interface Events {
  /**
   * Appends all events or none. The numbers in the answer are those of the rows this call wrote (or
   * of the identical ones it wrote before, when it is repeated).
   *
   * @throws PersistenceException.OutcomeUnknown when the deadline came before the outcome was known
   */
  CommitResult append(UUID executionId, Append mode, List<NewEvent> events);

  /** Appends one event. */
  default CommitResult append(UUID executionId, Append mode, NewEvent event) {
    return append(executionId, mode, List.of(event));
  }

  /**
   * Events from {@code fromSequence} on, in sequence order.
   *
   * @throws PersistenceException.EventsTruncated when {@code fromSequence} was purged
   * @throws PersistenceException.BrokenHistory when an event is missing or doubled
   */
  Page<WorkflowEvent> read(UUID executionId, long fromSequence, int limit);

  /** One event. */
  Optional<WorkflowEvent> find(UUID executionId, long sequence);

  /** Events of one correlation id, in no promised order across executions. */
  Page<WorkflowEvent> byCorrelation(UUID correlationId, int limit, Optional<String> after);

  /** Events caused by one event or command. */
  Page<WorkflowEvent> byCausation(UUID causationId, int limit, Optional<String> after);

  /** Opens the payload of an event; empty when it has none. */
  Optional<Payload> payload(WorkflowEvent event);

  /**
   * Opens the value that change number {@code index} of an event put; empty for a removal.
   *
   * @see StateChange
   * @see StoredPayload
   */
  Optional<Payload> value(WorkflowEvent event, int index);

  /**
   * Removes the events below {@code belowSequence}, of a finished execution only, and never beyond
   * the slowest registered feed cursor unless {@code force}. The execution's numbers go on where
   * they were. May be repeated after a crash.
   *
   * @return how many events were removed
   * @throws PersistenceException.InvalidInput when the execution is live, or a cursor would be
   *     passed
   */
  long purge(UUID executionId, long belowSequence, boolean force);
}
