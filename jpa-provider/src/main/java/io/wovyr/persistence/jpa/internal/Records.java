/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.internal;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Rows of one tenant inside a transaction somebody else has begun. The answers are those of the
 * moment; what breaks is thrown as {@link SQLException}, whatever stands between. Not thread-safe.
 */
public interface Records {
  /** Pages end early beyond so many bytes, so that a limit of rows never fills the memory. */
  long PAGE_BYTES = 16L << 20;

  /** About how many bytes a row has: what can be large is counted, the rest is taken for small. */
  static long weight(Row row) {
    long bytes = 500;
    for (Object value : row.values()) {
      if (value instanceof Bytes some) {
        bytes += some.size();
      } else if (value instanceof StoredPayload payload
          && payload.body() instanceof StoredPayload.Body.Inline inline) {
        bytes += inline.bytes().size();
      } else if (value instanceof List<?> texts) {
        bytes += 100L * texts.size();
      }
    }
    return bytes;
  }

  /** The row of a key. */
  Optional<Row> read(Key key) throws SQLException;

  /** The stored version of a key, -1 when there is none. */
  long version(Key key) throws SQLException;

  /** The row that holds a unique entry, its values given in the order of the unique key's. */
  Optional<Row> holder(RecordType type, RecordType.UniqueKey unique, List<Object> values)
      throws SQLException;

  /** A page. */
  Page<Row> scan(Scan scan) throws SQLException;

  /**
   * Inserts.
   *
   * @return false, and nothing changed, when key or unique entry is taken
   */
  boolean insert(Row row) throws SQLException;

  /**
   * Updates the row of {@code before}'s version.
   *
   * @return false, and nothing changed, when the version is another one or a unique entry is taken
   */
  boolean update(Row before, Row after) throws SQLException;

  /**
   * Deletes the row of {@code before}'s version.
   *
   * @return false, and nothing changed, when the version is another one
   */
  boolean delete(Row before) throws SQLException;
}
