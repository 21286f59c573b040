/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.storage.spi.Attribute;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Every value of every kind comes back as it was sent. */
abstract class ValuesArea extends Area {
  ValuesArea(StorageContract contract) {
    super(contract);
  }

  private static final List<Instant> INSTANTS =
      List.of(
          Instant.parse("0001-01-01T00:00:00Z"),
          Instant.parse("1582-10-10T12:00:00.000001Z"),
          Instant.parse("1969-12-31T23:59:59.999999Z"),
          Instant.EPOCH,
          Instant.parse("2026-03-29T01:30:00.000001Z"),
          Instant.parse("2026-10-25T01:30:00.999999Z"),
          Instant.parse("9999-12-31T23:59:59.999999Z"));

  /** The values at the edges of an attribute's kind. */
  private static List<?> extremes(Attribute attribute) {
    return switch (attribute.kind()) {
      case INT -> List.of(Integer.MIN_VALUE, -1, 0, 1, Integer.MAX_VALUE);
      case LONG ->
          List.of(Long.MIN_VALUE, -1L, 0L, (1L << 53) + 1, Long.MAX_VALUE - 1, Long.MAX_VALUE);
      case BOOLEAN -> List.of(true, false);
      case TEXT -> texts(attribute.maxLength());
      case UUID ->
          List.of(new UUID(0, 0), new UUID(-1, -1), new UUID(Long.MIN_VALUE, Long.MAX_VALUE));
      case INSTANT -> INSTANTS;
      case BYTES -> bytes();
      case PAYLOAD -> payloads();
      case TEXT_LIST -> lists(attribute.maxLength());
    };
  }

  private static List<String> texts(int maxLength) {
    List<String> texts =
        new ArrayList<>(
            List.of(
                "",
                " ",
                "  x  ",
                "null",
                "\\",
                "'",
                "\"",
                "{}",
                "a,b",
                "%_",
                "$x",
                "\u00df",
                "e\u0301",
                "\u00e9",
                "\u4e2d\u6587",
                "\ud83d\ude80",
                "\ufffd\ue000"));
    texts.removeIf(text -> text.length() > maxLength);
    texts.add("x".repeat(maxLength));
    texts.add("\u4e2d".repeat(maxLength));
    texts.add("\ud83d\ude80".repeat(maxLength / 2));
    return texts;
  }

  private static List<Bytes> bytes() {
    byte[] all = new byte[256];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    byte[] large = new byte[500];
    Arrays.fill(large, (byte) 0xff);
    return List.of(Bytes.EMPTY, Bytes.wrap(new byte[] {0}), Bytes.wrap(all), Bytes.wrap(large));
  }

  private static List<StoredPayload> payloads() {
    List<StoredPayload> payloads = new ArrayList<>();
    for (Bytes content : bytes()) {
      payloads.add(SampleRows.payload(content.toByteArray()));
    }
    StoredPayload inline = payloads.get(2);
    payloads.add(
        new StoredPayload(
            "text/plain;charset=utf-8",
            255,
            255,
            Optional.of("key-\u00e9\ud83d\ude80"),
            inline.commitment(),
            Long.MAX_VALUE,
            inline.body()));
    payloads.add(
        new StoredPayload(
            "application/x-large",
            1,
            1,
            Optional.of("key"),
            inline.commitment(),
            1L << 40,
            new StoredPayload.Body.External("nord/..%2F\u00e9/objects/1")));
    return payloads;
  }

  private static List<List<String>> lists(int maxLength) {
    return List.of(
        List.of(),
        List.of(""),
        List.of("", ""),
        List.of("b", "a", "b"),
        List.of("a,b", "\"", "\\", "[]", "{x}", "null", " ", "'", "\ud83d\ude80"),
        List.of("x".repeat(maxLength), "\u00e9".repeat(maxLength / 2)));
  }

  @Test
  void everyAttributeKeepsTheEdgesOfItsKind() {
    KitTenant tenant = tenant();
    for (RecordType type : RecordTypes.all()) {
      for (Attribute attribute : type.attributes()) {
        for (Object value : extremes(attribute)) {
          Row row = tenant.row(SampleRows.key(type)).with(attribute.name(), value);
          tenant.insert(row);
          assertEquals(row, tenant.stored(row.key()), type + "." + attribute.name());
        }
      }
    }
  }

  @Test
  void everyAttributeKeepsTheEdgesOfItsKindThroughAnUpdate() {
    KitTenant tenant = tenant();
    for (RecordType type : RecordTypes.all()) {
      if (type.mutability() == RecordType.Mutability.APPEND_ONLY) {
        continue;
      }
      for (Attribute attribute : type.attributes()) {
        Row row = tenant.insert(tenant.row(SampleRows.key(type)));
        for (Object value : extremes(attribute)) {
          row = tenant.update(row, SampleRows.next(row).with(attribute.name(), value));
          assertEquals(row, tenant.stored(row.key()), type + "." + attribute.name());
        }
      }
    }
  }

  @Test
  void everyKeyKeepsTheEdgesOfItsKind() {
    KitTenant tenant = tenant();
    for (RecordType type : RecordTypes.all()) {
      for (int position = 0; position < type.key().size(); position++) {
        for (Object value : keyExtremes(type.key().get(position))) {
          List<Object> values = new ArrayList<>(SampleRows.key(type).values());
          values.set(position, value);
          Row row = tenant.insert(tenant.row(new Key(type, values)));
          assertEquals(row, tenant.stored(row.key()));
        }
      }
    }
  }

  /** Numbers in keys begin at 1 and names are not blank. */
  private static List<?> keyExtremes(Attribute attribute) {
    return switch (attribute.kind()) {
      case LONG -> List.of(1L, Long.MAX_VALUE);
      case INT -> List.of(1, Integer.MAX_VALUE);
      case TEXT -> texts(attribute.maxLength()).stream().filter(text -> !text.isBlank()).toList();
      default -> extremes(attribute);
    };
  }

  @Test
  @DisplayName("C049: U+0000 in a payload comes back")
  void c049ZeroInAPayloadComesBack() {
    KitTenant tenant = tenant();
    StoredPayload payload = SampleRows.payload(Bytes.utf8("ab\u0000cd \ud83d\ude80").toByteArray());
    Row event = tenant.event(UUID.randomUUID(), 1).with("payload", payload);
    tenant.insert(event);

    StoredPayload stored = (StoredPayload) tenant.stored(event.key()).get("payload");

    assertEquals(payload, stored);
  }

  @Test
  @DisplayName("C042: every attribute of the header comes back")
  void c042EveryAttributeOfTheHeaderComesBack() {
    KitTenant tenant = tenant();
    for (Instant instant : INSTANTS) {
      RecordHeader header =
          new RecordHeader(
              new UUID(-1, instant.getEpochSecond()),
              tenant.id(),
              1,
              instant,
              instant,
              "actor \u00e9\ud83d\ude80 " + "x".repeat(240),
              Integer.MAX_VALUE,
              Integer.MAX_VALUE,
              Integer.MAX_VALUE,
              Bytes.EMPTY);
      for (RecordType type : RecordTypes.all()) {
        Row row = tenant.row(SampleRows.key(type)).with(header);
        tenant.insert(row);
        assertEquals(row, tenant.stored(row.key()), type.name());
      }
    }
  }

  @Test
  void versionsGoFarBeyondAnInt() {
    KitTenant tenant = tenant();
    Row row = tenant.head(UUID.randomUUID());
    RecordHeader header = row.header();
    Row high =
        row.with(
            new RecordHeader(
                header.id(),
                header.tenantId(),
                1L << 40,
                header.createdAt(),
                header.updatedAt(),
                header.updatedBy(),
                1,
                1,
                1,
                Bytes.EMPTY));
    tenant.insert(high);

    tenant.update(high, SampleRows.next(high));

    assertEquals((1L << 40) + 1, tenant.stored(row.key()).version());
  }

  @Test
  void aRowOfEverythingComesBack() {
    KitTenant tenant = tenant();
    for (RecordType type : RecordTypes.all()) {
      Row row = tenant.insert(SampleRows.full(tenant.id(), SampleRows.key(type)));
      assertEquals(row, tenant.stored(row.key()));
      Row bare = tenant.insert(tenant.row(SampleRows.key(type)));
      assertEquals(bare, tenant.stored(bare.key()));
    }
  }
}
