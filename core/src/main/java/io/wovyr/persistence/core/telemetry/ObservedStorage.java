/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.telemetry;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.CommitOutcome.Failed;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Enlisted;
import io.wovyr.persistence.storage.spi.FeedChunk;
import io.wovyr.persistence.storage.spi.ForwardingStorage;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Purge;
import io.wovyr.persistence.storage.spi.PurgeOutcome;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.ScopedKey;
import io.wovyr.persistence.storage.spi.Statistics;
import io.wovyr.persistence.storage.spi.Storage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A store of which every call is timed and counted: the one place where the layer measures what its
 * store does. What a caller waits for besides (retries, pauses) is not in these figures; it is in
 * those of {@link Telemetry#commit}. As thread-safe as the store.
 */
public final class ObservedStorage extends ForwardingStorage {
  private final Readings readings = new Readings();
  private final Telemetry telemetry;
  private volatile Map<String, Long> lastSizes = Map.of();

  /** Over an open store, which is closed with this one. */
  public ObservedStorage(Storage delegate, Telemetry telemetry) {
    super(delegate);
    this.telemetry = telemetry;
    telemetry.gauges(() -> lastSizes, delegate::health);
  }

  /** What was counted since this store was opened. */
  public Readings readings() {
    return readings;
  }

  /** Who is told. */
  public Telemetry telemetry() {
    return telemetry;
  }

  @Override
  public List<Optional<Row>> read(Scope scope, List<Key> keys, ReadOptions options) {
    try (Timed timed = new Timed(Telemetry.Call.READ, scope)) {
      try {
        List<Optional<Row>> rows = delegate().read(scope, keys, options);
        int found = 0;
        for (Optional<Row> row : rows) {
          found += row.isPresent() ? 1 : 0;
        }
        timed.rows(found);
        return rows;
      } catch (RuntimeException e) {
        throw timed.failed(e);
      }
    }
  }

  @Override
  public Optional<Row> readUnique(
      Scope scope, RecordType type, String uniqueKey, List<Object> values, ReadOptions options) {
    try (Timed timed = new Timed(Telemetry.Call.READ_UNIQUE, scope)) {
      try {
        Optional<Row> row = delegate().readUnique(scope, type, uniqueKey, values, options);
        timed.rows(row.isPresent() ? 1 : 0);
        return row;
      } catch (RuntimeException e) {
        throw timed.failed(e);
      }
    }
  }

  @Override
  public Page<Row> scan(Scope scope, Scan scan, ReadOptions options) {
    try (Timed timed = new Timed(Telemetry.Call.SCAN, scope)) {
      try {
        Page<Row> page = delegate().scan(scope, scan, options);
        timed.rows(page.items().size());
        return page;
      } catch (RuntimeException e) {
        throw timed.failed(e);
      }
    }
  }

  @Override
  public Page<ScopedKey> scanSystem(Scope.System scope, Scan scan, ReadOptions options) {
    try (Timed timed = new Timed(Telemetry.Call.SCAN_SYSTEM, scope)) {
      try {
        Page<ScopedKey> page = delegate().scanSystem(scope, scan, options);
        timed.rows(page.items().size());
        return page;
      } catch (RuntimeException e) {
        throw timed.failed(e);
      }
    }
  }

  @Override
  public FeedChunk feed(Scope scope, Optional<FeedCursor> after, int limit, Deadline deadline) {
    try (Timed timed = new Timed(Telemetry.Call.FEED, scope)) {
      try {
        FeedChunk chunk = delegate().feed(scope, after, limit, deadline);
        timed.rows(chunk.entries().size());
        return chunk;
      } catch (RuntimeException e) {
        throw timed.failed(e);
      }
    }
  }

  /** Remembers the sizes of the whole store, for whoever looks at a gauge. */
  @Override
  public Statistics statistics(Scope scope, Deadline deadline) {
    try (Timed timed = new Timed(Telemetry.Call.STATISTICS, scope)) {
      try {
        Statistics statistics = delegate().statistics(scope, deadline);
        if (scope instanceof Scope.System) {
          lastSizes = sizes(statistics);
        }
        return statistics;
      } catch (RuntimeException e) {
        throw timed.failed(e);
      }
    }
  }

  /** Records and bytes by name: {@code records.<type>}, {@code bytes.<type>}. */
  public static Map<String, Long> sizes(Statistics statistics) {
    Map<String, Long> sizes = new TreeMap<>();
    statistics.records().forEach((type, count) -> sizes.put("records." + type, count));
    statistics.bytes().forEach((type, bytes) -> sizes.put("bytes." + type, bytes));
    return sizes;
  }

  @Override
  public CommitOutcome commit(Batch batch, Deadline deadline) {
    try (Timed timed = new Timed(Telemetry.Call.COMMIT, batch.scope())) {
      try {
        CommitOutcome outcome = delegate().commit(batch, deadline);
        timed.outcome(outcome);
        return outcome;
      } catch (RuntimeException e) {
        throw timed.failed(e);
      }
    }
  }

  /** Counted as one call, under the tenant of the first batch. */
  @Override
  public List<CommitOutcome> commit(List<Batch> batches, Deadline deadline) {
    if (batches.isEmpty()) {
      return delegate().commit(batches, deadline);
    }
    try (Timed timed = new Timed(Telemetry.Call.COMMIT, batches.get(0).scope())) {
      try {
        List<CommitOutcome> outcomes = delegate().commit(batches, deadline);
        outcomes.forEach(timed::outcome);
        return outcomes;
      } catch (RuntimeException e) {
        throw timed.failed(e);
      }
    }
  }

  @Override
  public Enlisted enlist(Batch batch, Deadline deadline) {
    try (Timed timed = new Timed(Telemetry.Call.ENLIST, batch.scope())) {
      try {
        Enlisted enlisted = delegate().enlist(batch, deadline);
        if (enlisted instanceof Enlisted.Conflict conflict) {
          timed.conflict(conflict.failed());
        }
        return enlisted;
      } catch (RuntimeException e) {
        throw timed.failed(e);
      }
    }
  }

  @Override
  public PurgeOutcome purge(Scope scope, Purge purge, Deadline deadline) {
    try (Timed timed = new Timed(Telemetry.Call.PURGE, scope)) {
      try {
        PurgeOutcome outcome = delegate().purge(scope, purge, deadline);
        if (outcome instanceof PurgeOutcome.Conflict conflict) {
          timed.conflict(conflict.failed());
        }
        return outcome;
      } catch (RuntimeException e) {
        throw timed.failed(e);
      }
    }
  }

  @Override
  public void close() {
    telemetry.close();
    delegate().close();
  }

  /** One call: its time, and what came of it. */
  private final class Timed implements AutoCloseable {
    private final Telemetry.Call call;
    private final Telemetry.Running running;
    private final long begun = System.nanoTime();
    private int rows;
    private @Nullable RuntimeException failure;

    Timed(Telemetry.Call call, Scope scope) {
      this.call = call;
      this.running = telemetry.call(call, scope.tenantId());
    }

    void rows(int count) {
      rows = count;
      running.rows(count);
    }

    void outcome(CommitOutcome outcome) {
      if (outcome instanceof CommitOutcome.Conflict conflict) {
        conflict(conflict.failed());
      }
    }

    void conflict(List<Failed> failed) {
      readings.conflict(failed);
      running.conflict(failed);
    }

    RuntimeException failed(RuntimeException thrown) {
      failure = thrown;
      running.failed(thrown);
      return thrown;
    }

    @Override
    public void close() {
      readings.add(call, System.nanoTime() - begun, rows, failure != null);
      running.close();
    }
  }
}
