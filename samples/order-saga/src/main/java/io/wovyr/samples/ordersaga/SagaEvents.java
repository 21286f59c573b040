/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import static io.wovyr.persistence.event.Section.ACTIVITIES;
import static io.wovyr.persistence.event.Section.COMPENSATION;
import static io.wovyr.persistence.event.Section.RETRIES;
import static io.wovyr.persistence.event.Section.VARIABLES;

import io.wovyr.persistence.event.NewEvent;
import io.wovyr.samples.ordersaga.SagaState.Mark;
import io.wovyr.samples.ordersaga.SagaState.Progress;
import java.util.Map;
import java.util.TreeMap;

/**
 * The events of an order. Their payload tells what happened, tokens and repetitions included; their
 * state changes tell what it means, and are functions of order and seed alone: never of times,
 * workers, tokens or crashes. So two runs of one seed end in the same content, whatever happened to
 * their workers.
 */
final class SagaEvents {
  /** An attempt begins; it is durable before the outside world is asked. */
  static final String STARTED = "ActivityStarted";

  /** An attempt succeeded. */
  static final String COMPLETED = "ActivityCompleted";

  /** An attempt failed. */
  static final String FAILED = "ActivityFailed";

  private SagaEvents() {}

  /**
   * Payload of {@link #STARTED}.
   *
   * @param repeated the same attempt was started before
   * @param takenOver first event under a lease that was taken from a worker that had gone
   */
  record Started(String activity, int attempt, boolean repeated, boolean takenOver) {}

  /**
   * Payload of {@link #COMPLETED} and {@link #FAILED}.
   *
   * @param mark how the activity stands now
   * @param ledgerToken the token under which the outside world says the effect ran
   */
  record Ended(String activity, int attempt, Mark mark, String text, long ledgerToken) {}

  /** The start of an attempt. A repeated one changes nothing in the state. */
  static NewEvent started(Step.Attempt attempt, boolean takenOver) {
    String name = attempt.activity().text();
    NewEvent event =
        NewEvent.of(STARTED)
            .withPayload(
                Json.payload(new Started(name, attempt.number(), attempt.repeated(), takenOver)));
    return attempt.repeated()
        ? event
        : event.put(ACTIVITIES, name, Json.payload(new Progress(Mark.STARTED, attempt.number())));
  }

  /** The end of an attempt. */
  static NewEvent ended(Step.Attempt attempt, Answer answer, Mark mark, long ledgerToken) {
    String name = attempt.activity().text();
    NewEvent event =
        NewEvent.of(mark == Mark.DONE ? COMPLETED : FAILED)
            .withPayload(
                Json.payload(new Ended(name, attempt.number(), mark, answer.text(), ledgerToken)))
            .put(ACTIVITIES, name, Json.payload(new Progress(mark, attempt.number())));
    return mark == Mark.DONE ? done(event, attempt, answer) : failed(event, attempt, answer, mark);
  }

  private static NewEvent done(NewEvent event, Step.Attempt attempt, Answer answer) {
    Activity activity = attempt.activity();
    NewEvent changed =
        event.put(VARIABLES, activity.text(), Json.payload(values("receipt", answer.text())));
    if (attempt.number() > 1) {
      changed = changed.remove(RETRIES, activity.text());
    }
    if (activity.undo().isPresent()) {
      String undo = activity.undo().get().text();
      changed =
          changed.put(
              COMPENSATION,
              activity.text(),
              Json.payload(values("undo", undo, "receipt", answer.text())));
    }
    for (Activity undone : Activity.FORWARD) {
      if (undone.undo().filter(activity::equals).isPresent()) {
        changed = changed.remove(COMPENSATION, undone.text());
      }
    }
    return changed;
  }

  private static NewEvent failed(NewEvent event, Step.Attempt attempt, Answer answer, Mark mark) {
    String name = attempt.activity().text();
    NewEvent changed =
        event.put(
            RETRIES,
            name,
            Json.payload(
                values("failures", String.valueOf(attempt.number()), "last", answer.text())));
    return mark == Mark.FAILED
        ? changed.put(
            VARIABLES,
            attempt.activity().isOptional() ? "remark" : "failure",
            Json.payload(values("activity", name, "reason", answer.text())))
        : changed;
  }

  private static Map<String, String> values(String... pairs) {
    Map<String, String> values = new TreeMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      values.put(pairs[i], pairs[i + 1]);
    }
    return values;
  }
}
