/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.state;

import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.event.StateChange;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.state.WorkflowState;
import io.wovyr.persistence.state.WorkflowState.Leaf;
import io.wovyr.persistence.state.WorkflowState.Origin;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What a run of events leaves behind: the last change of each key. Folding many events first and
 * touching the tree once per key is what keeps replay cheap. Not thread-safe.
 */
final class Changes {
  private static final String PAYLOAD = "payload";

  /** The first paths, made once: most events have few changes. */
  private static final List<String> PATHS =
      IntStream.range(0, 32).mapToObj(Changes::pathOf).toList();

  private final Map<WorkflowState.Key, Optional<Leaf>> byKey = new HashMap<>();

  /** Adds the changes of the next event, in order. */
  void add(WorkflowEvent event) {
    List<StateChange> changes = event.changes();
    for (int i = 0; i < changes.size(); i++) {
      StateChange change = changes.get(i);
      WorkflowState.Key key = new WorkflowState.Key(change.section(), change.key());
      byKey.put(
          key,
          change instanceof StateChange.Put put
              ? Optional.of(leaf(event, i, put.value()))
              : Optional.empty());
    }
  }

  /** The last change of each key; empty: it was removed. */
  Map<WorkflowState.Key, Optional<Leaf>> byKey() {
    return byKey;
  }

  private static Leaf leaf(WorkflowEvent event, int index, StateChange.Value value) {
    if (value instanceof StateChange.Value.Own own) {
      String path = index < PATHS.size() ? PATHS.get(index) : pathOf(index);
      return new Leaf(
          own.payload(), new Origin(event.executionId(), event.id(), path, event.sequence()));
    }
    StoredPayload payload =
        event
            .payload()
            .orElseThrow(
                () ->
                    new Corrupt(
                        "event %s (execution %s, sequence %d) puts its payload into the state and has none"
                            .formatted(event.id(), event.executionId(), event.sequence()),
                        null));
    return new Leaf(
        payload, new Origin(event.executionId(), event.id(), PAYLOAD, event.sequence()));
  }

  private static String pathOf(int index) {
    return "changes[" + index + "]";
  }
}
