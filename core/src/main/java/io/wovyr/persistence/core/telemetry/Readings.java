/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.telemetry;

import io.wovyr.persistence.storage.spi.CommitOutcome.Expectation;
import io.wovyr.persistence.storage.spi.CommitOutcome.Failed;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** Sums over all calls since the store was opened: what a stored sample holds. Thread-safe. */
public final class Readings {
  private final Map<Telemetry.Call, OfCall> calls = new EnumMap<>(Telemetry.Call.class);
  private final Map<String, LongAdder> conflicts = new TreeMap<>();

  Readings() {
    for (Telemetry.Call call : Telemetry.Call.values()) {
      calls.put(call, new OfCall());
    }
    for (String label : Labels.EXPECTATIONS) {
      conflicts.put(label, new LongAdder());
    }
  }

  @SuppressWarnings("NullAway") // every call has its sums from the beginning
  void add(Telemetry.Call call, long nanos, int rows, boolean failed) {
    OfCall sums = calls.get(call);
    sums.count.increment();
    sums.nanos.add(nanos);
    if (rows > 0) {
      sums.rows.add(rows);
    }
    if (failed) {
      sums.failures.increment();
    }
  }

  @SuppressWarnings("NullAway") // every label has its sum from the beginning
  void conflict(List<Failed> failed) {
    for (Failed one : failed) {
      Expectation expectation = one.expectation();
      conflicts.get(Labels.of(expectation)).increment();
    }
  }

  /**
   * The sums by name: {@code calls.<call>.count}, {@code .seconds} and {@code .failures} of every
   * call that was made, {@code .rows} of those that read, and {@code conflicts.<guard>}.
   */
  public Map<String, Number> values() {
    Map<String, Number> values = new TreeMap<>();
    calls.forEach(
        (call, sums) -> {
          if (sums.count.sum() > 0) {
            String name = "calls." + call.label();
            values.put(name + ".count", sums.count.sum());
            values.put(name + ".seconds", BigDecimal.valueOf(sums.nanos.sum(), 9));
            values.put(name + ".failures", sums.failures.sum());
            if (!call.isWrite()) {
              values.put(name + ".rows", sums.rows.sum());
            }
          }
        });
    conflicts.forEach((label, sum) -> values.put("conflicts." + label, sum.sum()));
    return values;
  }

  private static final class OfCall {
    private final LongAdder count = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private final LongAdder rows = new LongAdder();
    private final LongAdder failures = new LongAdder();
  }
}
