/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import static io.wovyr.persistence.event.Section.VARIABLES;

import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.samples.ordersaga.SagaState.Mark;
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

  /** The start of an attempt. */
  static NewEvent started(Step.Attempt attempt, boolean takenOver) {
    return NewEvent.of(STARTED)
        .withPayload(
            Json.payload(
                new Started(
                    attempt.activity().text(), attempt.number(), attempt.repeated(), takenOver)));
  }

  /** The end of an attempt. What it came to is in the variables once it is final. */
  static NewEvent ended(Step.Attempt attempt, Answer answer, Mark mark, long ledgerToken) {
    Activity activity = attempt.activity();
    String name = activity.text();
    NewEvent event =
        NewEvent.of(mark == Mark.DONE ? COMPLETED : FAILED)
            .withPayload(
                Json.payload(new Ended(name, attempt.number(), mark, answer.text(), ledgerToken)));
    return switch (mark) {
      case DONE -> event.put(VARIABLES, name, values("receipt", answer.text()));
      case FAILED ->
          event.put(
              VARIABLES,
              activity.isOptional() ? "remark" : "failure",
              values("activity", name, "reason", answer.text()));
      case STARTED, WAITING -> event;
    };
  }

  private static Payload values(String... pairs) {
    Map<String, String> values = new TreeMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      values.put(pairs[i], pairs[i + 1]);
    }
    return Json.payload(values);
  }
}
