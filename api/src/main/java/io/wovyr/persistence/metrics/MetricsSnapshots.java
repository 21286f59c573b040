/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.metrics;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.Page;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Stored samples of the whole store's metrics; they belong to the system, not to a tenant.
 * Thread-safe.
 *
 * @since 0.1
 */
public interface MetricsSnapshots {
  /**
   * Stores a sample. Numbers are written as decimal text, exactly.
   *
   * @param values by name, at most 1,000, finite numbers only
   */
  CommitResult add(String source, Map<String, ? extends Number> values);

  /**
   * Takes a sample of record counts and storage use and stores it under the source {@code storage}:
   * {@code records.<type>}, {@code bytes.<type>}; and, of this {@code Persistence} since it was
   * opened: {@code calls.<call>.count}, {@code .seconds}, {@code .failures} and (of reads) {@code
   * .rows} of its calls to the store ({@code read}, {@code scan}, {@code commit} …), {@code
   * conflicts.<guard>}: guards that did not hold, and {@code histories.broken}: how often a history
   * was found with a missing or doubled event. Anything but 0 of the last needs a person.
   */
  CommitResult sample();

  /**
   * Samples of a source in a time, oldest first. {@link Instant#MIN} and {@link Instant#MAX} bound
   * nothing.
   */
  Page<MetricsSnapshot> list(
      String source, Instant fromInclusive, Instant toExclusive, int limit, Optional<String> after);

  /**
   * Removes samples taken before an instant.
   *
   * @param limit most that are removed in this call
   * @return how many were removed; call again while it is {@code limit}
   */
  int removeBefore(String source, Instant instant, int limit);
}
