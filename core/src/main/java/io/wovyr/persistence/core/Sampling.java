/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import java.time.Duration;
import java.util.Optional;

/**
 * Whether the store's metrics are sampled by themselves.
 *
 * @param every {@code wovyr.metrics.sample-every}: least time between two samples, 1 second to
 *     18,250 days; empty ({@code off}): only when somebody asks
 * @param keep {@code wovyr.metrics.keep}: how long such samples are kept, up to 18,250 days; P7D
 */
record Sampling(Optional<Duration> every, Duration keep) {
  static final String EVERY = "wovyr.metrics.sample-every";
  static final String KEEP = "wovyr.metrics.keep";
  static final String OFF = "off";

  private static final Duration LEAST = Duration.ofSeconds(1);
  private static final Duration MOST = Duration.ofDays(18_250);

  Sampling {
    every.ifPresent(
        given -> {
          if (given.compareTo(LEAST) < 0 || given.compareTo(MOST) > 0) {
            throw new InvalidInput(
                EVERY + " must be off, or 1 second to 18,250 days, not " + given);
          }
        });
    if (keep.isNegative() || keep.isZero() || keep.compareTo(MOST) > 0) {
      throw new InvalidInput(
          KEEP + " must be longer than zero and at most 18,250 days, not " + keep);
    }
  }
}
