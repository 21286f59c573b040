/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import io.wovyr.persistence.feed.FeedCursor;
import java.util.List;

/**
 * A store's answer to a purge.
 *
 * @since 0.1
 */
public sealed interface PurgeOutcome {
  /** The rows are gone, the batch is written, the feed's mark is raised. */
  record Purged(int rows) implements PurgeOutcome {}

  /** Nothing was changed: a row lies beyond this place in the feed. */
  record HeldBack(FeedCursor cursor) implements PurgeOutcome {}

  /** Nothing was changed: conditions of the batch did not hold. */
  record Conflict(List<CommitOutcome.Failed> failed) implements PurgeOutcome {
    public Conflict {
      failed = List.copyOf(failed);
    }
  }
}
