/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.execution;

import io.wovyr.persistence.payload.Payload;
import java.util.Optional;

/**
 * A change of an execution's status, with the outcome when it closes. Every transition is recorded
 * as an event in the same commit.
 *
 * @param to the status to reach
 * @param outcome result or failure reason; only with a final status
 * @since 0.1
 */
public record Transition(ExecutionStatus to, Optional<Payload> outcome) {
  /** To this status. */
  public static Transition to(ExecutionStatus status) {
    return new Transition(status, Optional.empty());
  }

  /** With this outcome. */
  public Transition withOutcome(Payload value) {
    return new Transition(to, Optional.of(value));
  }
}
