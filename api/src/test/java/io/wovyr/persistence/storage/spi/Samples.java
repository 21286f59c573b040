/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.storage.spi.Attribute.Kind;
import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;

/** A mutable and an append-only type with a bit of everything, and rows of them. */
final class Samples {
  static final RecordType PARCEL =
      RecordType.named("parcel", 900)
          .removed(RecordType.Removal.BY_BATCH)
          .keyText("name", 20)
          .requiredText("status", 20)
          .optionalText("label", 20)
          .optional("dueAt", Kind.INSTANT)
          .textList("tags", 20)
          .payload("content")
          .unique("label_once", "label", "status")
          .path("by_status", java.util.List.of("status"), java.util.List.of("dueAt"))
          .path("by_tag", java.util.List.of("tags"), java.util.List.of())
          .build();

  static final RecordType SCAN =
      RecordType.named("scan", 901)
          .appendOnly()
          .key("parcel", Kind.UUID)
          .key("sequence", Kind.LONG)
          .optionalText("dedupeKey", 20)
          .unique("dedupe", "parcel", "dedupeKey")
          .build();

  private Samples() {}

  static RecordHeader header(String tenant, long version) {
    return new RecordHeader(
        new UUID(1, 1), tenant, version, Instant.EPOCH, Instant.EPOCH, "ada", 1, 1, 1, Bytes.EMPTY);
  }

  static Row parcel(String name, long version, Object... values) {
    return new Row(Key.of(PARCEL, name), header("acme", version), Arrays.asList(values));
  }

  static Row parcel(String name, long version) {
    return parcel(name, version, "NEW", null, null, java.util.List.of(), null);
  }

  static Row scan(long sequence) {
    return new Row(
        Key.of(SCAN, new UUID(2, 2), sequence), header("acme", 1), java.util.List.of("key"));
  }
}
