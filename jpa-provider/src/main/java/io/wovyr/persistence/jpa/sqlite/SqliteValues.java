/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.jpa.entity.TextList;
import io.wovyr.persistence.jpa.internal.SqlValues;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.storage.spi.Attribute.Kind;
import io.wovyr.persistence.storage.spi.StoreTime;
import java.nio.ByteBuffer;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * SQLite's storage classes: numbers, booleans and instants (microseconds) as INTEGER; texts and
 * lists as TEXT in binary collation; ids, bytes and payloads as BLOB.
 */
final class SqliteValues implements SqlValues {
  @Override
  public Object toJdbc(Kind kind, Object value) {
    return switch (kind) {
      case INT, LONG, TEXT -> value;
      case BOOLEAN -> (Boolean) value ? 1 : 0;
      case INSTANT -> StoreTime.micros((Instant) value);
      case UUID -> uuidBytes((UUID) value);
      case BYTES -> ((Bytes) value).unsafeArray();
      case PAYLOAD -> ((StoredPayload) value).encode().unsafeArray();
      case TEXT_LIST -> TextList.encode((List<?>) value);
    };
  }

  @Override
  public void bind(PreparedStatement statement, int index, Kind kind, @Nullable Object value)
      throws SQLException {
    if (value == null) {
      statement.setNull(index, java.sql.Types.NULL);
      return;
    }
    switch (kind) {
      case INT -> statement.setInt(index, (Integer) value);
      case LONG -> statement.setLong(index, (Long) value);
      case TEXT -> statement.setString(index, (String) value);
      case BOOLEAN -> statement.setInt(index, (Boolean) value ? 1 : 0);
      case INSTANT -> statement.setLong(index, StoreTime.micros((Instant) value));
      case UUID, BYTES, PAYLOAD -> statement.setBytes(index, (byte[]) toJdbc(kind, value));
      case TEXT_LIST -> statement.setString(index, TextList.encode((List<?>) value));
    }
  }

  @Override
  public @Nullable Object read(ResultSet row, int column, Kind kind) throws SQLException {
    Object stored = row.getObject(column);
    if (stored == null) {
      return null;
    }
    return switch (kind) {
      case TEXT -> text(stored);
      case INT, LONG, BOOLEAN, INSTANT -> number(stored, kind);
      case UUID, BYTES, PAYLOAD -> bytes(stored, kind);
      case TEXT_LIST -> TextList.decode(text(stored));
    };
  }

  private static String text(Object stored) {
    if (stored instanceof String text) {
      return text;
    }
    throw new Corrupt("it is stored as something else than text", null);
  }

  private static Object number(Object stored, Kind kind) {
    if (!(stored instanceof Integer || stored instanceof Long)) {
      throw new Corrupt("it is stored as something else than a whole number", null);
    }
    long number = ((Number) stored).longValue();
    return switch (kind) {
      case INT -> stored instanceof Integer ? stored : beyond("32 bits");
      case BOOLEAN -> number == 0 || number == 1 ? number == 1 : beyond("0 and 1");
      case INSTANT -> StoreTime.ofMicros(number);
      default -> number;
    };
  }

  private static Object beyond(String range) {
    throw new Corrupt("its number is beyond " + range, null);
  }

  private static Object bytes(Object value, Kind kind) {
    if (!(value instanceof byte[] stored)) {
      throw new Corrupt("it is stored as something else than bytes", null);
    }
    return switch (kind) {
      case UUID -> uuid(stored);
      case PAYLOAD -> StoredPayload.keep(Bytes.wrap(stored));
      default -> Bytes.wrap(stored);
    };
  }

  static byte[] uuidBytes(UUID id) {
    return ByteBuffer.allocate(16)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }

  static UUID uuid(byte[] bytes) {
    if (bytes.length != 16) {
      throw new Corrupt("an id has " + bytes.length + " bytes, not 16", null);
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new UUID(buffer.getLong(), buffer.getLong());
  }
}
