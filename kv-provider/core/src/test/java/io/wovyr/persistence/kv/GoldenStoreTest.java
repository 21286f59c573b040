/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.kv.engine.AtomicWrite;
import io.wovyr.persistence.kv.engine.Change;
import io.wovyr.persistence.kv.engine.Condition;
import io.wovyr.persistence.kv.engine.Place;
import io.wovyr.persistence.kv.engine.Stored;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.storage.spi.Attribute;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StoreTime;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The bytes of layout 1, for ever: written as they were, read as they were, and read by a decoder
 * that was written from {@code docs/format/key-value.md} alone. With the system property {@code
 * wovyr.golden.write} set to a directory the files are written there, to begin another layout.
 */
class GoldenStoreTest {
  private static final UUID STORE = UUID.fromString("01890000-0000-7000-8000-00000000005e");

  private static String golden(String name) throws IOException {
    try (InputStream in = GoldenStoreTest.class.getResourceAsStream("/golden/" + name)) {
      assertThat(in).as(name).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String hex(Bytes bytes) {
    return bytes.size() == 0 ? "-" : HexFormat.of().formatHex(bytes.unsafeArray());
  }

  private static Bytes unhex(String text) {
    return text.equals("-") ? Bytes.EMPTY : Bytes.wrap(HexFormat.of().parseHex(text));
  }

  /** A store whose id is always the same. */
  private static PartitionedMemory.Table filled(int shards, List<Row> rows) {
    PartitionedMemory.Table table = new PartitionedMemory.Table(shards);
    PartitionedMemory engine = new PartitionedMemory(table);
    byte[] record =
        new ValueWriter(24)
            .octet(Layout.VERSION)
            .u64(STORE.getMostSignificantBits())
            .u64(STORE.getLeastSignificantBits())
            .number(KvStore.SCHEMA_VERSION)
            .octet(shards)
            .toBytes();
    put(engine, Layout.store(), new Stored(1, Bytes.wrap(record)));
    try (Storage storage = KvStore.open(engine, GoldenRows.deadline())) {
      rows.addAll(GoldenRows.fill(storage));
    }
    return table;
  }

  private static void put(PartitionedMemory engine, Place place, Stored stored) {
    Change put = new Change.Put(place, Condition.NONE, stored);
    engine.write(List.of(new AtomicWrite(List.of(put))), GoldenRows.deadline());
  }

  private static String dump(PartitionedMemory.Table table) {
    StringBuilder lines = new StringBuilder();
    for (Map.Entry<Place, Stored> entry : table.all().entrySet()) {
      Stored stored = entry.getValue();
      lines
          .append(entry.getKey())
          .append(' ')
          .append(stored.version())
          .append(' ')
          .append(hex(stored.stamp()))
          .append(' ')
          .append(hex(stored.body()))
          .append('\n');
    }
    return lines.toString();
  }

  private static void write(String name, String text) throws IOException {
    String directory = System.getProperty("wovyr.golden.write");
    if (directory != null) {
      Files.writeString(Path.of(directory, name), text);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void whatIsWrittenHasTheSameBytes(int shards) throws IOException {
    String written = dump(filled(shards, new ArrayList<>()));
    write("layout-1-shards-" + shards + ".txt", written);
    assertThat(written).isEqualTo(golden("layout-1-shards-" + shards + ".txt"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void whatWasWrittenIsReadAsItWas(int shards) throws IOException {
    List<Row> rows = new ArrayList<>();
    filled(shards, rows);
    PartitionedMemory engine = new PartitionedMemory(new PartitionedMemory.Table(shards));
    for (String line : golden("layout-1-shards-" + shards + ".txt").lines().toList()) {
      String[] parts = line.split(" ");
      byte[] key = HexFormat.of().parseHex(parts[0]);
      put(
          engine,
          new Place(key, partition(key)),
          new Stored(Long.parseLong(parts[1]), unhex(parts[2]), unhex(parts[3])));
    }
    try (Storage storage = KvStore.open(engine, GoldenRows.deadline())) {
      assertThat(storage.identity().storeId()).isEqualTo(STORE);
      List<Key> keys = rows.stream().map(Row::key).toList();
      assertThat(storage.read(GoldenRows.SCOPE, keys, ReadOptions.strong(GoldenRows.deadline())))
          .isEqualTo(rows.stream().map(Optional::of).toList());
      long inFeed =
          rows.stream().filter(row -> row.type().feedRole() == RecordType.FeedRole.RECORDS).count();
      assertThat(
              storage
                  .feed(GoldenRows.SCOPE, Optional.empty(), 100, GoldenRows.deadline())
                  .entries())
          .hasSize((int) inFeed);
    }
  }

  /** How long the partition is, as the page says. */
  private static int partition(byte[] key) {
    KeyReader in = new KeyReader(key, 1);
    int start = 1;
    if (key[0] == 0) {
      return key.length;
    }
    if (key[0] == 1) {
      start += new KeyWriter().text(in.text()).size();
    }
    return switch (key[start]) {
      case 0x10, 0x18 -> start + 4;
      case 0x20 -> key.length;
      case 0x30 -> start + 5;
      default -> start + 1;
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void anIndependentDecoderReadsTheSame(int shards) throws Exception {
    Path decoder = Path.of("../../docs/format/decode-key-value.py");
    Path file = Files.createTempFile("layout", ".txt");
    Files.writeString(file, golden("layout-1-shards-" + shards + ".txt"));
    Process process;
    try {
      process =
          new ProcessBuilder("python3", "-X", "utf8", decoder.toString(), file.toString())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
    } catch (IOException e) {
      System.out.println("NOT RUN: docs/format/decode-key-value.py, for want of python3");
      return;
    }
    String shown = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    Files.delete(file);
    write("layout-1-shards-" + shards + ".decoded.txt", shown);
    assertThat(shown).isEqualTo(golden("layout-1-shards-" + shards + ".decoded.txt"));

    List<Row> rows = new ArrayList<>();
    filled(shards, rows);
    assertThat(shown.lines().filter(line -> line.startsWith("row ")).toList())
        .containsExactlyInAnyOrderElementsOf(rows.stream().map(GoldenStoreTest::shown).toList());
  }

  @Test
  void theTypesOfThePageAreThoseOfTheApi() throws IOException {
    String types =
        RecordTypes.all().stream()
            .map(GoldenStoreTest::described)
            .collect(Collectors.joining(",\n", "[\n", "\n]\n"));
    write("key-value-types.json", types);
    assertThat(Files.readString(Path.of("../../docs/format/key-value-types.json")))
        .isEqualTo(types);
  }

  private static String described(RecordType type) {
    return "{\"number\": %d, \"name\": \"%s\", \"appendOnly\": %s, \"inFeed\": %s,\n  \"key\": %s,\n  \"attributes\": %s,\n  \"uniques\": %s,\n  \"paths\": %s}"
        .formatted(
            type.number(),
            type.name(),
            type.mutability() == RecordType.Mutability.APPEND_ONLY,
            type.feedRole() == RecordType.FeedRole.RECORDS,
            attributes(type.key()),
            attributes(type.attributes()),
            list(
                type.uniqueKeys().stream()
                    .map(
                        unique ->
                            "{\"name\": \"%s\", \"attributes\": %s}"
                                .formatted(unique.name(), names(unique.attributes())))),
            list(
                type.paths().stream()
                    .map(
                        path ->
                            "{\"name\": \"%s\", \"reach\": \"%s\", \"equality\": %s, \"ordered\": %s}"
                                .formatted(
                                    path.name(),
                                    path.reach(),
                                    names(path.equality()),
                                    names(path.ordered())))));
  }

  private static String attributes(List<Attribute> attributes) {
    return list(
        attributes.stream()
            .map(one -> "{\"name\": \"%s\", \"kind\": \"%s\"}".formatted(one.name(), one.kind())));
  }

  private static String names(List<String> names) {
    return list(names.stream().map(name -> "\"" + name + "\""));
  }

  private static String list(Stream<String> parts) {
    return parts.collect(Collectors.joining(", ", "[", "]"));
  }

  /** A row as the decoder shows it. */
  private static String shown(Row row) {
    RecordHeader header = row.header();
    String headerText =
        "[%s,%d,%d,%s,%d,%d,%d,%s]"
            .formatted(
                json(header.id()),
                StoreTime.micros(header.createdAt()),
                StoreTime.micros(header.updatedAt()),
                json(header.updatedBy()),
                header.schemaVersion(),
                header.entityVersion(),
                header.serializationVersion(),
                json(header.extra()));
    return "row %s %s %s %d %s %s"
        .formatted(
            json(GoldenRows.TENANT),
            row.type().name(),
            json(row.key().values()),
            row.version(),
            headerText,
            json(row.values()));
  }

  private static String json(@Nullable Object value) {
    if (value instanceof List<?> list) {
      return list.stream().map(GoldenStoreTest::json).collect(Collectors.joining(",", "[", "]"));
    }
    if (value instanceof Instant instant) {
      return String.valueOf(StoreTime.micros(instant));
    }
    if (value instanceof StoredPayload payload) {
      return json(payload.encode());
    }
    if (value instanceof Bytes bytes) {
      return "\"" + HexFormat.of().formatHex(bytes.unsafeArray()) + "\"";
    }
    if (value instanceof UUID id) {
      return "\"" + id + "\"";
    }
    if (!(value instanceof String text)) {
      return String.valueOf(value);
    }
    StringBuilder quoted = new StringBuilder("\"");
    text.chars()
        .forEach(
            one ->
                quoted.append(
                    one < 0x20 || one > 0x7e
                        ? "\\u%04x".formatted(one)
                        : String.valueOf((char) one)));
    return quoted.append('"').toString();
  }
}
