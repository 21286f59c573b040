/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.activity;

import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.payload.Payload;
import java.util.Optional;

/**
 * An activity to schedule.
 *
 * @param activityId unique in its execution: a name of the definition, such as {@code charge}, with
 *     a number where it occurs several times
 * @param activityType what a worker must be able to do
 * @since 0.1
 */
public record NewActivity(
    String activityId, String activityType, Optional<Payload> input, ActivityTimeouts timeouts) {
  public NewActivity {
    Inputs.name("activity id", activityId);
    Inputs.name("activity type", activityType);
  }

  /** Without input or timeouts. */
  public static NewActivity of(String activityId, String activityType) {
    return new NewActivity(activityId, activityType, Optional.empty(), ActivityTimeouts.NONE);
  }

  /** With this input. */
  public NewActivity withInput(Payload value) {
    return new NewActivity(activityId, activityType, Optional.of(value), timeouts);
  }

  /** With these timeouts. */
  public NewActivity withTimeouts(ActivityTimeouts value) {
    return new NewActivity(activityId, activityType, input, value);
  }
}
