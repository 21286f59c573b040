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
 * @param every {@code wovyr.metrics.sample-every}: least time between two samples, at least a
 *     second; empty ({@code off}): only when somebody asks
 * @param keep {@code wovyr.metrics.keep}: how long such samples are kept; P7D
 */
record Sampling(Optional<Duration> every, Duration keep) {
  static final String EVERY = "wovyr.metrics.sample-every";
  static final String KEEP = "wovyr.metrics.keep";
  static final String OFF = "off";

  private static final Duration LEAST = Duration.ofSeconds(1);

  Sampling {
    every.ifPresent(
        given -> {
          if (given.compareTo(LEAST) < 0) {
            throw new InvalidInput(EVERY + " must be off or at least " + LEAST + ", not " + given);
          }
        });
    if (keep.isNegative() || keep.isZero()) {
      throw new InvalidInput(KEEP + " must be longer than zero, not " + keep);
    }
  }
}
