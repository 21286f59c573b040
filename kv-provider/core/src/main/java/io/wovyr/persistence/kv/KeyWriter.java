/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.storage.spi.Attribute.Kind;
import io.wovyr.persistence.storage.spi.StoreTime;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;

/**
 * Writes values so that the order of the bytes is the order of the values, and none is the
 * beginning of another of its kind. For one thread.
 */
final class KeyWriter {
  /** Ends a text or bytes; a zero inside them is followed by {@link #ESCAPED}. */
  static final byte END = 1;

  static final byte ESCAPED = (byte) 0xff;

  private byte[] bytes = new byte[96];
  private int size;

  KeyWriter octet(int value) {
    room(1);
    bytes[size++] = (byte) value;
    return this;
  }

  KeyWriter u16(int value) {
    return octet(value >>> 8).octet(value);
  }

  /** Unsigned. */
  KeyWriter u64(long value) {
    room(Long.BYTES);
    for (int shift = 56; shift >= 0; shift -= 8) {
      bytes[size++] = (byte) (value >>> shift);
    }
    return this;
  }

  /** Bytes as they are, without an end. */
  KeyWriter raw(byte[] value) {
    room(value.length);
    System.arraycopy(value, 0, bytes, size, value.length);
    size += value.length;
    return this;
  }

  KeyWriter text(String value) {
    return ended(value.getBytes(StandardCharsets.UTF_8));
  }

  private KeyWriter ended(byte[] value) {
    room(2 * value.length + 2);
    for (byte one : value) {
      bytes[size++] = one;
      if (one == 0) {
        bytes[size++] = ESCAPED;
      }
    }
    bytes[size++] = 0;
    bytes[size++] = END;
    return this;
  }

  /** A value of an indexable kind. */
  KeyWriter value(Kind kind, Object value) {
    return switch (kind) {
      case INT -> u32((Integer) value ^ Integer.MIN_VALUE);
      case LONG -> u64((Long) value ^ Long.MIN_VALUE);
      case BOOLEAN -> octet((Boolean) value ? 1 : 0);
      case TEXT, TEXT_LIST -> text((String) value);
      case UUID -> {
        UUID id = (UUID) value;
        yield u64(id.getMostSignificantBits()).u64(id.getLeastSignificantBits());
      }
      case INSTANT -> u64(StoreTime.micros((Instant) value) ^ Long.MIN_VALUE);
      case BYTES -> ended(((Bytes) value).unsafeArray());
      case PAYLOAD -> throw new IllegalArgumentException("payloads have no order");
    };
  }

  private KeyWriter u32(int value) {
    return u16(value >>> 16).u16(value);
  }

  int size() {
    return size;
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  private void room(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    }
  }
}
