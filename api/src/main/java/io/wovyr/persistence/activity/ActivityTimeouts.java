/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.activity;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.internal.Inputs;
import java.time.Duration;
import java.util.Optional;

/**
 * How long an activity may take; empty: as long as it likes.
 *
 * @param scheduleToStart from being scheduled to being started
 * @param startToClose one attempt
 * @param scheduleToClose all attempts and the waiting between them
 * @param heartbeat between two heartbeats of an attempt
 * @since 0.1
 */
public record ActivityTimeouts(
    Optional<Duration> scheduleToStart,
    Optional<Duration> startToClose,
    Optional<Duration> scheduleToClose,
    Optional<Duration> heartbeat) {
  /** None. */
  public static final ActivityTimeouts NONE =
      new ActivityTimeouts(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  public ActivityTimeouts {
    check("scheduleToStart", scheduleToStart);
    check("startToClose", startToClose);
    check("scheduleToClose", scheduleToClose);
    check("heartbeat", heartbeat);
  }

  private static void check(String name, Optional<Duration> value) {
    if (value.isPresent() && (value.get().isNegative() || value.get().isZero())) {
      throw new InvalidInput("timeout " + name + " must be above zero");
    }
    value.ifPresent(timeout -> Inputs.atMostACentury("timeout " + name, timeout));
  }

  /** With this longest time of one attempt. */
  public ActivityTimeouts withStartToClose(Duration value) {
    return new ActivityTimeouts(scheduleToStart, Optional.of(value), scheduleToClose, heartbeat);
  }

  /** With this longest time between heartbeats. */
  public ActivityTimeouts withHeartbeat(Duration value) {
    return new ActivityTimeouts(scheduleToStart, startToClose, scheduleToClose, Optional.of(value));
  }
}
