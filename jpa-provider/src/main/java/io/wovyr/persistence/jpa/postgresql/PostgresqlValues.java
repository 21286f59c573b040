/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.jpa.entity.TextList;
import io.wovyr.persistence.jpa.internal.SqlValues;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.storage.spi.Attribute.Kind;
import io.wovyr.persistence.storage.spi.StoreTime;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL's types: integer, bigint (also instants, as microseconds), boolean, uuid, text in the
 * C collation (also lists, as JSON), bytea. Every parameter has a type, null too: the driver
 * prepares a statement again when one changes, and asks the server for one it does not know, which
 * would cost round trips and tear statements that travel together.
 */
final class PostgresqlValues implements SqlValues {
  /** The server's clock now, in whole microseconds; another value at every look. */
  static final String CLOCK = "round(date_part('epoch', clock_timestamp()) * 1000000)::bigint";

  private static final String STATEMENT_CLOCK =
      "round(date_part('epoch', statement_timestamp()) * 1000000)::bigint";

  /** Name of the column type. */
  static String type(Kind kind) {
    return switch (kind) {
      case INT -> "integer";
      case LONG, INSTANT -> "bigint";
      case BOOLEAN -> "boolean";
      case UUID -> "uuid";
      case TEXT, TEXT_LIST -> "text";
      case BYTES, PAYLOAD -> "bytea";
    };
  }

  @Override
  public Object toJdbc(Kind kind, Object value) {
    return switch (kind) {
      case INT, LONG, TEXT, BOOLEAN, UUID -> value;
      case INSTANT -> StoreTime.micros((Instant) value);
      case BYTES -> ((Bytes) value).unsafeArray();
      case PAYLOAD -> ((StoredPayload) value).encode().unsafeArray();
      case TEXT_LIST -> TextList.encode((List<?>) value);
    };
  }

  @Override
  public void bind(PreparedStatement statement, int index, Kind kind, @Nullable Object value)
      throws SQLException {
    if (value == null) {
      bindNull(statement, index, kind);
      return;
    }
    switch (kind) {
      case INT -> statement.setInt(index, (Integer) value);
      case LONG -> statement.setLong(index, (Long) value);
      case BOOLEAN -> statement.setBoolean(index, (Boolean) value);
      case INSTANT -> statement.setLong(index, StoreTime.micros((Instant) value));
      case UUID -> statement.setObject(index, value);
      case TEXT -> statement.setString(index, (String) value);
      case TEXT_LIST -> statement.setString(index, TextList.encode((List<?>) value));
      case BYTES, PAYLOAD -> statement.setBytes(index, (byte[]) toJdbc(kind, value));
    }
  }

  private static void bindNull(PreparedStatement statement, int index, Kind kind)
      throws SQLException {
    switch (kind) {
      case INT -> statement.setNull(index, Types.INTEGER);
      case LONG, INSTANT -> statement.setNull(index, Types.BIGINT);
      case BOOLEAN -> statement.setNull(index, Types.BOOLEAN);
      case UUID -> statement.setNull(index, Types.OTHER, "uuid");
      case TEXT, TEXT_LIST -> statement.setNull(index, Types.VARCHAR);
      case BYTES, PAYLOAD -> statement.setNull(index, Types.BINARY);
    }
  }

  @Override
  public @Nullable Object read(ResultSet row, int column, Kind kind) throws SQLException {
    return switch (kind) {
      case TEXT -> row.getString(column);
      case UUID -> row.getObject(column, UUID.class);
      case INT, LONG, BOOLEAN, INSTANT -> plain(row, column, kind);
      case BYTES, PAYLOAD -> bytes(row.getBytes(column), kind);
      case TEXT_LIST -> {
        String text = row.getString(column);
        yield text == null ? null : TextList.decode(text);
      }
    };
  }

  private static @Nullable Object plain(ResultSet row, int column, Kind kind) throws SQLException {
    Object value =
        switch (kind) {
          case INT -> row.getInt(column);
          case BOOLEAN -> row.getBoolean(column);
          case INSTANT -> StoreTime.ofMicros(row.getLong(column));
          default -> row.getLong(column);
        };
    return row.wasNull() ? null : value;
  }

  private static @Nullable Object bytes(byte @Nullable [] stored, Kind kind) {
    if (stored == null) {
      return null;
    }
    return kind == Kind.PAYLOAD ? StoredPayload.keep(Bytes.wrap(stored)) : Bytes.wrap(stored);
  }

  @Override
  public Optional<String> now() {
    return Optional.of(STATEMENT_CLOCK);
  }
}
