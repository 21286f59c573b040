/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.Row;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows whose keys differ only in the last number, each one more than the row before, as one value
 * under the key of the first. Of types without blocks a row is a value of its own.
 */
final class Block {
  private Block() {}

  /** The value of consecutive rows, or of the one row of a type without blocks. */
  static Bytes encode(List<Row> rows) {
    if (!TypeLayout.of(rows.get(0).type()).blocked()) {
      return Bytes.wrap(RowBytes.encode(rows.get(0)));
    }
    ValueWriter out = new ValueWriter(rows.size() * 256);
    out.number(rows.size());
    for (Row row : rows) {
      out.sized(RowBytes.encode(row));
    }
    return Bytes.wrap(out.toBytes());
  }

  /** The rows under the key of their first. */
  static List<Row> decode(Key first, String tenant, Bytes body) {
    ValueReader in = new ValueReader(body.unsafeArray());
    if (!TypeLayout.of(first.type()).blocked()) {
      return List.of(RowBytes.decode(first, tenant, in));
    }
    List<Row> rows = new ArrayList<>(1);
    try {
      int count = in.smallNumber();
      for (int i = 0; i < count; i++) {
        rows.add(RowBytes.decode(following(first, i), tenant, in.part(in.smallNumber())));
      }
    } catch (Corrupt e) {
      // A cut block: what is left of it is there, and that something is missing is seen in the
      // last.
      rows.add(
          RowBytes.decode(following(first, rows.size()), tenant, new ValueReader(new byte[0])));
    }
    return rows;
  }

  /** How many rows there are. */
  static int count(RecordType type, Bytes body) {
    return TypeLayout.of(type).blocked() ? new ValueReader(body.unsafeArray()).smallNumber() : 1;
  }

  /** The key so many rows behind another. */
  static Key following(Key first, int rows) {
    return rows == 0 ? first : withNumber(first, number(first) + rows);
  }

  /** The last value of a blocked key. */
  static long number(Key key) {
    return (Long) key.values().get(key.values().size() - 1);
  }

  static Key withNumber(Key key, long number) {
    List<Object> values = new ArrayList<>(prefix(key));
    values.add(number);
    return new Key(key.type(), values);
  }

  /** All but the last value. */
  static List<Object> prefix(Key key) {
    return key.values().subList(0, key.values().size() - 1);
  }
}
