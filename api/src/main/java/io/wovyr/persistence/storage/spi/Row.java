/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.storage.spi.Attribute.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record as the SPI carries it. Sensitive values are already sealed. {@link RecordHeader#extra()}
 * holds what a newer node wrote and this one cannot read: a provider keeps it and gives it back.
 *
 * @param header {@code header.tenantId()} is the scope's tenant
 * @param values in the order of {@link RecordType#attributes()}, null where an attribute is; {@link
 *     Unreadable} where a stored value could not be read
 * @since 0.1
 */
public record Row(Key key, RecordHeader header, List<@Nullable Object> values) {
  /**
   * @throws IllegalArgumentException when a value is not of its attribute's kind, or null where it
   *     must not be: a mistake of the program, not of its user
   */
  public Row {
    values = Collections.unmodifiableList(new ArrayList<>(values));
    List<Attribute> attributes = key.type().attributes();
    if (values.size() != attributes.size()) {
      throw new IllegalArgumentException(
          key + " has " + values.size() + " values, not " + attributes.size());
    }
    for (int i = 0; i < values.size(); i++) {
      Object value = values.get(i);
      Attribute attribute = attributes.get(i);
      boolean fits =
          value == null
              ? attribute.nullable()
              : attribute.kind().javaType().isInstance(value)
                  || (attribute.kind() == Kind.INSTANT && value instanceof StoreTime)
                  || value instanceof Unreadable;
      if (!fits) {
        throw new IllegalArgumentException(
            key + ": " + attribute.name() + " is not a " + attribute.kind());
      }
    }
  }

  /** The record's type. */
  public RecordType type() {
    return key.type();
  }

  /** The version every guard looks at. */
  public long version() {
    return header.version();
  }

  /** The value of an attribute, of the key or not. */
  public @Nullable Object get(String attribute) {
    return key.type().valueIn(key, values, attribute);
  }

  /** The same row with another value. */
  public Row with(String attribute, @Nullable Object value) {
    int position = key.type().position(attribute);
    if (position < 0) {
      throw new IllegalArgumentException("the key cannot be changed");
    }
    List<@Nullable Object> changed = new ArrayList<>(values);
    changed.set(position, value);
    return new Row(key, header, changed);
  }

  /** The same row with another header. */
  public Row with(RecordHeader changed) {
    return new Row(key, changed, values);
  }

  /**
   * The size that limits count, in bytes: 100 for the header, its texts and extra, and per value 8,
   * or its length where it has one (UTF-8 for text, the encoded envelope for payloads).
   */
  public int sizeBytes() {
    long size =
        100L
            + utf8Length(header.tenantId())
            + utf8Length(header.updatedBy())
            + header.extra().size();
    for (Object value : key.values()) {
      size += sizeOf(value);
    }
    for (Object value : values) {
      size += sizeOf(value);
    }
    return (int) Math.min(size, Integer.MAX_VALUE);
  }

  private static long sizeOf(@Nullable Object value) {
    if (value instanceof String text) {
      return utf8Length(text);
    }
    if (value instanceof Bytes bytes) {
      return bytes.size();
    }
    if (value instanceof StoredPayload payload) {
      return sizeOf(payload);
    }
    if (value instanceof List<?> list) {
      return list.stream().mapToLong(element -> 2 + sizeOf(element)).sum();
    }
    return 8;
  }

  /** Never less than its encoding has. */
  private static long sizeOf(StoredPayload payload) {
    long size =
        64L + utf8Length(payload.contentType()) + payload.keyId().map(Row::utf8Length).orElse(0L);
    if (payload.body() instanceof StoredPayload.Body.Unreadable unreadable) {
      return size + unreadable.envelope().size();
    }
    if (payload.body() instanceof StoredPayload.Body.Inline inline) {
      return size + inline.bytes().size();
    }
    return payload.body() instanceof StoredPayload.Body.External external
        ? size + utf8Length(external.reference())
        : size + 64;
  }

  private static long utf8Length(String text) {
    long length = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      length += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
    return length;
  }

  @Override
  public String toString() {
    return key + "@" + header.version();
  }
}
