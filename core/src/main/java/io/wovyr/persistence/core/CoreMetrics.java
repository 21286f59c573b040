/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.core.telemetry.ObservedStorage;
import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.metrics.MetricsSnapshot;
import io.wovyr.persistence.metrics.MetricsSnapshots;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Statistics;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/** Samples of the store's metrics, the system's own rows. Thread-safe. */
final class CoreMetrics implements MetricsSnapshots {
  private static final int MOST_VALUES = 1_000;

  /** The source of samples of the store. */
  static final String STORAGE = "storage";

  private static final String TOOK = "sample.seconds";
  private static final BigDecimal MOST_SECONDS = BigDecimal.valueOf(Duration.ofDays(1).toSeconds());

  private final TenantAccess access;

  CoreMetrics(TenantAccess access) {
    this.access = access;
  }

  @Override
  public CommitResult add(String source, Map<String, ? extends Number> values) {
    return add(TenantAccess.unsavedHeader(), source, values);
  }

  /** Stores what was counted; a conflict when there is a sample of this id. */
  CommitResult addOnce(UUID id, Map<String, ? extends Number> counted) {
    return add(TenantAccess.unsavedHeader(id), STORAGE, counted);
  }

  private CommitResult add(
      RecordHeader header, String source, Map<String, ? extends Number> values) {
    Inputs.name("metrics source", source);
    if (values.size() > MOST_VALUES) {
      throw new InvalidInput(
          "a sample has at most " + MOST_VALUES + " values, not " + values.size());
    }
    Map<String, String> texts = new TreeMap<>();
    values.forEach((name, number) -> texts.put(metric(name), text(name, number)));
    List<String> readings =
        texts.entrySet().stream().map(one -> one.getKey() + "=" + one.getValue()).toList();
    return access
        .unit()
        .apart()
        .insertRecord(new MetricsSnapshot(header, access.now(), source, readings))
        .commit();
  }

  private static String metric(String name) {
    if (Inputs.name("metric name", name).indexOf('=') >= 0) {
      throw new InvalidInput("a metric name must not contain '='");
    }
    return name;
  }

  private static String text(String name, Number number) {
    try {
      return new BigDecimal(number.toString()).toString();
    } catch (NumberFormatException e) {
      throw new InvalidInput("metric " + name + " is not a finite number");
    }
  }

  @Override
  public CommitResult sample() {
    return add(STORAGE, counted());
  }

  /** What a sample of the store says. */
  Map<String, Number> counted() {
    Engine engine = access.engine();
    long begun = engine.nanoTime().getAsLong();
    Statistics statistics =
        engine.reading(options -> engine.storage().statistics(access.scope(), options.deadline()));
    long took = Math.max(0, engine.nanoTime().getAsLong() - begun);
    Map<String, Number> values = new TreeMap<>(ObservedStorage.sizes(statistics));
    values.putAll(engine.readings().values());
    values.put("histories.broken", engine.brokenHistories());
    values.put(TOOK, BigDecimal.valueOf(took, 9));
    return values;
  }

  /** How long it took to count what a sample says; nothing where it does not tell. */
  static Duration took(MetricsSnapshot sample) {
    return sample.readings().stream()
        .filter(reading -> reading.startsWith(TOOK + "="))
        .map(reading -> new BigDecimal(reading.substring(TOOK.length() + 1)))
        .map(seconds -> seconds.max(BigDecimal.ZERO).min(MOST_SECONDS))
        .map(seconds -> Duration.ofNanos(seconds.movePointRight(9).longValue()))
        .findFirst()
        .orElse(Duration.ZERO);
  }

  Optional<MetricsSnapshot> find(UUID id) {
    return access.find(MetricsSnapshot.class, id);
  }

  /** The newest sample of the store of those that were taken by then. */
  Optional<MetricsSnapshot> newest(Instant by) {
    Scan scan =
        Scan.byPath(RecordTypes.METRICS_SNAPSHOT, "by_source", List.of(STORAGE), 1)
            .to(Inputs.bound(by.plus(1, ChronoUnit.MICROS)))
            .descending();
    Optional<String> next = Optional.empty();
    do {
      Page<MetricsSnapshot> page = access.page(MetricsSnapshot.class, scan.after(next));
      if (!page.items().isEmpty()) {
        return Optional.of(page.items().get(0));
      }
      next = page.next();
    } while (next.isPresent());
    return Optional.empty();
  }

  @Override
  public Page<MetricsSnapshot> list(
      String source,
      Instant fromInclusive,
      Instant toExclusive,
      int limit,
      Optional<String> after) {
    Pages.checkLimit(limit);
    return access.page(
        MetricsSnapshot.class,
        Scan.byPath(
                RecordTypes.METRICS_SNAPSHOT,
                "by_source",
                List.of(Inputs.name("metrics source", source)),
                limit)
            .from(Inputs.bound(fromInclusive))
            .to(Inputs.bound(toExclusive))
            .after(after));
  }

  @Override
  public int removeBefore(String source, Instant instant, int limit) {
    int removed = 0;
    for (MetricsSnapshot old :
        list(source, Instant.MIN, instant, limit, Optional.empty()).items()) {
      if (access.unit().apart().deleteRecord(old).commit().isCommitted()) {
        removed++;
      }
    }
    return removed;
  }
}
