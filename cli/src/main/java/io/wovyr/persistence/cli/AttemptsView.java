/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.retry.FailedAttempt;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The attempts of a retry or an undo, their reasons only when they were asked for.
 *
 * @param problem why they cannot be shown
 */
record AttemptsView(List<FailedAttempt> attempts, boolean values, Optional<String> problem) {
  /**
   * Opens them. Those that do not open are told of, and the rest is shown all the same; whoever
   * asks for values is refused.
   */
  static AttemptsView of(Supplier<List<FailedAttempt>> history, boolean values) {
    try {
      return new AttemptsView(history.get(), values, Optional.empty());
    } catch (PersistenceException e) {
      if (values) {
        throw e;
      }
      return new AttemptsView(
          List.of(),
          false,
          Optional.of("they cannot be opened with the settings here: " + e.getMessage()));
    }
  }

  /** A line for each, the first one first; nothing when there is none. */
  void print(PrintStream out) {
    if (attempts.isEmpty()) {
      return;
    }
    Table table = new Table(">ATTEMPT", "FAILED (UTC)", "ERROR", "NEXT AFTER", "REASON");
    for (FailedAttempt attempt : attempts) {
      table.row(
          attempt.attempt(),
          Human.time(attempt.failedAt()),
          attempt.error(),
          attempt.delay().map(Human::duration).orElse(Human.NOTHING),
          PayloadView.text(attempt.reason().map(this::view)));
    }
    table.print(out);
    int first = attempts.get(0).attempt();
    if (first > 1) {
      out.println("those before attempt %d are not kept".formatted(first));
    }
  }

  /** Adds them to the record they are of. */
  JsonObject addTo(JsonObject record) {
    return record
        .put("history", problem.isPresent() ? null : attempts.stream().map(this::json).toList())
        .put("historyProblem", problem);
  }

  private JsonObject json(FailedAttempt attempt) {
    return new JsonObject()
        .put("attempt", attempt.attempt())
        .put("failedAt", attempt.failedAt())
        .put("error", attempt.error())
        .put("delay", attempt.delay())
        .put("reason", attempt.reason().map(this::view).map(PayloadView::json));
  }

  private PayloadView view(Payload reason) {
    return PayloadView.of(reason, values);
  }
}
