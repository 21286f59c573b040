/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.payload.Payload;
import java.util.Optional;
import java.util.Set;

/** The events this library writes by itself, and the names it keeps for them. */
final class SystemEvents {
  private static final String PREFIX = "wovyr.";

  /** Keys of the state that only this library changes. */
  private static final Set<String> LIFECYCLE = Set.of("status", "input", "outcome");

  static final String CREATED = PREFIX + "ExecutionCreated";
  static final String STATUS_CHANGED = PREFIX + "StatusChanged";

  static final String RETRY_NOW = PREFIX + "RetryNow";

  static final String COMPENSATION_RESUMED = PREFIX + "CompensationResumed";

  private SystemEvents() {}

  /** A rollback was made due from outside. */
  static NewEvent compensationResumed() {
    return NewEvent.of(COMPENSATION_RESUMED);
  }

  /** A retry of this activity was made due from outside. */
  static NewEvent retryNow(String activityId) {
    return NewEvent.of(RETRY_NOW).withPayload(Payload.text(activityId));
  }

  static NewEvent created(Optional<Payload> input) {
    return withStatus(CREATED, ExecutionStatus.CREATED, input, "input");
  }

  static NewEvent statusChanged(ExecutionStatus to, Optional<Payload> outcome) {
    return withStatus(STATUS_CHANGED, to, outcome, "outcome");
  }

  private static NewEvent withStatus(
      String type, ExecutionStatus status, Optional<Payload> payload, String key) {
    NewEvent event = NewEvent.of(type).put(Section.WORKFLOW, "status", Payload.text(status.name()));
    return payload
        .map(value -> event.withPayload(value).putPayload(Section.WORKFLOW, key))
        .orElse(event);
  }

  static boolean isReserved(String type) {
    return type.startsWith(PREFIX);
  }

  /** What is this library's to say, no application says. */
  static void refuseReserved(NewEvent event) {
    if (isReserved(event.type())) {
      throw new InvalidInput("event types beginning with '" + PREFIX + "' are reserved");
    }
    for (NewEvent.Change change : event.changes()) {
      if (change.section() == Section.WORKFLOW && LIFECYCLE.contains(change.key())) {
        throw new InvalidInput(
            "workflow/%s follows the execution's lifecycle: use a transition, or another key"
                .formatted(change.key()));
      }
    }
  }
}
