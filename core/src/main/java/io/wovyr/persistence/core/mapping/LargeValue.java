/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.mapping;

import io.wovyr.persistence.RecordHeader;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A value too large for its record. Its bytes, sealed as a whole, lie in {@link Chunk}s. Immutable.
 *
 * @param ownerType name of the type of the record that refers to it
 * @param executionId of that record, where it belongs to one
 * @param sequence where the record is an event
 * @param chunks how many there are, numbered from 0
 * @param storedBytes of all chunks together
 * @param expiresAt when it may be removed; empty while a record refers to it
 */
public record LargeValue(
    RecordHeader header,
    UUID valueId,
    Status status,
    String ownerType,
    Optional<UUID> executionId,
    Optional<Long> sequence,
    int chunks,
    long storedBytes,
    Optional<Instant> expiresAt) {
  /** Where it is between its writing and its removal. */
  public enum Status {
    /** Being written, for a commit that is still to come. */
    STAGED,
    /** A record refers to it. */
    PUBLISHED,
    /** No record refers to it any more. */
    ABANDONED,
    /** Being removed: no commit can publish it any more. */
    REMOVING
  }
}
