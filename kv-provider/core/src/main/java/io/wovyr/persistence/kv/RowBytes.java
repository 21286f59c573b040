/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.storage.spi.Attribute;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.StoreTime;
import io.wovyr.persistence.storage.spi.Unreadable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row without its key and tenant, as bytes. Each value lies behind its length, so that one that
 * cannot be read spoils no other; attributes that a later version of a type added behind the others
 * are null in older rows.
 */
final class RowBytes {
  /** Begins every row. */
  static final int FORMAT = 1;

  private static final int FIRST_FORMAT = 1;

  private RowBytes() {}

  static byte[] encode(Row row) {
    RecordHeader header = row.header();
    ValueWriter out = new ValueWriter(row.sizeBytes() + 32);
    out.octet(FORMAT).number(header.version());
    out.u64(header.id().getMostSignificantBits()).u64(header.id().getLeastSignificantBits());
    out.u64(StoreTime.micros(header.createdAt())).u64(StoreTime.micros(header.updatedAt()));
    out.text(header.updatedBy());
    out.number(header.schemaVersion());
    out.number(header.entityVersion());
    out.number(header.serializationVersion());
    out.sized(header.extra().unsafeArray());
    List<Attribute> attributes = row.type().attributes();
    out.number(attributes.size());
    for (int i = 0; i < attributes.size(); i++) {
      write(out, attributes.get(i), row.values().get(i));
    }
    return out.toBytes();
  }

  /** Zero for null; else the length plus one, and the value. */
  private static void write(ValueWriter out, Attribute attribute, @Nullable Object value) {
    if (value == null) {
      out.number(0);
      return;
    }
    byte[] bytes = bytes(attribute, value);
    out.number(bytes.length + 1L).raw(bytes);
  }

  private static byte[] bytes(Attribute attribute, Object value) {
    return switch (attribute.kind()) {
      case INT -> new ValueWriter(5).signed((Integer) value).toBytes();
      case LONG -> new ValueWriter(10).signed((Long) value).toBytes();
      case BOOLEAN -> new byte[] {(byte) ((Boolean) value ? 1 : 0)};
      case TEXT -> ((String) value).getBytes(java.nio.charset.StandardCharsets.UTF_8);
      case UUID ->
          new ValueWriter(16)
              .u64(((UUID) value).getMostSignificantBits())
              .u64(((UUID) value).getLeastSignificantBits())
              .toBytes();
      case INSTANT -> new ValueWriter(8).u64(StoreTime.micros((Instant) value)).toBytes();
      case BYTES -> ((Bytes) value).unsafeArray();
      case PAYLOAD -> ((StoredPayload) value).encode().unsafeArray();
      case TEXT_LIST -> list((List<?>) value);
    };
  }

  private static byte[] list(List<?> texts) {
    ValueWriter out = new ValueWriter(64);
    texts.forEach(text -> out.text((String) text));
    return out.toBytes();
  }

  /** Whatever the bytes are there is a row; what cannot be read of it is {@link Unreadable}. */
  static Row decode(Key key, String tenant, ValueReader in) {
    RecordType type = key.type();
    RecordHeader header;
    try {
      header = header(tenant, in);
    } catch (Corrupt | UnsupportedVersion e) {
      return unreadable(key, tenant, String.valueOf(e.getMessage()));
    }
    List<@Nullable Object> values = new ArrayList<>(type.attributes().size());
    try {
      int count = in.smallNumber();
      for (int i = 0; i < type.attributes().size(); i++) {
        values.add(i < count ? read(type.attributes().get(i), in) : missing(type, i));
      }
    } catch (Corrupt e) {
      for (int i = values.size(); i < type.attributes().size(); i++) {
        String name = type.attributes().get(i).name();
        values.add(new Unreadable(name, String.valueOf(e.getMessage())));
      }
    }
    return new Row(key, header, values);
  }

  private static RecordHeader header(String tenant, ValueReader in) {
    int format = in.octet();
    if (format < FIRST_FORMAT) {
      throw new Corrupt("format " + format + " was never written", null);
    }
    if (format != FORMAT) {
      throw new UnsupportedVersion("its format is " + format + ", known is " + FORMAT);
    }
    long version = in.number();
    UUID id = new UUID(in.u64(), in.u64());
    Instant created = instant(in.u64());
    Instant updated = instant(in.u64());
    return new RecordHeader(
        id,
        tenant,
        version,
        created,
        updated,
        in.text(),
        in.smallNumber(),
        in.smallNumber(),
        in.smallNumber(),
        Bytes.wrap(in.sized()));
  }

  private static Row unreadable(Key key, String tenant, String problem) {
    RecordHeader nothing = RecordHeader.unsaved();
    RecordHeader header =
        new RecordHeader(
            nothing.id(),
            tenant,
            nothing.version(),
            nothing.createdAt(),
            nothing.updatedAt(),
            nothing.updatedBy(),
            nothing.schemaVersion(),
            nothing.entityVersion(),
            nothing.serializationVersion(),
            nothing.extra());
    Unreadable all = new Unreadable("header", problem);
    return new Row(key, header, Collections.nCopies(key.type().attributes().size(), all));
  }

  private static @Nullable Object missing(RecordType type, int position) {
    Attribute attribute = type.attributes().get(position);
    return attribute.nullable()
        ? null
        : new Unreadable(attribute.name(), "it is missing, and must not be");
  }

  private static @Nullable Object read(Attribute attribute, ValueReader in) {
    int length = in.smallNumber();
    if (length == 0) {
      return attribute.nullable()
          ? null
          : new Unreadable(attribute.name(), "it is null, and must not be");
    }
    int outer = in.narrow(length - 1);
    try {
      Object read = value(attribute, in);
      if (!in.isAtEnd()) {
        throw new Corrupt("it is longer than a value of its kind", null);
      }
      return read;
    } catch (Corrupt e) {
      return new Unreadable(attribute.name(), String.valueOf(e.getMessage()));
    } finally {
      in.widen(outer);
    }
  }

  private static Object value(Attribute attribute, ValueReader in) {
    return switch (attribute.kind()) {
      case INT -> {
        long number = in.signed();
        if (number != (int) number) {
          throw new Corrupt("its number is beyond 32 bits", null);
        }
        yield (int) number;
      }
      case LONG -> in.signed();
      case BOOLEAN -> {
        int flag = in.octet();
        if (flag > 1) {
          throw new Corrupt("its number is beyond 0 and 1", null);
        }
        yield flag == 1;
      }
      case TEXT -> in.restAsText();
      case UUID -> new UUID(in.u64(), in.u64());
      case INSTANT -> instant(in.u64());
      case BYTES -> Bytes.wrap(in.rest());
      case PAYLOAD -> StoredPayload.keep(in.restAsBuffer());
      case TEXT_LIST -> {
        List<String> texts = new ArrayList<>();
        while (!in.isAtEnd()) {
          texts.add(in.text());
        }
        yield List.copyOf(texts);
      }
    };
  }

  private static final long FIRST_MICROS = StoreTime.micros(Instant.parse("0001-01-01T00:00:00Z"));
  private static final long LAST_MICROS = StoreTime.micros(Instant.parse("9999-12-31T23:59:59Z"));

  private static Instant instant(long micros) {
    if (micros < FIRST_MICROS || micros > LAST_MICROS + 999_999) {
      throw new Corrupt("its time is not of the years 1 to 9999", null);
    }
    return StoreTime.ofMicros(micros);
  }
}
