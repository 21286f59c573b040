/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.payload;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the bytes of a value that begins with its layout: numbers are big-endian, texts UTF-8 with
 * their length before them. Never allocates more than is there. What is wrong is told of the whole
 * value, by its name. Not thread-safe.
 */
final class LayoutReader {
  private static final int FIRST_LAYOUT = 1;

  private final ByteBuffer in;
  private final String name;

  /**
   * @param name of the value, for messages, in the singular
   */
  LayoutReader(Bytes encoded, String name) {
    this.in = encoded.asReadOnlyBuffer();
    this.name = name;
  }

  /** Reads the layout, which is to be this one. */
  void requireLayout(int known) {
    int layout = readByte();
    if (layout < FIRST_LAYOUT) {
      throw new Corrupt(name + " has layout " + layout + ", which was never written", null);
    }
    if (layout != known) {
      throw unknown("layout", layout);
    }
  }

  /** Reads how many parts of at least so many bytes follow. */
  int readCount(int smallestPart) {
    int count = readInt();
    if (count < 0 || count > in.remaining() / smallestPart) {
      throw cut();
    }
    return count;
  }

  /** 0 to 255. */
  int readByte() {
    need(Byte.BYTES);
    return Byte.toUnsignedInt(in.get());
  }

  int readInt() {
    need(Integer.BYTES);
    return in.getInt();
  }

  long readLong() {
    need(Long.BYTES);
    return in.getLong();
  }

  /** A text with a length of two bytes. */
  String readText() {
    need(Short.BYTES);
    byte[] utf8 = readBytes(Short.toUnsignedInt(in.getShort()));
    String text = new String(utf8, StandardCharsets.UTF_8);
    // Malformed bytes were replaced: such a text would be another one when it is written again.
    if (text.indexOf('\uFFFD') >= 0
        && !Arrays.equals(utf8, text.getBytes(StandardCharsets.UTF_8))) {
      throw new Corrupt(name + " has a text that is not UTF-8", null);
    }
    return text;
  }

  /** Bytes with a length of four bytes. */
  Bytes readBlock() {
    return Bytes.wrap(readBytes(readInt()));
  }

  private byte[] readBytes(int length) {
    if (length < 0) {
      throw cut();
    }
    need(length);
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  /** Nothing may follow. */
  void requireEnd() {
    if (in.hasRemaining()) {
      throw new Corrupt(name + " has " + in.remaining() + " bytes too many", null);
    }
  }

  private void need(int length) {
    if (in.remaining() < length) {
      throw cut();
    }
  }

  Corrupt cut() {
    return new Corrupt(name + " is cut", null);
  }

  UnsupportedVersion unknown(String what, int number) {
    return new UnsupportedVersion(
        name + " has " + what + " " + number + ", which is not known here");
  }
}
