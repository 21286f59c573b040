/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.payload;

import io.wovyr.persistence.payload.Payload;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How one attempt ended, as {@link AttemptsCodec} stores it.
 *
 * @param number from 1
 * @param at in microseconds
 * @param error type of the error; empty unless it failed
 * @param delay before the next one, in microseconds
 */
public record Attempt(
    End end,
    int number,
    Instant at,
    String error,
    Optional<Duration> delay,
    Optional<Payload> reason) {
  /** How it ended. */
  public enum End {
    FAILED,
    /** It was left as it was, by decision. */
    LEFT
  }

  Attempt withoutReason() {
    return new Attempt(end, number, at, error, delay, Optional.empty());
  }
}
