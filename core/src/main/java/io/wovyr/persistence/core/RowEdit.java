/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.storage.spi.Row;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Changes several attributes of a row with one copy. Not thread-safe; use once. */
final class RowEdit {
  private final Row before;
  private final @Nullable Object[] values;

  RowEdit(Row before) {
    this.before = before;
    this.values = before.values().toArray();
  }

  RowEdit set(String attribute, @Nullable Object value) {
    values[before.type().position(attribute)] = value;
    return this;
  }

  @Nullable Object get(String attribute) {
    return values[before.type().position(attribute)];
  }

  boolean flag(String attribute) {
    return Boolean.TRUE.equals(get(attribute));
  }

  Row build(RecordHeader header) {
    return new Row(before.key(), header, Arrays.asList(values));
  }
}
