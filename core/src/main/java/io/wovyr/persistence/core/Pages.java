/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.core.mapping.RecordMapper;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Row;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pages of rows as records: one that cannot be read is reported and set aside, the page goes on.
 */
final class Pages {
  private static final Logger LOG = LoggerFactory.getLogger(Pages.class);

  private Pages() {}

  static void checkLimit(int limit) {
    if (limit < 1) {
      throw new InvalidInput("limit must be at least 1, not " + limit);
    }
  }

  static <T> Page<T> readable(Page<Row> rows, RecordMapper<T> mapper) {
    List<T> records = new ArrayList<>(rows.items().size());
    for (Row row : rows.items()) {
      try {
        records.add(mapper.fromRow(row));
      } catch (UnsupportedVersion | Corrupt e) {
        LOG.warn(
            "WOVYR-0101 a record of tenant {} is left out; 'wovyr quarantine list' names all such:"
                + " {}",
            row.header().tenantId(),
            told(row.key(), e));
      }
    }
    return new Page<>(records, rows.next());
  }

  /** What is wrong with a record, naming it once. */
  static String told(Key key, PersistenceException problem) {
    String message = String.valueOf(problem.getMessage());
    return message.contains(key.toString()) ? message : key + ": " + message;
  }
}
