/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.event.StateChange;
import io.wovyr.persistence.event.WorkflowEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Shows events, one a line.
 *
 * @param values whether payloads and put values are opened
 */
record EventPrinter(boolean values) {
  /** {@code +VARIABLES/total}, {@code -RETRIES/charge}. */
  static String changes(WorkflowEvent event) {
    List<String> changes = new ArrayList<>();
    for (StateChange change : event.changes()) {
      changes.add((change instanceof StateChange.Put ? "+" : "-") + name(change));
    }
    return changes.isEmpty() ? Human.NOTHING : String.join(" ", changes);
  }

  private static String name(StateChange change) {
    return section(change.section()) + "/" + change.key();
  }

  static String section(Section section) {
    return section.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  Optional<PayloadView> payload(Repositories repositories, WorkflowEvent event) {
    return PayloadView.of(event.payload(), values, () -> repositories.events().payload(event));
  }

  /** One event on a line of its own, for following. */
  String line(Repositories repositories, WorkflowEvent event) {
    return "%s  %6s  %-24s  %s  %s"
        .formatted(
            Human.time(event.committedAt()),
            Human.count(event.sequence()),
            Human.oneLine(event.type()),
            Human.oneLine(changes(event)),
            PayloadView.text(payload(repositories, event)));
  }

  JsonObject json(Repositories repositories, WorkflowEvent event) {
    List<JsonObject> changes = new ArrayList<>();
    for (int index = 0; index < event.changes().size(); index++) {
      changes.add(change(repositories, event, index));
    }
    return ExecutionJson.event(event)
        .put("payload", payload(repositories, event).map(PayloadView::json))
        .put("changes", changes);
  }

  private JsonObject change(Repositories repositories, WorkflowEvent event, int index) {
    StateChange change = event.changes().get(index);
    JsonObject json = ExecutionJson.change(change);
    if (change instanceof StateChange.Put put) {
      if (put.value() instanceof StateChange.Value.Own own) {
        json.put(
            "value",
            PayloadView.of(
                    Optional.of(own.payload()),
                    values,
                    () -> repositories.events().value(event, index))
                .map(PayloadView::json));
      } else {
        json.put("value", "payload");
      }
    }
    return json;
  }
}
