/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a hand-written loader keeps of an event. */
@SuppressWarnings("ArrayRecordComponent") // Compared by nobody.
record FloorEvent(
    long sequence,
    @Nullable UUID id,
    long version,
    long createdAt,
    long updatedAt,
    String updatedBy,
    int schemaVersion,
    int entityVersion,
    int serializationVersion,
    byte @Nullable [] extra,
    String type,
    @Nullable UUID correlationId,
    @Nullable UUID causationId,
    @Nullable String dedupeKey,
    long fencingToken,
    @Nullable UUID commitId,
    byte @Nullable [] payload,
    byte[] changes) {
  /** The columns in the order of the components. */
  static final String COLUMNS =
      "sequence, record_id, version, created_at, updated_at, updated_by, schema_version,"
          + " entity_version, serialization_version, extra, type, correlation_id, causation_id,"
          + " dedupe_key, fencing_token, commit_id, payload, changes";

  /** The content that every floor writes, as it is stored. */
  static final byte[] PAYLOAD = Step.STORED.encode().toByteArray();

  static final byte[] CHANGES = Step.CHANGES.toByteArray();
}
