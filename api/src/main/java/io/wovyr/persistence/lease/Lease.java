/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.lease;

import io.wovyr.persistence.execution.ExecutionHead;
import java.time.Duration;
import java.util.UUID;

/**
 * The right to move one execution, held by this process. Safety is the {@link #token()}: whoever
 * acquires later has a higher one, and everything sent under an older one is refused. Thread-safe;
 * steps and heartbeats of one lease are serialized.
 *
 * @since 0.1
 */
public interface Lease {
  /** The execution it is for. */
  UUID executionId();

  /** The worker it was given to. */
  String worker();

  /** The fencing token; give it to every outside system that a step touches. */
  long token();

  /** True when the lease was taken from a worker that had not released it. */
  boolean takenOver();

  /** The head as this lease last saw it; events end at its {@code lastSequence}. */
  ExecutionHead head();

  /**
   * Time left by this process's own monotonic clock, less a safety margin; zero when it ran out.
   * Without authority nothing may be sent, even if nobody else took the execution yet.
   */
  Duration remaining();

  /** False once it was released, lost, or ran out; it never becomes true again. */
  boolean isHeld();
}
