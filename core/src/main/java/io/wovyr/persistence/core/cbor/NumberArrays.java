/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cbor;

import java.nio.ByteBuffer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Arrays of numbers as typed arrays (RFC 8746), big-endian. */
final class NumberArrays {
  private static final Map<Class<?>, Integer> TAGS =
      Map.of(
          short[].class, Tags.SHORTS,
          int[].class, Tags.INTS,
          long[].class, Tags.LONGS,
          float[].class, Tags.FLOATS,
          double[].class, Tags.DOUBLES);

  private NumberArrays() {}

  static boolean isOne(Class<?> type) {
    return TAGS.containsKey(type);
  }

  /** The tag of an array that {@link #isOne} of them. */
  static int tagOf(Class<?> type) {
    return TAGS.getOrDefault(type, Tags.NONE);
  }

  static byte[] bytes(Object array) {
    if (array instanceof short[] shorts) {
      ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(shorts.length, Short.BYTES));
      bytes.asShortBuffer().put(shorts);
      return bytes.array();
    }
    if (array instanceof int[] ints) {
      ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(ints.length, Integer.BYTES));
      bytes.asIntBuffer().put(ints);
      return bytes.array();
    }
    if (array instanceof long[] longs) {
      ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(longs.length, Long.BYTES));
      bytes.asLongBuffer().put(longs);
      return bytes.array();
    }
    if (array instanceof float[] floats) {
      ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(floats.length, Float.BYTES));
      bytes.asFloatBuffer().put(floats);
      return bytes.array();
    }
    double[] doubles = (double[]) array;
    ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(doubles.length, Double.BYTES));
    bytes.asDoubleBuffer().put(doubles);
    return bytes.array();
  }

  /** The array; null when the bytes are not a whole number of elements or the tag is another. */
  static @Nullable Object array(int tag, byte[] content) {
    ByteBuffer bytes = ByteBuffer.wrap(content);
    int length = content.length;
    if (tag == Tags.SHORTS && length % Short.BYTES == 0) {
      short[] shorts = new short[length / Short.BYTES];
      bytes.asShortBuffer().get(shorts);
      return shorts;
    }
    if (tag == Tags.INTS && length % Integer.BYTES == 0) {
      int[] ints = new int[length / Integer.BYTES];
      bytes.asIntBuffer().get(ints);
      return ints;
    }
    if (tag == Tags.LONGS && length % Long.BYTES == 0) {
      long[] longs = new long[length / Long.BYTES];
      bytes.asLongBuffer().get(longs);
      return longs;
    }
    if (tag == Tags.FLOATS && length % Float.BYTES == 0) {
      float[] floats = new float[length / Float.BYTES];
      bytes.asFloatBuffer().get(floats);
      return floats;
    }
    if (tag == Tags.DOUBLES && length % Double.BYTES == 0) {
      double[] doubles = new double[length / Double.BYTES];
      bytes.asDoubleBuffer().get(doubles);
      return doubles;
    }
    return null;
  }
}
