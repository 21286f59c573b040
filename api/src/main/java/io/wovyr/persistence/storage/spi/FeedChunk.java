/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import io.wovyr.persistence.feed.FeedCursor;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Rows of the feed as the store delivers them.
 *
 * @param entries committed rows of all types in the feed, never one before another that may still
 *     become visible behind it
 * @param next cursor of the last entry; without entries the cursor of the question, and without
 *     that the place where this reader began: going on from there it is told of everything that is
 *     written or purged from now on
 * @param stalledSince since when an open transaction holds the feed back
 * @since 0.1
 */
public record FeedChunk(
    List<Entry> entries, Optional<FeedCursor> next, Optional<Instant> stalledSince) {
  public FeedChunk {
    entries = List.copyOf(entries);
  }

  /** A row and the cursor to go on after it. */
  public record Entry(String tenantId, Row row, FeedCursor cursor) {}
}
