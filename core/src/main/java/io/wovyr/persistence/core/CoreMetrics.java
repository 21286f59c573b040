/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.core.mapping.RecordMappers;
import io.wovyr.persistence.core.telemetry.ObservedStorage;
import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.metrics.MetricsSnapshot;
import io.wovyr.persistence.metrics.MetricsSnapshots;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
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

  /** What of a sample decides when the next one is due. */
  record Taken(UUID id, Instant at, Duration took) {
    /** One that cannot be read here was taken all the same, when it was written. */
    private static Taken of(Row row) {
      try {
        MetricsSnapshot sample = RecordMappers.of(MetricsSnapshot.class).fromRow(row);
        return new Taken(sample.id(), sample.takenAt(), took(sample));
      } catch (UnsupportedVersion | Corrupt e) {
        RecordHeader header = row.header();
        return new Taken(header.id(), header.createdAt(), Duration.ZERO);
      }
    }

    /** How long it took to count what a sample says; nothing where it does not tell. */
    private static Duration took(MetricsSnapshot sample) {
      return sample.readings().stream()
          .filter(reading -> reading.startsWith(TOOK + "="))
          .map(reading -> seconds(reading.substring(TOOK.length() + 1)))
          .findFirst()
          .orElse(Duration.ZERO);
    }

    private static Duration seconds(String text) {
      try {
        BigDecimal seconds = new BigDecimal(text).max(BigDecimal.ZERO).min(MOST_SECONDS);
        return Duration.ofNanos(seconds.movePointRight(9).longValue());
      } catch (NumberFormatException e) {
        return Duration.ZERO; // Damaged, and in nobody's way.
      }
    }
  }

  Optional<Taken> find(UUID id) {
    Key key = Key.of(RecordTypes.METRICS_SNAPSHOT, id);
    Engine engine = access.engine();
    return engine
        .reading(options -> engine.storage().read(access.scope(), List.of(key), options))
        .get(0)
        .map(Taken::of);
  }

  /** The newest sample of the store of those that were taken by then. */
  Optional<Taken> newest(Instant by) {
    Scan scan =
        Scan.byPath(RecordTypes.METRICS_SNAPSHOT, "by_source", List.of(STORAGE), 1)
            .to(Inputs.bound(by.plus(1, ChronoUnit.MICROS)))
            .descending();
    return access.engine().scan(access.scope(), scan).items().stream().findFirst().map(Taken::of);
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
    Optional<String> next = Optional.empty();
    do {
      Page<MetricsSnapshot> page = list(source, Instant.MIN, instant, limit - removed, next);
      for (MetricsSnapshot old : page.items()) {
        if (access.unit().apart().deleteRecord(old).commit().isCommitted()) {
          removed++;
        }
      }
      next = page.next();
    } while (next.isPresent() && removed < limit);
    return removed;
  }
}
