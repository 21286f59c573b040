/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.storage.spi.Attribute;
import io.wovyr.persistence.storage.spi.Attribute.Kind;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.StoreTime;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Type number and key of a row as bytes that compare as the database compares the rows: numbers
 * with their sign turned, texts as UTF-8 and ended by a zero, which no text of this database has.
 */
final class KeyBytes {
  private KeyBytes() {}

  static Bytes of(Key key) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(ByteBuffer.allocate(2).putShort((short) key.type().number()).array());
    key.values().forEach(value -> out.writeBytes(bytes(value)));
    return Bytes.wrap(out.toByteArray());
  }

  private static byte[] bytes(Object value) {
    if (value instanceof UUID id) {
      return ByteBuffer.allocate(16)
          .putLong(id.getMostSignificantBits())
          .putLong(id.getLeastSignificantBits())
          .array();
    }
    if (value instanceof String text) {
      return (text + '\0').getBytes(StandardCharsets.UTF_8);
    }
    if (value instanceof Integer number) {
      return ByteBuffer.allocate(4).putInt(number ^ Integer.MIN_VALUE).array();
    }
    long number = value instanceof Instant at ? StoreTime.micros(at) : (Long) value;
    return ByteBuffer.allocate(8).putLong(number ^ Long.MIN_VALUE).array();
  }

  /** Number of the type that the bytes begin with, 0 when there are none. */
  static int typeNumber(Bytes bytes) {
    return bytes.size() < 2 ? 0 : ByteBuffer.wrap(bytes.toByteArray()).getShort();
  }

  /** The key, where the bytes are those of a key of this type. */
  static Optional<Key> key(RecordType type, Bytes bytes) {
    if (typeNumber(bytes) != type.number()) {
      return Optional.empty();
    }
    ByteBuffer rest = ByteBuffer.wrap(bytes.toByteArray()).position(2);
    List<Object> values = new ArrayList<>();
    try {
      for (Attribute attribute : type.key()) {
        values.add(value(attribute.kind(), rest));
      }
    } catch (BufferUnderflowException e) {
      return Optional.empty();
    }
    return rest.hasRemaining() ? Optional.empty() : Optional.of(new Key(type, values));
  }

  private static Object value(Kind kind, ByteBuffer rest) {
    return switch (kind) {
      case UUID -> new UUID(rest.getLong(), rest.getLong());
      case TEXT -> text(rest);
      case INT -> rest.getInt() ^ Integer.MIN_VALUE;
      case LONG -> rest.getLong() ^ Long.MIN_VALUE;
      case INSTANT -> StoreTime.ofMicros(rest.getLong() ^ Long.MIN_VALUE);
      case BOOLEAN, BYTES, PAYLOAD, TEXT_LIST ->
          throw new IllegalStateException("no row of the feed has a key of kind " + kind);
    };
  }

  private static String text(ByteBuffer rest) {
    int begin = rest.position();
    while (rest.get() != 0) {
      // On to the end of the text.
    }
    return new String(rest.array(), begin, rest.position() - begin - 1, StandardCharsets.UTF_8);
  }
}
