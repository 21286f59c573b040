/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes what lies under keys: numbers of few bytes, and bytes behind their length. */
final class ValueWriter {
  private byte[] bytes;
  private int size;

  ValueWriter(int expected) {
    bytes = new byte[Math.max(16, expected)];
  }

  ValueWriter octet(int value) {
    room(1);
    bytes[size++] = (byte) value;
    return this;
  }

  ValueWriter u64(long value) {
    room(Long.BYTES);
    for (int shift = 56; shift >= 0; shift -= 8) {
      bytes[size++] = (byte) (value >>> shift);
    }
    return this;
  }

  /** Seven bits a byte, lowest first; the highest bit says that more follow. */
  ValueWriter number(long value) {
    long left = value;
    while ((left & ~0x7fL) != 0) {
      octet((int) ((left & 0x7f) | 0x80));
      left >>>= 7;
    }
    return octet((int) left);
  }

  /** A number that may be negative: its sign goes to the lowest bit. */
  ValueWriter signed(long value) {
    return number((value << 1) ^ (value >> 63));
  }

  ValueWriter raw(byte[] value) {
    room(value.length);
    System.arraycopy(value, 0, bytes, size, value.length);
    size += value.length;
    return this;
  }

  ValueWriter sized(byte[] value) {
    return number(value.length).raw(value);
  }

  ValueWriter text(String value) {
    return sized(value.getBytes(StandardCharsets.UTF_8));
  }

  byte[] toBytes() {
    return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
  }

  private void room(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    }
  }
}
