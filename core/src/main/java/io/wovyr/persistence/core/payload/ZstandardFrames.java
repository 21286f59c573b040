/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.payload;

import io.wovyr.persistence.PersistenceException.Corrupt;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.Supplier;

/**
 * What compressed bytes are made of, looked at before they are expanded. Some builds of the library
 * also read the formats from before RFC 8878, by decoders whose windows nobody bounds; and where it
 * expands at once, none looks at windows at all.
 */
final class ZstandardFrames {
  /** Largest window (8 MiB) that a frame may ask for: 2 to this power. */
  static final int WINDOW_LOG = 23;

  private static final int MAGIC = 0xFD2FB528;
  private static final int SKIPPABLE = 0x184D2A50;
  private static final int SKIPPABLE_MASK = 0xFFFFFFF0;
  private static final int SINGLE_SEGMENT = 0x20;
  private static final int CHECKSUM = 0x04;
  private static final int SIZE_OF_8_BYTES = 3;
  private static final int BLOCK_HEADER_BYTES = 3;
  private static final int LAST_BLOCK = 1;
  private static final int REPEATED_BYTE = 1;
  private static final List<Integer> DICTIONARY_BYTES = List.of(0, 1, 2, 4);
  private static final int LEAST_WINDOW_LOG = 10;

  private ZstandardFrames() {}

  /**
   * Follows the frames from one to the next; the blocks in them are not looked at.
   *
   * @param from where the first one begins
   * @param where names the value in an error; asked for nothing else
   * @throws Corrupt when they are not frames of RFC 8878, one behind the other to the end, whose
   *     windows are of the size that is read here
   */
  static void check(byte[] bytes, int from, Supplier<String> where) {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int at = from;
    while (at < bytes.length) {
      if (bytes.length - at < Integer.BYTES || !isFrame(in, at)) {
        throw new Corrupt(where.get() + " holds what is no Zstandard frame of RFC 8878", null);
      }
      long size = sizeOrMore(in, at);
      if (size > bytes.length - at) {
        throw new Corrupt(where.get() + " cannot be expanded: it is cut", null);
      }
      if (in.getInt(at) == MAGIC && !isWindowBounded(in, at + Integer.BYTES)) {
        throw new Corrupt(
            where.get() + " holds a Zstandard frame with a window of more than 8 MiB", null);
      }
      at += (int) size;
    }
  }

  /** How long the frame here is; of one that is cut, more than there is. */
  private static long sizeOrMore(ByteBuffer in, int at) {
    try {
      return size(in, at);
    } catch (IndexOutOfBoundsException | ArithmeticException e) {
      return Long.MAX_VALUE;
    }
  }

  /**
   * How long the frame here is.
   *
   * @throws IndexOutOfBoundsException when it is cut
   */
  private static long size(ByteBuffer in, int at) {
    if (in.getInt(at) != MAGIC) {
      return 2L * Integer.BYTES + Integer.toUnsignedLong(in.getInt(at + Integer.BYTES));
    }
    int header = Byte.toUnsignedInt(in.get(at + Integer.BYTES));
    long block = (long) at + Integer.BYTES + headerBytes(header);
    boolean last = false;
    while (!last) {
      int place = Math.toIntExact(block);
      int found =
          Short.toUnsignedInt(in.getShort(place))
              | Byte.toUnsignedInt(in.get(place + Short.BYTES)) << Short.SIZE;
      last = (found & LAST_BLOCK) != 0;
      boolean repeated = (found >> 1 & 3) == REPEATED_BYTE;
      block += BLOCK_HEADER_BYTES + (repeated ? 1 : found >> 3);
    }
    return block - at + ((header & CHECKSUM) != 0 ? Integer.BYTES : 0);
  }

  /** Of the descriptor and all that it announces. */
  private static int headerBytes(int header) {
    boolean single = (header & SINGLE_SEGMENT) != 0;
    int length = header >> 6 == 0 ? (single ? 1 : 0) : 1 << (header >> 6);
    return 1 + (single ? 0 : 1) + DICTIONARY_BYTES.get(header & 3) + length;
  }

  private static boolean isFrame(ByteBuffer in, int at) {
    int magic = in.getInt(at);
    return magic == MAGIC || (magic & SKIPPABLE_MASK) == SKIPPABLE;
  }

  /** A frame of one segment has no window but its content: that must have a length. */
  private static boolean isWindowBounded(ByteBuffer in, int at) {
    int header = Byte.toUnsignedInt(in.get(at));
    if ((header & SINGLE_SEGMENT) != 0) {
      return header >> 6 < SIZE_OF_8_BYTES
          || in.getLong(at + 1 + DICTIONARY_BYTES.get(header & 3)) >= 0;
    }
    int window = Byte.toUnsignedInt(in.get(at + 1));
    int log = LEAST_WINDOW_LOG + (window >> 3);
    return log < WINDOW_LOG || (log == WINDOW_LOG && (window & 7) == 0);
  }
}
