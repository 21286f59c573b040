/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import io.wovyr.persistence.PersistenceException.Corrupt;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads what {@link ValueWriter} wrote; {@code Corrupt} when it cannot have been. Allocates no more
 * than there is, whatever lengths are announced. For one thread.
 */
final class ValueReader {
  private static final char REPLACED = '\ufffd';
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final byte[] bytes;
  private int end;
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
    if (Long.BYTES > end - position) {
      throw new Corrupt("it is cut", null);
    }
    position += Long.BYTES;
    return (long) LONGS.get(bytes, position - Long.BYTES);
  }

  long number() {
    // Most are small.
    if (position < end && bytes[position] >= 0) {
      return bytes[position++];
    }
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
    int length = smallNumber();
    if (length > end - position) {
      throw new Corrupt("it is cut", null);
    }
    position += length;
    return utf8(bytes, position - length, length);
  }

  /** All that is left, as text. */
  String restAsText() {
    int from = position;
    position = end;
    return utf8(bytes, from, end - from);
  }

  private static String utf8(byte[] bytes, int from, int length) {
    String text = new String(bytes, from, length, StandardCharsets.UTF_8);
    if (text.indexOf(REPLACED) < 0) {
      return text;
    }
    // Either it is in the text, or it stands for bytes that are none.
    try {
      ByteBuffer utf8 = ByteBuffer.wrap(bytes, from, length);
      return StandardCharsets.UTF_8.newDecoder().decode(utf8).toString();
    } catch (CharacterCodingException e) {
      throw new Corrupt("its text is not UTF-8", e);
    }
  }

  /**
   * From now on the next so many bytes are all there is.
   *
   * @return what {@link #widen} takes back
   */
  int narrow(int length) {
    if (length > end - position) {
      throw new Corrupt("it is cut", null);
    }
    int outer = end;
    end = position + length;
    return outer;
  }

  /** Goes on behind what it was narrowed to, whatever of it was read. */
  void widen(int outer) {
    position = end;
    end = outer;
  }

  /** All that is left, without a copy; for reading only. */
  ByteBuffer restAsBuffer() {
    ByteBuffer rest = ByteBuffer.wrap(bytes, position, end - position);
    position = end;
    return rest;
  }

  /** All that is left. */
  byte[] rest() {
    return raw(end - position);
  }
}
