/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.payload;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
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
  private static final int SIZE_OF_8_BYTES = 3;
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
      int size = size(bytes, at, where);
      if (in.getInt(at) == MAGIC && !isWindowBounded(in, at + Integer.BYTES)) {
        throw new Corrupt(
            where.get() + " holds a Zstandard frame with a window of more than 8 MiB", null);
      }
      at += size;
    }
  }

  private static int size(byte[] bytes, int at, Supplier<String> where) {
    try {
      return Math.toIntExact(Zstd.findFrameCompressedSize(bytes, at, bytes.length - at));
    } catch (ZstdException e) {
      throw new Corrupt(where.get() + " cannot be expanded", e);
    }
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
