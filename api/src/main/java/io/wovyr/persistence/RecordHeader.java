/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence;

import io.wovyr.persistence.internal.Inputs;
import java.time.Instant;
import java.util.UUID;

/**
 * What every stored record carries. Immutable.
 *
 * @param id time-ordered (UUID version 7, RFC 9562), unique for ever
 * @param tenantId the owning tenant, or {@code $system}
 * @param version 1 on insert, one more on every update; the only thing locking looks at
 * @param createdAt UTC, whole microseconds (cut, not rounded)
 * @param updatedAt UTC, whole microseconds; information only, never a sort key or a guard
 * @param updatedBy actor of the last change
 * @param schemaVersion raised by a change of the store's schema
 * @param entityVersion raised by a change of this record's shape; upcasters lead from n to n+1
 * @param serializationVersion raised by a change of the payload or envelope encoding
 * @param extra attributes a newer node wrote and this one cannot read, kept opaquely and written
 *     back by {@code update}; empty when there are none
 * @since 0.1
 */
public record RecordHeader(
    UUID id,
    String tenantId,
    long version,
    Instant createdAt,
    Instant updatedAt,
    String updatedBy,
    int schemaVersion,
    int entityVersion,
    int serializationVersion,
    Bytes extra) {
  public RecordHeader {
    createdAt = Inputs.micros(createdAt);
    updatedAt = Inputs.micros(updatedAt);
  }

  /**
   * A header for a record that is not stored yet: core fills in everything on insert. Version 0,
   * which no stored record has.
   */
  public static RecordHeader unsaved() {
    return new RecordHeader(
        new UUID(0, 0), "", 0, Instant.EPOCH, Instant.EPOCH, "", 0, 0, 0, Bytes.EMPTY);
  }

  /** The header of the next version of this record, changed now by {@code actor}. */
  public RecordHeader next(Instant now, String actor) {
    return new RecordHeader(
        id,
        tenantId,
        version + 1,
        createdAt,
        now,
        actor,
        schemaVersion,
        entityVersion,
        serializationVersion,
        extra);
  }
}
