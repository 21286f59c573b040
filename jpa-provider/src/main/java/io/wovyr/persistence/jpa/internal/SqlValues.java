/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.internal;

import io.wovyr.persistence.storage.spi.Attribute.Kind;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a database keeps the kinds of values, so that its order of them is {@link
 * io.wovyr.persistence.storage.spi.ValueOrder}'s. The entities' mapping must agree with it; a test
 * writes by the one and reads by the other. Thread-safe.
 */
public interface SqlValues {
  /** What JDBC is given for a value. */
  Object toJdbc(Kind kind, Object value);

  /** Binds a value, or null. */
  void bind(PreparedStatement statement, int index, Kind kind, @Nullable Object value)
      throws SQLException;

  /**
   * Reads a column; null where it is.
   *
   * @throws io.wovyr.persistence.PersistenceException.Corrupt when it holds no value of this kind;
   *     says nothing of what it holds
   */
  @Nullable Object read(ResultSet row, int column, Kind kind) throws SQLException;

  /**
   * The store's now in microseconds since the epoch, as an expression that is the same throughout a
   * statement; empty for a store without a clock of its own.
   */
  default Optional<String> now() {
    return Optional.empty();
  }
}
