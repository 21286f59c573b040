/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.core.mapping.RecordMapper;
import io.wovyr.persistence.core.mapping.RecordMappers;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.storage.spi.Attribute;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StorageProvider;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Every value of every record of the golden tenant and the system, one line a record: what a store
 * said when it was written is what it says for ever.
 */
final class GoldenText {
  private static final int MOST = 500;

  /** All there were when the first of these was written. */
  private static final String[] TYPES = {
    "execution",
    "execution_head",
    "workflow_event",
    "named_lease",
    "commit_marker",
    "feed_cursor",
    "definition",
    "activity",
    "retry",
    "compensation",
    "schedule",
    "audit_record",
    "audit_details",
    "metrics_snapshot",
    "checkpoint",
    "checkpoint_mark",
    "secret"
  };

  private static final List<Scope> SCOPES =
      List.of(Scope.tenant(GoldenStore.TENANT), new Scope.System("golden"));

  private GoldenText() {}

  static List<String> of(Storage storage) {
    List<String> lines = new ArrayList<>();
    for (Scope scope : SCOPES) {
      for (RecordType type : RecordTypes.all()) {
        Page<Row> page =
            storage.scan(
                scope,
                Scan.byKey(type, List.of(), MOST),
                ReadOptions.strong(Deadline.after(Duration.ofSeconds(20))));
        page.items()
            .forEach(
                row ->
                    lines.add(
                        line(asRecord(RecordMappers.of(type), row), row.header().entityVersion())));
      }
    }
    return lines;
  }

  /**
   * Reads all of it again, before anything else may change it. What a record has more since is not
   * looked at.
   */
  static void verify(StorageProvider provider, Map<String, String> settings, String golden)
      throws IOException {
    try (Storage storage = provider.open(settings);
        InputStream text = Objects.requireNonNull(GoldenText.class.getResourceAsStream(golden))) {
      List<String> expected = new String(text.readAllBytes(), UTF_8).lines().toList();
      assertThat(expected).extracting(line -> line.split(" ", 3)[1]).as("types").contains(TYPES);
      assertThat(of(storage))
          .zipSatisfy(expected, (actual, line) -> assertThat(actual).startsWith(line));
    }
  }

  /** By way of the Java record: it has to keep everything its row has. */
  private static <T> Row asRecord(RecordMapper<T> mapper, Row row) {
    return mapper.toRow(mapper.fromRow(row));
  }

  /**
   * The line of a record.
   *
   * @param entityVersion as stored: the record was led on to the present one
   */
  private static String line(Row row, int entityVersion) {
    RecordHeader header = row.header();
    StringJoiner line = new StringJoiner(" ");
    line.add(header.tenantId()).add(row.type().name());
    for (Attribute attribute : row.type().key()) {
      line.add(attribute.name() + "=" + text(row.get(attribute.name())));
    }
    line.add("|")
        .add(header.id().toString())
        .add("v" + header.version())
        .add(header.createdAt().toString())
        .add(header.updatedAt().toString())
        .add(text(header.updatedBy()))
        .add(header.schemaVersion() + "." + entityVersion)
        .add(header.serializationVersion() + text(header.extra()))
        .add("|");
    for (Attribute attribute : row.type().attributes()) {
      line.add(attribute.name() + "=" + text(row.get(attribute.name())));
    }
    return line.toString();
  }

  private static String text(@Nullable Object value) {
    if (value instanceof Bytes bytes) {
      return "x" + HexFormat.of().formatHex(bytes.toByteArray());
    }
    if (value instanceof StoredPayload payload) {
      return text(payload.encode());
    }
    return value instanceof String text ? "'" + text + "'" : String.valueOf(value);
  }
}
