/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.feed;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.Repository;
import java.util.Optional;

/**
 * Every committed event exactly once, in order per execution. Thread-safe.
 *
 * @since 0.1
 */
public interface Feed {
  /**
   * Entries after a cursor, or from the beginning.
   *
   * @throws PersistenceException.FeedTruncated when entries after the cursor were purged
   */
  FeedPage read(Optional<FeedCursor> after, int limit);

  /**
   * The durable cursors, by consumer name: insert registers one, update moves it (a conflict when
   * another process of the same consumer moved it first), delete forgets it. Move it to the cursor
   * of a delivered entry only; register it with the first page's {@link FeedPage#next()}.
   */
  Repository<RegisteredCursor, String> cursors();

  /** All durable cursors, by name. */
  Page<RegisteredCursor> listCursors(int limit, Optional<String> after);
}
