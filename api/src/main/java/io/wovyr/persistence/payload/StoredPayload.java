/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.payload;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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

  /** Sealing codec: not sealed. */
  public static final int UNSEALED = 0;

  /** Compression codec: not compressed. */
  public static final int UNCOMPRESSED = 0;

  /** Length of the salt at the beginning of the sealed part, in bytes. */
  public static final int SALT_BYTES = 32;

  private static final int INLINE = 0;
  private static final int CHUNKED = 1;
  private static final int EXTERNAL = 2;

  public StoredPayload {
    if (commitment.size() != 32) {
      throw new IllegalArgumentException("commitment has " + commitment.size() + " bytes, not 32");
    }
    if (length < 0 || sealing < 0 || sealing > 255 || compression < 0 || compression > 255) {
      throw new IllegalArgumentException("length, sealing or compression out of range");
    }
  }

  /** Where the sealed part is. */
  public sealed interface Body {
    /** In the record itself. */
    record Inline(Bytes bytes) implements Body {}

    /** In staged chunks of the same store, published by the commit of this record. */
    record Chunked(UUID stageId, int chunks) implements Body {}

    /** In an object store; the reference is the object's name there. */
    record External(String reference) implements Body {}
  }

  /** The bytes of the envelope and body, layout {@link #LAYOUT}; equal values give equal bytes. */
  public Bytes encode() {
    int inline = body instanceof Body.Inline in ? in.bytes().size() : 64;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(96 + contentType.length() + inline);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(LAYOUT);
      out.writeByte(sealing);
      out.writeByte(compression);
      writeText(out, contentType);
      writeText(out, keyId.orElse(""));
      out.write(commitment.unsafeArray());
      out.writeLong(length);
      if (body instanceof Body.Inline in) {
        out.writeByte(INLINE);
        out.writeInt(in.bytes().size());
        out.write(in.bytes().unsafeArray());
      } else if (body instanceof Body.Chunked chunked) {
        out.writeByte(CHUNKED);
        out.writeLong(chunked.stageId().getMostSignificantBits());
        out.writeLong(chunked.stageId().getLeastSignificantBits());
        out.writeInt(chunked.chunks());
      } else if (body instanceof Body.External external) {
        out.writeByte(EXTERNAL);
        writeText(out, external.reference());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory cannot fail", e);
    }
    return Bytes.wrap(bytes.toByteArray());
  }

  /**
   * Reads what {@link #encode()} wrote.
   *
   * @throws UnsupportedVersion for a layout newer than {@link #LAYOUT}
   * @throws Corrupt when the bytes are not a payload
   */
  public static StoredPayload decode(Bytes encoded) {
    try (DataInputStream in =
        new DataInputStream(new ByteArrayInputStream(encoded.unsafeArray()))) {
      int layout = in.readUnsignedByte();
      if (layout != LAYOUT) {
        throw new UnsupportedVersion(
            "payload layout " + layout + " is not known here (highest: " + LAYOUT + ")");
      }
      int sealing = in.readUnsignedByte();
      int compression = in.readUnsignedByte();
      String contentType = readText(in);
      String keyId = readText(in);
      Bytes commitment = Bytes.wrap(readExactly(in, 32));
      long length = in.readLong();
      Body body =
          switch (in.readUnsignedByte()) {
            case INLINE -> new Body.Inline(Bytes.wrap(readExactly(in, in.readInt())));
            case CHUNKED -> new Body.Chunked(new UUID(in.readLong(), in.readLong()), in.readInt());
            case EXTERNAL -> new Body.External(readText(in));
            default -> throw new Corrupt("payload has an unknown body kind", null);
          };
      if (in.available() > 0) {
        throw new Corrupt("payload has " + in.available() + " bytes too many", null);
      }
      return new StoredPayload(
          contentType,
          sealing,
          compression,
          keyId.isEmpty() ? Optional.empty() : Optional.of(keyId),
          commitment,
          length,
          body);
    } catch (IOException | IllegalArgumentException e) {
      throw new Corrupt("payload of " + encoded.size() + " bytes cannot be read", e);
    }
  }

  private static void writeText(DataOutputStream out, String text) throws IOException {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    out.writeShort(utf8.length);
    out.write(utf8);
  }

  private static String readText(DataInputStream in) throws IOException {
    return new String(readExactly(in, in.readUnsignedShort()), StandardCharsets.UTF_8);
  }

  private static byte[] readExactly(DataInputStream in, int length) throws IOException {
    if (length < 0 || length > in.available()) {
      throw new Corrupt("payload is cut: " + length + " bytes announced", null);
    }
    return in.readNBytes(length);
  }

  @Override
  public String toString() {
    return "StoredPayload[" + contentType + ", " + length + " bytes]";
  }
}
