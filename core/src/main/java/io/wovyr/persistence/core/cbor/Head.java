/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cbor;

/**
 * The first bytes of an item: its tag and its major type (RFC 8949, 3.1). Immutable.
 *
 * @param tag {@link Tags#NONE} when there is none, {@link #NESTED} when there are two, the largest
 *     int for all tags beyond it
 * @param major of what is under the tag
 */
record Head(int tag, int major) {
  static final int NESTED = -2;
  private static final int MAJOR_TAG = 6;
  private static final int MAJOR_SHIFT = 5;
  private static final int LOW_BITS = 0x1f;
  private static final int LONGEST_DIRECT = 23;

  /** The head that begins here, in bytes the parser found well-formed so far. */
  static Head at(byte[] content, int offset) {
    int major = major(content, offset);
    if (major != MAJOR_TAG) {
      return new Head(Tags.NONE, major);
    }
    int low = content[offset] & LOW_BITS;
    int extra = low <= LONGEST_DIRECT ? 0 : 1 << (low - LONGEST_DIRECT - 1);
    long tag = low <= LONGEST_DIRECT ? low : 0;
    for (int i = 1; i <= extra; i++) {
      tag = tag << Byte.SIZE | (content[offset + i] & 0xff);
    }
    int under = major(content, offset + 1 + extra);
    boolean beyond = tag < 0 || tag > Integer.MAX_VALUE;
    return new Head(under == MAJOR_TAG ? NESTED : beyond ? Integer.MAX_VALUE : (int) tag, under);
  }

  private static int major(byte[] content, int offset) {
    return (content[offset] & 0xff) >> MAJOR_SHIFT;
  }
}
