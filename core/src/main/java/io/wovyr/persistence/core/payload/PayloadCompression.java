/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.payload;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.payload.StoredPayload;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Compresses contents with Zstandard (RFC 8878) before they are sealed, and never makes one longer.
 * Expands no further than the length the envelope declares, and takes memory for it only as far as
 * bytes really come. Immutable, thread-safe.
 *
 * <p>How well a value compresses shows in its sealed length. Contents of different origin are never
 * compressed together, and secrets not at all.
 *
 * @param threshold contents of fewer bytes stay as they are
 * @param level of Zstandard, 1 (fast) to 19 (small)
 * @param maxLength contents of more bytes are neither written nor read, at most 2^30
 */
public record PayloadCompression(int threshold, int level, int maxLength) {
  /** Codec number of Zstandard in {@code docs/format/payload.md}. */
  public static final int ZSTANDARD = 1;

  /** Does not compress, and reads what was compressed. */
  public static final PayloadCompression NONE =
      new PayloadCompression(Integer.MAX_VALUE, 1, 256 << 20);

  /** Compresses from 1 KiB on, fast. */
  public static final PayloadCompression STANDARD = new PayloadCompression(1024, 3, 256 << 20);

  private static final int SHORTEST = 2;
  private static final int MOST_LEVEL = 19;
  private static final int MOST_LENGTH = 1 << 30;

  /** Up to this length memory is taken at once. */
  private static final int AT_ONCE_BYTES = 1 << 20;

  /**
   * @throws InvalidInput when a number is out of range
   */
  public PayloadCompression {
    if (threshold < 0 || level < 1 || level > MOST_LEVEL) {
      throw new InvalidInput("compression needs a threshold from 0 and a level from 1 to 19");
    }
    if (maxLength < 1 || maxLength > MOST_LENGTH) {
      throw new InvalidInput("the longest payload must be 1 to " + MOST_LENGTH + " bytes");
    }
  }

  /**
   * Room for the salt, and the compressed content behind it.
   *
   * @return empty when the content is to stay as it is
   */
  Optional<byte[]> compressed(byte[] content) {
    if (content.length < Math.max(threshold, SHORTEST)) {
      return Optional.empty();
    }
    int room = Math.toIntExact(Zstd.compressBound(content.length));
    byte[] part = new byte[Math.addExact(StoredPayload.SALT_BYTES, room)];
    int length =
        (int)
            Zstd.compressByteArray(
                part, StoredPayload.SALT_BYTES, room, content, 0, content.length, level);
    return length < content.length
        ? Optional.of(Arrays.copyOf(part, StoredPayload.SALT_BYTES + length))
        : Optional.empty();
  }

  /**
   * Salt and expanded content.
   *
   * @param codec of the envelope
   * @param part salt and compressed content
   * @param declared length of the content, by its envelope
   * @param where names the value in an error; asked for nothing else
   * @throws UnsupportedVersion when the codec is not known here
   * @throws Rejected when the content is longer than this node takes
   * @throws Corrupt when it is not what its envelope says
   */
  byte[] expanded(int codec, byte[] part, long declared, Supplier<String> where) {
    if (codec != ZSTANDARD && codec != StoredPayload.UNCOMPRESSED) {
      throw new UnsupportedVersion(
          where.get() + " is compressed by codec " + codec + ", unknown here");
    }
    requireLength(declared, where);
    if (part.length < StoredPayload.SALT_BYTES) {
      throw wrongLength(where);
    }
    if (codec == StoredPayload.UNCOMPRESSED) {
      if (part.length - (long) StoredPayload.SALT_BYTES != declared) {
        throw wrongLength(where);
      }
      return part;
    }
    ZstandardFrames.check(part, StoredPayload.SALT_BYTES, where);
    return declared <= AT_ONCE_BYTES
        ? expandedAtOnce(part, (int) declared, where)
        : expandedStepwise(part, (int) declared, where);
  }

  /**
   * @throws Rejected when this is longer than a content may be
   */
  void requireLength(long length, Supplier<String> where) {
    if (length > maxLength) {
      throw new Rejected(
          where.get()
              + " has "
              + length
              + " bytes, more than the "
              + maxLength
              + " that are taken here");
    }
  }

  private static byte[] expandedAtOnce(byte[] part, int declared, Supplier<String> where) {
    int from = StoredPayload.SALT_BYTES;
    byte[] whole = new byte[from + declared];
    System.arraycopy(part, 0, whole, 0, from);
    try {
      long length = Zstd.decompressByteArray(whole, from, declared, part, from, part.length - from);
      if (length != declared) {
        throw wrongLength(where);
      }
      return whole;
    } catch (ZstdException e) {
      throw new Corrupt(where.get() + " cannot be expanded", e);
    }
  }

  private static byte[] expandedStepwise(byte[] part, int declared, Supplier<String> where) {
    int salt = StoredPayload.SALT_BYTES;
    int end = salt + declared;
    byte[] whole = Arrays.copyOf(part, Math.min(end, Math.max(part.length, AT_ONCE_BYTES)));
    try (ZstdInputStreamNoFinalizer in =
        new ZstdInputStreamNoFinalizer(new ByteArrayInputStream(part, salt, part.length - salt))) {
      in.setLongMax(ZstandardFrames.WINDOW_LOG);
      int filled = salt;
      for (int read = 0; read >= 0 && filled < end; ) {
        if (filled == whole.length) {
          whole = Arrays.copyOf(whole, (int) Math.min(end, 2L * whole.length));
        }
        read = in.read(whole, filled, whole.length - filled);
        filled += Math.max(read, 0);
      }
      if (filled != end || in.read() >= 0) {
        throw wrongLength(where);
      }
      return whole;
    } catch (IOException e) {
      throw new Corrupt(where.get() + " cannot be expanded", e);
    }
  }

  private static Corrupt wrongLength(Supplier<String> where) {
    return new Corrupt(
        where.get() + " has another length than its envelope says, or is damaged", null);
  }
}
