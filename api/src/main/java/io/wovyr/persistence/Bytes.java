/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * An immutable sequence of bytes with value equality. {@code toString} tells the length only, so
 * that content never reaches a log by accident.
 *
 * @since 0.1
 */
public final class Bytes implements Comparable<Bytes> {
  /** No bytes at all. */
  public static final Bytes EMPTY = new Bytes(new byte[0]);

  private final byte[] value;
  private int hash;

  private Bytes(byte[] value) {
    this.value = value;
  }

  /** A copy of {@code value}; later changes to the array are not seen. */
  public static Bytes copyOf(byte[] value) {
    return value.length == 0 ? EMPTY : new Bytes(value.clone());
  }

  /**
   * Takes the array as it is, without a copy: the caller gives it away and must never change it
   * again. For providers and codecs on the hot path.
   */
  public static Bytes wrap(byte[] value) {
    return value.length == 0 ? EMPTY : new Bytes(value);
  }

  /** The UTF-8 bytes of {@code text}. */
  public static Bytes utf8(String text) {
    return wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A fresh copy of the bytes. */
  public byte[] toByteArray() {
    return value.clone();
  }

  /**
   * The array itself, without a copy, for code that only reads (a JDBC driver, a digest). Writing
   * to it breaks every holder of this value.
   */
  public byte[] unsafeArray() {
    return value;
  }

  /** A read-only view without a copy. */
  public ByteBuffer asReadOnlyBuffer() {
    return ByteBuffer.wrap(value).asReadOnlyBuffer();
  }

  /** The bytes read as UTF-8; malformed input is replaced as {@link String} does. */
  public String utf8() {
    return new String(value, StandardCharsets.UTF_8);
  }

  /** Length in bytes. */
  public int size() {
    return value.length;
  }

  /** The unsigned value, 0 to 255, at {@code index}. */
  public int at(int index) {
    return value[index] & 0xff;
  }

  /** Unsigned lexicographic order, a prefix first: the order every store keeps BYTES in. */
  @Override
  public int compareTo(Bytes other) {
    return Arrays.compareUnsigned(value, other.value);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes that && Arrays.equals(value, that.value);
  }

  @Override
  public int hashCode() {
    int h = hash;
    if (h == 0) {
      h = Arrays.hashCode(value);
      hash = h;
    }
    return h;
  }

  @Override
  public String toString() {
    return value.length + " bytes";
  }
}
