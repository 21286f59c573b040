/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.storage.spi.AccessPath;
import io.wovyr.persistence.storage.spi.Attribute;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.Row;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Rows of any record type, made from its description alone. */
final class SampleRows {
  /** When all sample rows were made. */
  static final Instant CREATED = Instant.parse("2026-01-02T03:04:05.123456Z");

  /** Actor of all sample rows. */
  static final String ACTOR = "conformance-kit";

  private SampleRows() {}

  /** A header of version 1. */
  static RecordHeader header(String tenantId) {
    return new RecordHeader(
        UUID.randomUUID(), tenantId, 1, CREATED, CREATED, ACTOR, 1, 1, 1, Bytes.EMPTY);
  }

  /** The row of the next version. */
  static Row next(Row row) {
    return row.with(row.header().next(row.header().updatedAt().plus(1, ChronoUnit.SECONDS), ACTOR));
  }

  /** A row that has nothing but what it must have, and nothing unique that another has. */
  static Row minimal(String tenantId, Key key) {
    List<@Nullable Object> values = new ArrayList<>();
    for (Attribute attribute : key.type().attributes()) {
      boolean unique =
          key.type().uniqueKeys().stream()
              .anyMatch(one -> one.attributes().contains(attribute.name()));
      values.add(attribute.nullable() ? null : unique ? distinct(attribute) : plain(attribute));
    }
    return new Row(key, header(tenantId), values);
  }

  private static Object plain(Attribute attribute) {
    return switch (attribute.kind()) {
      case INT -> 1;
      case LONG -> 1L;
      case BOOLEAN -> false;
      case TEXT -> "x";
      case UUID -> new UUID(0, 1);
      case INSTANT -> CREATED;
      case BYTES -> Bytes.EMPTY;
      case PAYLOAD -> payload(new byte[0]);
      case TEXT_LIST -> List.of();
    };
  }

  /** A row with every attribute set, to values no other row has where the kind allows. */
  static Row full(String tenantId, Key key) {
    List<@Nullable Object> values = new ArrayList<>();
    for (Attribute attribute : key.type().attributes()) {
      values.add(distinct(attribute));
    }
    return new Row(key, header(tenantId), values);
  }

  /** A key that no other row has. */
  static Key key(RecordType type) {
    return new Key(type, type.key().stream().map(SampleRows::distinct).toList());
  }

  /** What a scan of a path must give to find a row: of a list, its first element. */
  static List<Object> equality(AccessPath path, Row row) {
    return path.equality().stream()
        .map(name -> Objects.requireNonNull(row.get(name)))
        .map(value -> value instanceof List<?> list ? Objects.requireNonNull(list.get(0)) : value)
        .toList();
  }

  private static Object distinct(Attribute attribute) {
    UUID random = UUID.randomUUID();
    // Never 0, which no number in a key may be.
    long number = 1 + (random.getMostSignificantBits() >>> 20);
    return switch (attribute.kind()) {
      case INT -> 1 + (int) (number & 0xffffff);
      case LONG -> number;
      case BOOLEAN -> true;
      case TEXT -> text(attribute, random);
      case UUID -> random;
      case INSTANT -> CREATED.plus(number & 0xffffffffL, ChronoUnit.MICROS);
      case BYTES -> Bytes.utf8(random.toString());
      case PAYLOAD -> payload(random.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8));
      case TEXT_LIST -> List.of("kind=" + random, "size=2");
    };
  }

  private static String text(Attribute attribute, UUID random) {
    String text = random.toString().replace("-", "");
    return text.substring(0, Math.min(text.length(), attribute.maxLength()));
  }

  /** An unsealed payload with this content inline. */
  static StoredPayload payload(byte[] content) {
    byte[] commitment = new byte[32];
    for (int i = 0; i < content.length; i++) {
      commitment[i % 32] ^= content[i];
    }
    return new StoredPayload(
        "application/octet-stream",
        StoredPayload.UNSEALED,
        StoredPayload.UNCOMPRESSED,
        Optional.empty(),
        Bytes.wrap(commitment),
        content.length,
        new StoredPayload.Body.Inline(Bytes.copyOf(content)));
  }
}
