/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.storage.spi.Attribute.Kind;
import io.wovyr.persistence.storage.spi.StoreTime;
import java.io.ByteArrayOutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Reads what {@link KeyWriter} wrote. For one thread. */
final class KeyReader {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final byte[] bytes;
  private int position;

  KeyReader(byte[] bytes, int position) {
    this.bytes = bytes;
    this.position = position;
  }

  boolean isAtEnd() {
    return position == bytes.length;
  }

  int octet() {
    if (position >= bytes.length) {
      throw new Corrupt("a key is cut", null);
    }
    return bytes[position++] & 0xff;
  }

  int u16() {
    return (octet() << 8) | octet();
  }

  long u64() {
    if (Long.BYTES > bytes.length - position) {
      throw new Corrupt("a key is cut", null);
    }
    position += Long.BYTES;
    return (long) LONGS.get(bytes, position - Long.BYTES);
  }

  String text() {
    byte[] utf8 = ended();
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    } catch (CharacterCodingException e) {
      throw new Corrupt("a text of a key is not UTF-8", e);
    }
  }

  private byte[] ended() {
    ByteArrayOutputStream found = new ByteArrayOutputStream();
    while (true) {
      int next = octet();
      if (next == 0) {
        int mark = octet();
        if (mark == KeyWriter.END) {
          return found.toByteArray();
        }
        if (mark != (KeyWriter.ESCAPED & 0xff)) {
          throw new Corrupt("a text of a key has no end", null);
        }
      }
      found.write(next);
    }
  }

  /** A value of an indexable kind. */
  Object value(Kind kind) {
    return switch (kind) {
      case INT -> ((u16() << 16) | u16()) ^ Integer.MIN_VALUE;
      case LONG -> u64() ^ Long.MIN_VALUE;
      case BOOLEAN -> octet() != 0;
      case TEXT, TEXT_LIST -> text();
      case UUID -> new UUID(u64(), u64());
      case INSTANT -> StoreTime.ofMicros(u64() ^ Long.MIN_VALUE);
      case BYTES -> Bytes.wrap(ended());
      case PAYLOAD -> throw new IllegalArgumentException("payloads have no order");
    };
  }
}
