/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.feed;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One page of the feed.
 *
 * @param entries in order per execution; across executions no order is promised
 * @param next where to go on: the cursor of the last entry; without entries the one asked with, or
 *     where this reader began. Kept from the first page on, it tells a reader that starts again of
 *     what was purged meanwhile
 * @param stalledSince since when an open transaction keeps the feed from advancing
 * @since 0.1
 */
public record FeedPage(
    List<FeedEntry> entries, Optional<FeedCursor> next, Optional<Instant> stalledSince) {
  public FeedPage {
    entries = List.copyOf(entries);
  }
}
