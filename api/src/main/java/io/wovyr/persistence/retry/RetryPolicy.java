/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.retry;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.internal.Inputs;
import java.time.Duration;
import java.util.List;

/**
 * How often and how soon something is tried again. Before attempt {@code n + 1} it waits between
 * zero and {@code min(maxDelay, initialDelay * multiplier^(n - 1))}, drawn evenly: full jitter
 * (Marc Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015). The delay that was
 * drawn is stored, so it is the same whoever goes on.
 *
 * @param maxAttempts all attempts together, at least 1
 * @param initialDelay zero to {@code maxDelay}
 * @param multiplierPercent 100 to 10,000: 200 doubles the delay each time
 * @param maxDelay at most 36,500 days
 * @param nonRetryable error types that are never tried again
 * @since 0.1
 */
public record RetryPolicy(
    int maxAttempts,
    Duration initialDelay,
    int multiplierPercent,
    Duration maxDelay,
    List<String> nonRetryable) {
  public RetryPolicy {
    if (maxAttempts < 1) {
      throw new InvalidInput("a retry policy has at least 1 attempt, not " + maxAttempts);
    }
    if (multiplierPercent < 100 || multiplierPercent > 10_000) {
      throw new InvalidInput("multiplierPercent is 100 to 10,000, not " + multiplierPercent);
    }
    if (initialDelay.isNegative() || maxDelay.compareTo(initialDelay) < 0) {
      throw new InvalidInput("delays are 0 or more, and maxDelay is at least initialDelay");
    }
    Inputs.atMostACentury("maxDelay", maxDelay);
    nonRetryable.forEach(type -> Inputs.name("error type", type));
    nonRetryable = List.copyOf(nonRetryable);
  }

  /** This many attempts, delays doubling from 1 second to 1 minute. */
  public static RetryPolicy ofAttempts(int maxAttempts) {
    return new RetryPolicy(
        maxAttempts, Duration.ofSeconds(1), 200, Duration.ofMinutes(1), List.of());
  }

  /** With these delays. */
  public RetryPolicy withDelays(Duration initial, Duration max) {
    return new RetryPolicy(maxAttempts, initial, multiplierPercent, max, nonRetryable);
  }

  /** Never trying these again. */
  public RetryPolicy withNonRetryable(String... errorTypes) {
    return new RetryPolicy(
        maxAttempts, initialDelay, multiplierPercent, maxDelay, List.of(errorTypes));
  }

  /** The longest delay before the attempt after {@code attempt}. */
  public Duration ceiling(int attempt) {
    double factor = Math.pow(multiplierPercent / 100.0, Math.max(0, attempt - 1));
    double micros = initialDelay.toNanos() / 1_000.0 * factor;
    double most = maxDelay.toNanos() / 1_000.0;
    return Duration.ofNanos(((long) Math.min(micros, most)) * 1_000L);
  }

  /** True if an attempt follows {@code attempt} after an error of this type. */
  public boolean allowsAfter(int attempt, String errorType) {
    return attempt < maxAttempts && !nonRetryable.contains(errorType);
  }
}
