/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.PersistenceException.BrokenHistory;
import io.wovyr.persistence.event.WorkflowEvent;
import java.util.List;
import java.util.UUID;

/** Refuses a history with holes or doubles instead of guessing. */
final class EventGaps {
  private EventGaps() {}

  /** Events must follow one another, the first being {@code first}. */
  static void check(UUID executionId, long first, List<WorkflowEvent> events) {
    long expected = first;
    for (WorkflowEvent event : events) {
      if (event.sequence() < expected) {
        throw new BrokenHistory(executionId, event.sequence(), "duplicate event");
      }
      if (event.sequence() > expected) {
        throw new BrokenHistory(executionId, expected, "missing event");
      }
      expected++;
    }
  }

  /** What was read must reach the last event its head knows. */
  static void checkEnd(UUID executionId, long read, long last) {
    if (read < last) {
      throw new BrokenHistory(executionId, read + 1, "missing event");
    }
  }
}
