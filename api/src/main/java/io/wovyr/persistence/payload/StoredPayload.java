/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.payload;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;

/**
 * A payload as it is stored: an envelope outside, the value inside, compressed and sealed as the
 * envelope says. The layout of the bytes is specified in {@code docs/format/payload.md}.
 *
 * <p>The sealed part is {@code salt (32 bytes) ‖ compressed content}. The salt lies inside it, so
 * the commitment of a short secret cannot be guessed by whoever sees only the envelope.
 *
 * @param contentType in clear
 * @param sealing how the sealed part is sealed: {@link #UNSEALED}, or a codec of a sealing provider
 * @param compression {@link #UNCOMPRESSED}, or a registered codec; content is compressed before it
 *     is sealed
 * @param keyId the data key, when sealed
 * @param commitment SHA-256 over {@code salt ‖ u32 length of content type ‖ content type ‖
 *     content}, 32 bytes
 * @param length of the uncompressed content, in bytes
 * @since 0.1
 */
public record StoredPayload(
    String contentType,
    int sealing,
    int compression,
    Optional<String> keyId,
    Bytes commitment,
    long length,
    Body body) {
  /** Version of the byte layout written by {@link #encode()}. */
  public static final int LAYOUT = 1;

  private static final int FIRST_LAYOUT = 1;

  /** Sealing codec: not sealed. */
  public static final int UNSEALED = 0;

  /** Compression codec: not compressed. */
  public static final int UNCOMPRESSED = 0;

  /** Length of the salt at the beginning of the sealed part, in bytes. */
  public static final int SALT_BYTES = 32;

  private static final int COMMITMENT_BYTES = 32;

  /**
   * All but texts and body: layout, two codecs, two text lengths, commitment, length, body kind.
   */
  private static final int FIXED_BYTES = 3 + 2 * Short.BYTES + COMMITMENT_BYTES + Long.BYTES + 1;

  private static final int MAX_TEXT_BYTES = 0xffff;
  private static final byte[] NOTHING = {};
  private static final Bytes NO_COMMITMENT = Bytes.wrap(new byte[COMMITMENT_BYTES]);

  private static final int INLINE = 0;
  private static final int CHUNKED = 1;
  private static final int EXTERNAL = 2;

  public StoredPayload {
    if (commitment.size() != COMMITMENT_BYTES) {
      throw new IllegalArgumentException(
          "commitment has " + commitment.size() + " bytes, not " + COMMITMENT_BYTES);
    }
    if (length < 0 || sealing < 0 || sealing > 255 || compression < 0 || compression > 255) {
      throw new IllegalArgumentException("length, sealing or compression out of range");
    }
  }

  /** Where the sealed part is. */
  public sealed interface Body {
    /** In the record itself. */
    record Inline(Bytes bytes) implements Body {}

    /** In chunks of the same store, written before the commit of this record publishes them. */
    record Chunked(UUID stageId, int chunks) implements Body {}

    /** In an object store; the reference is the object's name there. */
    record External(String reference) implements Body {}

    /**
     * Nowhere that is known: {@link #keep} could not read the envelope. Its bytes are kept and
     * stored again as they are; opening the value throws {@code problem}'s kind of error.
     *
     * @param problem {@link Corrupt} or {@link UnsupportedVersion}; names no content
     */
    record Unreadable(Bytes envelope, PersistenceException problem) implements Body {}
  }

  /** The same value with its sealed part in another place. */
  public StoredPayload with(Body place) {
    return new StoredPayload(contentType, sealing, compression, keyId, commitment, length, place);
  }

  /** Content type of a payload whose envelope cannot be read. */
  public static final String UNREADABLE_TYPE = "application/x-unreadable";

  /**
   * Commits to content type and content.
   *
   * @throws Corrupt when the envelope could not be read
   * @throws UnsupportedVersion when it is of a newer version
   */
  @Override
  public Bytes commitment() {
    if (body instanceof Body.Unreadable unreadable) {
      throw again(unreadable.problem());
    }
    return commitment;
  }

  private static PersistenceException again(PersistenceException problem) {
    String message = String.valueOf(problem.getMessage());
    return problem instanceof UnsupportedVersion
        ? new UnsupportedVersion(message)
        : new Corrupt(message, problem);
  }

  /**
   * The bytes of the envelope and body, layout {@link #LAYOUT}; equal values give equal bytes. Of
   * an envelope that could not be read, the bytes it was read from.
   *
   * @throws IllegalArgumentException when a text of the envelope has more than 65,535 bytes
   */
  public Bytes encode() {
    if (body instanceof Body.Unreadable unreadable) {
      return unreadable.envelope();
    }
    byte[] type = utf8(contentType);
    byte[] key = utf8(keyId.orElse(""));
    byte[] reference =
        body instanceof Body.External external ? utf8(external.reference()) : NOTHING;
    int size = FIXED_BYTES + type.length + key.length + bodyBytes(reference);
    ByteBuffer out = ByteBuffer.allocate(size);
    out.put((byte) LAYOUT).put((byte) sealing).put((byte) compression);
    out.putShort((short) type.length).put(type);
    out.putShort((short) key.length).put(key);
    out.put(commitment.unsafeArray()).putLong(length);
    if (body instanceof Body.Inline inline) {
      out.put((byte) INLINE).putInt(inline.bytes().size()).put(inline.bytes().unsafeArray());
    } else if (body instanceof Body.Chunked chunked) {
      UUID stage = chunked.stageId();
      out.put((byte) CHUNKED)
          .putLong(stage.getMostSignificantBits())
          .putLong(stage.getLeastSignificantBits())
          .putInt(chunked.chunks());
    } else {
      out.put((byte) EXTERNAL).putShort((short) reference.length).put(reference);
    }
    return Bytes.wrap(out.array());
  }

  private int bodyBytes(byte[] reference) {
    if (body instanceof Body.Inline inline) {
      return Math.addExact(Integer.BYTES, inline.bytes().size());
    }
    return body instanceof Body.Chunked ? 2 * Long.BYTES + Integer.BYTES : 2 + reference.length;
  }

  /**
   * Reads what {@link #encode()} wrote. Allocates no more than the input's own size, whatever
   * lengths it announces.
   *
   * @throws UnsupportedVersion for a layout newer than {@link #LAYOUT}
   * @throws Corrupt when the bytes are not a payload
   */
  public static StoredPayload decode(Bytes encoded) {
    return read(ByteBuffer.wrap(encoded.unsafeArray()));
  }

  private static StoredPayload read(ByteBuffer in) {
    int size = in.remaining();
    try {
      int layout = Byte.toUnsignedInt(in.get());
      if (layout < FIRST_LAYOUT) {
        throw new Corrupt("payload layout " + layout + " was never written", null);
      }
      if (layout > LAYOUT) {
        throw new UnsupportedVersion(
            "payload layout " + layout + " is not known here (highest: " + LAYOUT + ")");
      }
      int sealing = Byte.toUnsignedInt(in.get());
      int compression = Byte.toUnsignedInt(in.get());
      String contentType = readText(in);
      String keyId = readText(in);
      Bytes commitment = Bytes.wrap(readExactly(in, COMMITMENT_BYTES));
      long length = in.getLong();
      Body body = readBody(in);
      if (in.hasRemaining()) {
        throw new Corrupt("payload has " + in.remaining() + " bytes too many", null);
      }
      return new StoredPayload(
          contentType,
          sealing,
          compression,
          keyId.isEmpty() ? Optional.empty() : Optional.of(keyId),
          commitment,
          length,
          body);
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw new Corrupt("payload of " + size + " bytes cannot be read", e);
    }
  }

  /**
   * As {@link #decode}, for stores: an envelope that cannot be read is kept, so that it concerns
   * whoever opens this value and not all who read its record or page.
   */
  public static StoredPayload keep(Bytes encoded) {
    return keep(ByteBuffer.wrap(encoded.unsafeArray()));
  }

  /**
   * As {@link #keep(Bytes)}, of an envelope that lies among other bytes: all that remains in the
   * buffer, in big-endian order. Nothing of the buffer is kept.
   */
  public static StoredPayload keep(ByteBuffer encoded) {
    ByteBuffer all = encoded.slice();
    try {
      return read(encoded);
    } catch (Corrupt | UnsupportedVersion e) {
      byte[] kept = new byte[all.remaining()];
      all.get(kept);
      return new StoredPayload(
          UNREADABLE_TYPE,
          UNSEALED,
          UNCOMPRESSED,
          Optional.empty(),
          NO_COMMITMENT,
          0,
          new Body.Unreadable(Bytes.wrap(kept), e));
    }
  }

  private static Body readBody(ByteBuffer in) {
    int kind = Byte.toUnsignedInt(in.get());
    return switch (kind) {
      case INLINE -> new Body.Inline(Bytes.wrap(readExactly(in, in.getInt())));
      case CHUNKED -> new Body.Chunked(new UUID(in.getLong(), in.getLong()), in.getInt());
      case EXTERNAL -> new Body.External(readText(in));
      default -> throw new UnsupportedVersion("payload body kind " + kind + " is not known here");
    };
  }

  private static byte[] utf8(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MAX_TEXT_BYTES) {
      throw new IllegalArgumentException(
          "a text of " + bytes.length + " bytes does not fit into the envelope");
    }
    return bytes;
  }

  private static String readText(ByteBuffer in) {
    byte[] bytes = readExactly(in, Short.toUnsignedInt(in.getShort()));
    String text = new String(bytes, StandardCharsets.UTF_8);
    // Malformed bytes were replaced: such a text would be another one when it is written again.
    if (text.indexOf('\uFFFD') >= 0 && !Arrays.equals(bytes, utf8(text))) {
      throw new Corrupt("payload has a text that is not UTF-8", null);
    }
    return text;
  }

  private static byte[] readExactly(ByteBuffer in, int length) {
    if (length < 0 || length > in.remaining()) {
      throw new Corrupt("payload is cut: " + length + " bytes announced", null);
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  @Override
  public String toString() {
    return "StoredPayload[" + contentType + ", " + length + " bytes]";
  }
}
