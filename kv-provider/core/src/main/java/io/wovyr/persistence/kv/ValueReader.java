/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import io.wovyr.persistence.PersistenceException.Corrupt;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads what {@link ValueWriter} wrote; {@code Corrupt} when it cannot have been. Allocates no more
 * than there is, whatever lengths are announced. For one thread.
 */
final class ValueReader {
  private final byte[] bytes;
  private final int end;
  private int position;

  ValueReader(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  ValueReader(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.position = from;
    this.end = end;
  }

  boolean isAtEnd() {
    return position == end;
  }

  int octet() {
    if (position >= end) {
      throw new Corrupt("it is cut", null);
    }
    return bytes[position++] & 0xff;
  }

  long u64() {
    long value = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      value = (value << 8) | octet();
    }
    return value;
  }

  long number() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      int next = octet();
      value |= (long) (next & 0x7f) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw new Corrupt("a number has no end", null);
  }

  long signed() {
    long value = number();
    return (value >>> 1) ^ -(value & 1);
  }

  int smallNumber() {
    long value = number();
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw new Corrupt("a number is too large", null);
    }
    return (int) value;
  }

  byte[] raw(int length) {
    if (length > end - position) {
      throw new Corrupt("it is cut", null);
    }
    position += length;
    return Arrays.copyOfRange(bytes, position - length, position);
  }

  byte[] sized() {
    return raw(smallNumber());
  }

  /** A reader of the next so many bytes alone. */
  ValueReader part(int length) {
    if (length > end - position) {
      throw new Corrupt("it is cut", null);
    }
    position += length;
    return new ValueReader(bytes, position - length, position);
  }

  String text() {
    return utf8(sized());
  }

  static String utf8(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new Corrupt("its text is not UTF-8", e);
    }
  }

  /** All that is left. */
  byte[] rest() {
    return raw(end - position);
  }
}
