/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.internal;

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

/**
 * Where a page ended, as text: the order's values of its last row. Says which query it belongs to,
 * so that a token of another one is refused instead of misread. Thread-safe, no state.
 */
final class PageToken {
  private PageToken() {}

  static String encode(int query, List<RecordTable.Column> order, List<Object> values) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(query);
      for (int i = 0; i < order.size(); i++) {
        write(out, values.get(i));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory cannot fail", e);
    }
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray());
  }

  private static void write(DataOutputStream out, Object value) throws IOException {
    if (value instanceof String text) {
      writeBytes(out, text.getBytes(StandardCharsets.UTF_8));
    } else if (value instanceof Bytes bytes) {
      writeBytes(out, bytes.unsafeArray());
    } else if (value instanceof UUID id) {
      out.writeLong(id.getMostSignificantBits());
      out.writeLong(id.getLeastSignificantBits());
    } else if (value instanceof Instant instant) {
      out.writeLong(StoreTime.micros(instant));
    } else if (value instanceof Boolean flag) {
      out.writeBoolean(flag);
    } else {
      out.writeLong(((Number) value).longValue());
    }
  }

  private static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  static List<Object> decode(String token, int query, List<RecordTable.Column> order) {
    try (DataInputStream in =
        new DataInputStream(new ByteArrayInputStream(Base64.getUrlDecoder().decode(token)))) {
      if (in.readInt() != query) {
        throw notOurs();
      }
      List<Object> values = new ArrayList<>();
      for (RecordTable.Column column : order) {
        values.add(read(in, column));
      }
      if (in.available() > 0) {
        throw notOurs();
      }
      return values;
    } catch (IOException | IllegalArgumentException e) {
      throw notOurs();
    }
  }

  private static Object read(DataInputStream in, RecordTable.Column column) throws IOException {
    return switch (column.kind()) {
      case TEXT -> readText(in);
      case BYTES -> Bytes.wrap(readBytes(in));
      case UUID -> new UUID(in.readLong(), in.readLong());
      case INSTANT -> StoreTime.ofMicros(in.readLong());
      case BOOLEAN -> in.readBoolean();
      case INT -> (int) in.readLong();
      case LONG -> in.readLong();
      case PAYLOAD, TEXT_LIST -> throw notOurs();
    };
  }

  private static String readText(DataInputStream in) throws IOException {
    String text = new String(readBytes(in), StandardCharsets.UTF_8);
    if (text.indexOf('\0') >= 0) {
      // No row has such a value, and not every store can be asked for it.
      throw notOurs();
    }
    return text;
  }

  private static byte[] readBytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw notOurs();
    }
    return in.readNBytes(length);
  }

  private static InvalidInput notOurs() {
    return new InvalidInput(
        "the page token does not belong to this query: start from the first page");
  }
}
