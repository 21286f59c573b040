/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.storage.spi.Attribute;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Rows and batches for the tests of all engines. */
public final class TestRows {
  public static final String TENANT = "acme";
  public static final Scope SCOPE = Scope.tenant(TENANT);
  public static final Instant NOW = Instant.parse("2026-03-01T10:15:30.123456Z");

  private TestRows() {}

  public static Deadline deadline() {
    return Deadline.after(Duration.ofSeconds(30));
  }

  public static ReadOptions strong() {
    return ReadOptions.strong(deadline());
  }

  /** A row with what it must have, of this key. */
  public static Row row(RecordType type, Object... key) {
    List<@Nullable Object> values = new ArrayList<>();
    for (Attribute attribute : type.attributes()) {
      values.add(attribute.nullable() ? null : plain(attribute));
    }
    RecordHeader header =
        new RecordHeader(UUID.randomUUID(), TENANT, 1, NOW, NOW, "tester", 1, 1, 1, Bytes.EMPTY);
    return new Row(Key.of(type, key), header, values);
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
      case PAYLOAD -> throw new IllegalArgumentException("payloads may be missing");
      case TEXT_LIST -> List.of();
    };
  }

  public static Row head(UUID execution) {
    return row(RecordTypes.HEAD, execution);
  }

  public static Row event(UUID execution, long sequence) {
    return row(RecordTypes.EVENT, execution, sequence);
  }

  public static Row next(Row row) {
    return row.with(row.header().next(row.header().updatedAt().plusMillis(1), "tester"));
  }

  public static Batch batch(Mutation... mutations) {
    return new Batch(UUID.randomUUID(), 1, SCOPE, Optional.empty(), List.of(mutations), List.of());
  }

  /** The head after one more event, and that event. */
  public static Batch step(Row head) {
    UUID execution = (UUID) head.key().values().get(0);
    Row after = stepped(head);
    return batch(
        new Mutation.Update(head, after),
        new Mutation.Insert(event(execution, lastSequence(after))));
  }

  public static Row stepped(Row head) {
    return next(head).with("lastSequence", lastSequence(head) + 1);
  }

  public static long lastSequence(Row head) {
    Object last = head.get("lastSequence");
    return last == null ? 0 : (Long) last;
  }

  public static Optional<Row> stored(Storage storage, Key key) {
    return storage.read(SCOPE, List.of(key), strong()).get(0);
  }

  /** All rows of a type, whose keys begin so. */
  public static List<Row> all(Storage storage, RecordType type, Object... prefix) {
    List<Row> rows = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      var page = storage.scan(SCOPE, Scan.byKey(type, List.of(prefix), 100).after(next), strong());
      rows.addAll(page.items());
      next = page.next();
    } while (next.isPresent());
    return rows;
  }
}
