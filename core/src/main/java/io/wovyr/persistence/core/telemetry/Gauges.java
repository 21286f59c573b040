/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.telemetry;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import io.wovyr.persistence.storage.spi.Health;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is measured when somebody looks: sizes as they were last counted, and how the store is. The
 * store is asked once for all gauges of a look. Thread-safe.
 */
final class Gauges {
  /** All gauges of one look come within this time. */
  private static final long FRESH = Duration.ofSeconds(1).toNanos();

  private final Meter meter;
  private final AttributeKey<String> record;
  private final List<AutoCloseable> open = new ArrayList<>();
  private @Nullable Health last;
  private long lastAt;

  Gauges(Meter meter, AttributeKey<String> record) {
    this.meter = meter;
    this.record = record;
  }

  synchronized void open(Supplier<Map<String, Long>> lastSizes, Supplier<Health> health) {
    sizes("wovyr.storage.records", "{record}", "Records, as last counted", "records.", lastSizes);
    sizes("wovyr.storage.size", "By", "Space of records, as last counted", "bytes.", lastSizes);
    lag("wovyr.feed.lag", "How far the feed is behind the newest commit", health, Health::feedLag);
    lag(
        "wovyr.replication.lag",
        "How far the slowest standby is behind",
        health,
        Health::replicationLag);
    open.add(
        meter
            .gaugeBuilder("wovyr.storage.writable")
            .ofLongs()
            .setDescription("1 where a write would be tried, else 0")
            .buildWithCallback(
                (ObservableLongMeasurement m) -> m.record(now(health).writable() ? 1 : 0)));
  }

  private void sizes(
      String name, String unit, String what, String prefix, Supplier<Map<String, Long>> lastSizes) {
    open.add(
        meter
            .gaugeBuilder(name)
            .ofLongs()
            .setUnit(unit)
            .setDescription(what)
            .buildWithCallback(
                measurement ->
                    lastSizes
                        .get()
                        .forEach(
                            (key, value) -> {
                              if (key.startsWith(prefix)) {
                                String type = key.substring(prefix.length());
                                measurement.record(value, Attributes.of(record, type));
                              }
                            })));
  }

  private void lag(
      String name, String what, Supplier<Health> health, Function<Health, Optional<Duration>> of) {
    open.add(
        meter
            .gaugeBuilder(name)
            .setUnit("s")
            .setDescription(what)
            .buildWithCallback(
                (ObservableDoubleMeasurement m) ->
                    of.apply(now(health)).ifPresent(lag -> m.record(lag.toNanos() / 1e9))));
  }

  private synchronized Health now(Supplier<Health> health) {
    Health known = last;
    if (known == null || System.nanoTime() - lastAt > FRESH) {
      known = health.get();
      last = known;
      lastAt = System.nanoTime();
    }
    return known;
  }

  synchronized void close() {
    for (AutoCloseable one : open) {
      try {
        one.close();
      } catch (Exception e) {
        throw new IllegalStateException("a gauge cannot be removed", e);
      }
    }
    open.clear();
  }
}
