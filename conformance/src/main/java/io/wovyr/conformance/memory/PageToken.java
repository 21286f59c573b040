/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.memory;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.storage.spi.StoreTime;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;

/** Writes the place where a page ended as text, and reads it again. */
final class PageToken {
  private PageToken() {}

  static String encode(List<Object> place) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      for (Object value : place) {
        write(out, value);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory cannot fail", e);
    }
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray());
  }

  static List<Object> decode(String token) {
    List<Object> place = new ArrayList<>();
    try (DataInputStream in =
        new DataInputStream(new ByteArrayInputStream(Base64.getUrlDecoder().decode(token)))) {
      while (in.available() > 0) {
        place.add(read(in));
      }
      return place;
    } catch (IOException | IllegalArgumentException e) {
      throw new InvalidInput("this is not the next page of this store's scan");
    }
  }

  private static void write(DataOutputStream out, Object value) throws IOException {
    if (value instanceof Integer number) {
      out.writeByte('i');
      out.writeInt(number);
    } else if (value instanceof Long number) {
      out.writeByte('l');
      out.writeLong(number);
    } else if (value instanceof Boolean flag) {
      out.writeByte('b');
      out.writeBoolean(flag);
    } else if (value instanceof UUID id) {
      out.writeByte('u');
      out.writeLong(id.getMostSignificantBits());
      out.writeLong(id.getLeastSignificantBits());
    } else if (value instanceof Instant instant) {
      out.writeByte('t');
      out.writeLong(StoreTime.micros(instant));
    } else if (value instanceof String text) {
      out.writeByte('s');
      writeBytes(out, text.getBytes(StandardCharsets.UTF_8));
    } else if (value instanceof Bytes content) {
      out.writeByte('x');
      writeBytes(out, content.unsafeArray());
    } else {
      throw new IllegalArgumentException("no order over " + value.getClass().getName());
    }
  }

  private static void writeBytes(DataOutputStream out, byte[] content) throws IOException {
    out.writeInt(content.length);
    out.write(content);
  }

  private static Object read(DataInputStream in) throws IOException {
    int kind = in.readUnsignedByte();
    return switch (kind) {
      case 'i' -> in.readInt();
      case 'l' -> in.readLong();
      case 'b' -> in.readBoolean();
      case 'u' -> new UUID(in.readLong(), in.readLong());
      case 't' -> StoreTime.ofMicros(in.readLong());
      case 's' -> new String(readBytes(in), StandardCharsets.UTF_8);
      case 'x' -> Bytes.wrap(readBytes(in));
      default -> throw new IOException("kind " + kind);
    };
  }

  private static byte[] readBytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new IOException("length " + length);
    }
    return in.readNBytes(length);
  }
}
