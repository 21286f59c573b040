/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.definition.NewDefinition;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.retry.RetryPolicy;
import java.time.Duration;
import java.util.List;

/** The workflows of this program. They are stored as definitions; executions name theirs. */
enum Workflow {
  /** An order: one step after the other, and back again when one of them fails for good. */
  ORDER_SAGA("order-saga"),
  /** What a schedule begins now and then: the books are settled. */
  SETTLEMENT("settlement");

  private static final int VERSION = 1;

  /** How often and how soon a failed attempt is followed by another one. */
  static final RetryPolicy RETRIES =
      RetryPolicy.ofAttempts(5)
          .withDelays(Duration.ofMillis(60), Duration.ofMillis(300))
          .withNonRetryable(Answer.Kind.REFUSED.name());

  private final String text;

  Workflow(String text) {
    this.text = text;
  }

  /** Its name in the store. */
  String text() {
    return text;
  }

  /** The way forward, in this order. */
  List<Activity> steps() {
    return switch (this) {
      case ORDER_SAGA ->
          List.of(Activity.RESERVE_STOCK, Activity.CHARGE, Activity.SHIP, Activity.NOTIFY);
      case SETTLEMENT -> List.of(Activity.SETTLE);
    };
  }

  /** What its executions are created from. */
  DefinitionRef definition() {
    return DefinitionRef.of(text, VERSION);
  }

  /** The workflow of a definition's name. */
  static Workflow named(String name) {
    for (Workflow workflow : values()) {
      if (workflow.text.equals(name)) {
        return workflow;
      }
    }
    throw new IllegalArgumentException("no workflow is called '" + name + "'");
  }

  /** Stores all of them; those that are there already are found to be the same. */
  static void store(Repositories administrator) {
    for (Workflow workflow : values()) {
      administrator
          .definitions()
          .add(NewDefinition.of(workflow.text, workflow.body()).withVersion(VERSION))
          .orThrow();
    }
  }

  private record Body(List<StepText> steps, int attempts, String firstDelay, String longestDelay) {}

  private record StepText(String activity, String undo, boolean optional) {}

  private Payload body() {
    return Json.payload(
        new Body(
            steps().stream()
                .map(
                    step ->
                        new StepText(
                            step.text(),
                            step.undo().map(Activity::text).orElse(""),
                            step.isOptional()))
                .toList(),
            RETRIES.maxAttempts(),
            RETRIES.initialDelay().toString(),
            RETRIES.maxDelay().toString()));
  }
}
