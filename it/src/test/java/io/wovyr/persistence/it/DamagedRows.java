/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.storage.spi.Attribute;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rows of any type that can be read, and how to find them in their table. */
final class DamagedRows {
  static final Instant MADE = Instant.parse("2026-01-02T03:04:05.123456Z");

  /** The first key attribute of every row with more than one. */
  static final UUID SHARED = UUID.fromString("01890000-0000-7000-8000-0000000000aa");

  static final String NAME = "name-x";

  private static final Map<String, String> TEXTS =
      Map.ofEntries(
          Map.entry("execution.status", "CREATED"),
          Map.entry("definition.status", "ACTIVE"),
          Map.entry("activity.status", "SCHEDULED"),
          Map.entry("retry.status", "PENDING"),
          Map.entry("compensation.status", "REGISTERED"),
          Map.entry("schedule.misfire", "SKIP"),
          Map.entry("audit_record.outcome", "DONE"),
          Map.entry("checkpoint.kind", "FULL"),
          Map.entry("checkpoint.origin", "AUTOMATIC"),
          Map.entry("checkpoint_mark.validity", "VALID"),
          Map.entry("data_key.scope", "DATA"),
          Map.entry("large_value.status", "PUBLISHED"),
          Map.entry("metrics_snapshot.source", "contract"));

  private DamagedRows() {}

  /** The row of this number; they are in the order of their numbers. */
  static Row row(String tenant, RecordType type, int number) {
    UUID id = new UUID(SHARED.getMostSignificantBits(), number);
    List<Object> key = new ArrayList<>();
    for (int i = 0; i < type.key().size(); i++) {
      boolean last = i == type.key().size() - 1;
      key.add(keyPart(type, type.key().get(i), last, number));
    }
    UUID headerId = key.size() == 1 && key.get(0) instanceof UUID keyed ? keyed : id;
    RecordHeader header =
        new RecordHeader(
            headerId, tenant, 1, MADE, MADE, "tester", 1, type.entityVersion(), 1, Bytes.EMPTY);
    List<@Nullable Object> values = new ArrayList<>();
    type.attributes().forEach(attribute -> values.add(value(type, attribute, id)));
    return new Row(new Key(type, key), header, values);
  }

  private static Object keyPart(RecordType type, Attribute attribute, boolean last, int number) {
    boolean distinct = last || attribute.name().equals("eventCursor");
    return switch (attribute.kind()) {
      case UUID -> distinct ? new UUID(SHARED.getMostSignificantBits(), number) : SHARED;
      case INT -> distinct ? number : 1;
      case LONG -> distinct ? (long) number : 1L;
      default ->
          TEXTS.getOrDefault(
              type.name() + "." + attribute.name(), last ? "name-%04d".formatted(number) : NAME);
    };
  }

  private static @Nullable Object value(RecordType type, Attribute attribute, UUID id) {
    if (attribute.nullable()) {
      return null;
    }
    return switch (attribute.kind()) {
      case INT -> 1;
      case LONG -> 1L;
      case BOOLEAN -> false;
      case TEXT ->
          TEXTS.getOrDefault(
              type.name() + "." + attribute.name(),
              attribute.name() + id.getLeastSignificantBits());
      case UUID -> id;
      case INSTANT -> MADE;
      case BYTES ->
          type == RecordTypes.EVENT
              ? Bytes.copyOf(new byte[] {1, 0, 0, 0, 0})
              : Bytes.copyOf(new byte[32]);
      case PAYLOAD -> throw new AssertionError("payloads may be missing");
      case TEXT_LIST -> List.of();
    };
  }

  /** The key as {@code quarantine} names it. */
  static String text(Key key) {
    return key.values().stream().map(Object::toString).collect(Collectors.joining("/"));
  }

  static String column(String attribute) {
    return attribute.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }
}
