/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.PersistenceException.BrokenHistory;
import io.wovyr.persistence.PersistenceException.EventsTruncated;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Refuses a history with holes or doubles instead of guessing. */
final class EventGaps {
  private EventGaps() {}

  /**
   * The head of an execution that still keeps its events from {@code from} on.
   *
   * @throws EventsTruncated when it does not
   */
  static Optional<Row> checkKept(Engine engine, Scope scope, UUID executionId, long from) {
    Optional<Row> head = engine.read(scope, Key.of(RecordTypes.HEAD, executionId));
    long lowWaterMark = head.map(row -> (Long) FencedRows.require(row, "lowWaterMark")).orElse(0L);
    if (from < lowWaterMark) {
      throw new EventsTruncated(executionId, lowWaterMark);
    }
    return head;
  }

  /**
   * False when the first of these events is another: a hole, or a purge since the head was read.
   */
  static boolean beginsAt(long first, List<Row> events) {
    return !events.isEmpty() && Long.valueOf(first).equals(events.get(0).key().values().get(1));
  }

  /** Events must follow one another, the first being {@code first}. */
  static void check(Engine engine, UUID executionId, long first, List<WorkflowEvent> events) {
    long expected = first;
    for (WorkflowEvent event : events) {
      if (event.sequence() < expected) {
        throw engine.counted(new BrokenHistory(executionId, event.sequence(), "duplicate"));
      }
      if (event.sequence() > expected) {
        throw engine.counted(new BrokenHistory(executionId, expected, "missing"));
      }
      expected++;
    }
  }

  /** What was read must reach the last event its head knows. */
  static void checkEnd(Engine engine, UUID executionId, long read, long last) {
    if (read < last) {
      throw engine.counted(new BrokenHistory(executionId, read + 1, "missing"));
    }
  }
}
