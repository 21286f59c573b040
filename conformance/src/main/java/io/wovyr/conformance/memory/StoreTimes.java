/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.memory;

import io.wovyr.persistence.storage.spi.Attribute;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.StoreTime;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds and resolves symbolic instants. */
final class StoreTimes {
  private StoreTimes() {}

  /** True when a batch asks the store for its time. */
  static boolean areUsedBy(Batch batch) {
    for (Mutation mutation : batch.mutations()) {
      if (mutation instanceof Mutation.Insert insert && areIn(insert.after())) {
        return true;
      }
      if (mutation instanceof Mutation.Update update
          && (areIn(update.after())
              || !update.notExpired().isEmpty()
              || !update.expired().isEmpty())) {
        return true;
      }
    }
    return false;
  }

  private static boolean areIn(Row row) {
    return row.values().stream().anyMatch(StoreTime.class::isInstance);
  }

  /** The instants that a row's symbolic values stand for, by attribute. */
  static Map<String, Instant> in(Row row, Instant now) {
    Map<String, Instant> times = new LinkedHashMap<>();
    List<Attribute> attributes = row.type().attributes();
    for (int i = 0; i < attributes.size(); i++) {
      if (row.values().get(i) instanceof StoreTime time) {
        times.put(attributes.get(i).name(), time.at(now));
      }
    }
    return times;
  }

  /** The row with these instants in place of its symbolic values. */
  static Row resolve(Row row, Map<String, Instant> times) {
    Row resolved = row;
    for (Map.Entry<String, Instant> time : times.entrySet()) {
      resolved = resolved.with(time.getKey(), time.getValue());
    }
    return resolved;
  }

  /** Bounds of a scan with symbolic values resolved. */
  static List<Object> resolve(List<Object> bounds, Instant now) {
    return bounds.stream()
        .map(bound -> bound instanceof StoreTime time ? (Object) time.at(now) : bound)
        .toList();
  }
}
