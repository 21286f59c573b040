/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.storage.spi.Attribute;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Rows and batches for tests. */
final class TestRows {
  static final String TENANT = "acme";
  static final Scope SCOPE = Scope.tenant(TENANT);
  static final Instant NOW = Instant.parse("2026-03-01T10:15:30.123456Z");

  private TestRows() {}

  static Deadline deadline() {
    return Deadline.after(Duration.ofSeconds(30));
  }

  static ReadOptions strong() {
    return ReadOptions.strong(deadline());
  }

  static RecordHeader header(UUID id, String tenant) {
    return new RecordHeader(id, tenant, 1, NOW, NOW, "tester", 1, 1, 1, Bytes.EMPTY);
  }

  static Row next(Row row) {
    return row.with(row.header().next(row.header().updatedAt().plusMillis(1), "tester"));
  }

  /** A row with what it must have, of this key. */
  static Row row(RecordType type, String tenant, Object... key) {
    List<@Nullable Object> values = new ArrayList<>();
    for (Attribute attribute : type.attributes()) {
      values.add(attribute.nullable() ? null : plain(attribute));
    }
    UUID id = key[0] instanceof UUID first ? first : UUID.randomUUID();
    return new Row(Key.of(type, key), header(id, tenant), values);
  }

  private static Object plain(Attribute attribute) {
    return switch (attribute.kind()) {
      case INT -> 0;
      case LONG -> 0L;
      case BOOLEAN -> false;
      case TEXT -> "x";
      case UUID -> new UUID(1, 2);
      case INSTANT -> NOW;
      case BYTES -> Bytes.EMPTY;
      case PAYLOAD -> payload("");
      case TEXT_LIST -> List.of();
    };
  }

  /** A row with every attribute set. */
  static Row full(RecordType type, String tenant, Object... key) {
    Row row = row(type, tenant, key);
    for (Attribute attribute : type.attributes()) {
      row = row.with(attribute.name(), filled(attribute));
    }
    return row.with(
        new RecordHeader(
            UUID.randomUUID(),
            tenant,
            1,
            NOW,
            NOW.plusNanos(1_000),
            "Jürgen \uD83D\uDE80",
            3,
            4,
            5,
            Bytes.utf8("extra")));
  }

  private static Object filled(Attribute attribute) {
    UUID random = UUID.randomUUID();
    return switch (attribute.kind()) {
      case INT -> Integer.MIN_VALUE;
      case LONG -> Long.MAX_VALUE;
      case BOOLEAN -> true;
      case TEXT -> "ä\u0001'\"%_" + random.toString().substring(0, 8);
      case UUID -> random;
      case INSTANT -> Instant.parse("1969-12-31T23:59:59.999999Z");
      case BYTES -> Bytes.wrap(new byte[] {0, 1, -1, 0});
      case PAYLOAD -> payload("ab\u0000cd" + random);
      case TEXT_LIST -> List.of("a=\"\\\u0001", "", "b=\u00e4\uD83D\uDE80,]");
    };
  }

  static Row head(String tenant, UUID execution) {
    return row(RecordTypes.HEAD, tenant, execution);
  }

  static Row event(String tenant, UUID execution, long sequence) {
    return row(RecordTypes.EVENT, tenant, execution, sequence)
        .with(header(UUID.randomUUID(), tenant))
        .with("payload", payload("x".repeat(200)));
  }

  static StoredPayload payload(String text) {
    return new StoredPayload(
        "text/plain",
        0,
        0,
        Optional.empty(),
        Bytes.wrap(new byte[32]),
        text.length(),
        new StoredPayload.Body.Inline(Bytes.utf8(text)));
  }

  static Batch batch(Mutation... mutations) {
    return batch(SCOPE, mutations);
  }

  static Batch batch(Scope scope, Mutation... mutations) {
    return new Batch(UUID.randomUUID(), 1, scope, Optional.empty(), List.of(mutations), List.of());
  }

  static Mutation insert(Row row) {
    return new Mutation.Insert(row);
  }

  static Mutation update(Row before, Row after) {
    return new Mutation.Update(before, after);
  }

  /** The head after one more event, and that event. */
  static Batch step(Row head) {
    long sequence = (Long) head.get("lastSequence") + 1;
    UUID execution = (UUID) head.key().values().get(0);
    return batch(
        update(head, stepped(head)), insert(event(head.header().tenantId(), execution, sequence)));
  }

  static Row stepped(Row head) {
    return next(head).with("lastSequence", (Long) head.get("lastSequence") + 1);
  }
}
