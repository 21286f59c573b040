/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.kv.engine.Engine;
import io.wovyr.persistence.kv.engine.Found;
import io.wovyr.persistence.kv.engine.Place;
import io.wovyr.persistence.kv.engine.Range;
import io.wovyr.persistence.kv.engine.View;
import io.wovyr.persistence.kv.engine.ViewExpired;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Statistics;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Counts records: exactly where there are few, estimated where there are many. */
final class Sizes implements AutoCloseable {
  /** What is counted one by one, of a type of a tenant. */
  private static final long COUNTED = 20_000;

  private final Engine engine;
  private final Layout layout;
  private final Deadline deadline;
  private View view;
  private final Map<String, Long> records = new TreeMap<>();
  private final Map<String, Long> bytes = new TreeMap<>();

  Sizes(Engine engine, Layout layout, Deadline deadline) {
    this.engine = engine;
    this.view = engine.view(deadline);
    this.layout = layout;
    this.deadline = deadline;
  }

  Statistics of(Scope scope) {
    if (scope instanceof Scope.System && !engine.shape().ordered()) {
      // Nobody knows all tenants there.
      return new Statistics(Map.of(), Map.of());
    }
    for (RecordType type : RecordTypes.all()) {
      records.put(type.name(), 0L);
      bytes.put(type.name(), 0L);
    }
    if (scope instanceof Scope.System) {
      Optional<String> tenant = firstTenant(Layout.tenants());
      while (tenant.isPresent()) {
        count(tenant.get());
        tenant = firstTenant(Layout.tenant(tenant.get()).afterAll());
      }
    } else {
      count(scope.tenantId());
    }
    return new Statistics(records, bytes);
  }

  /** Sizes need not be of one instant. */
  private Found range(Range range, int limit) {
    while (true) {
      if (!view.isFresh()) {
        renew();
      }
      try {
        return view.range(range, limit);
      } catch (ViewExpired e) {
        renew();
      }
    }
  }

  private void renew() {
    View next = engine.view(deadline);
    view.close();
    view = next;
  }

  private Optional<String> firstTenant(Place from) {
    Optional<Range> left =
        Optional.of(new Range(from, Layout.tenants().afterAll(), true))
            .filter(range -> range.from().compareTo(range.to()) < 0);
    while (left.isPresent()) {
      Found found = range(left.get(), 1);
      if (!found.entries().isEmpty()) {
        return Optional.of(Layout.tenantOf(found.entries().get(0).place()));
      }
      left = found.rest();
    }
    return Optional.empty();
  }

  private void count(String tenant) {
    if (deadline.isOver()) {
      throw new Unavailable("the deadline came before all was counted", null);
    }
    for (RecordType type : RecordTypes.all()) {
      for (int shard : layout.everyShard()) {
        count(type, layout.rows(tenant, type, shard));
      }
    }
  }

  private void count(RecordType type, Place partition) {
    long rows = 0;
    long size = 0;
    Optional<Range> left = Optional.of(Range.of(partition, true));
    while (left.isPresent() && rows < COUNTED) {
      Found found = range(left.get(), 1_000);
      for (Found.Entry entry : found.entries()) {
        rows += Block.count(type, entry.stored().body());
        size += entry.place().bytes().length + entry.stored().body().size();
      }
      left = found.rest();
    }
    long behind = left.map(engine::sizeBytes).orElse(0L);
    if (behind > 0) {
      // What was counted lies in memory as well, the rest on the disk, compressed: an estimate.
      rows += Math.round((double) rows * behind / Math.max(1, size));
      size += behind;
    }
    records.merge(type.name(), rows, Long::sum);
    bytes.merge(type.name(), size, Long::sum);
  }

  @Override
  public void close() {
    view.close();
  }
}
