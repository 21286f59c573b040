/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.feed;

import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.internal.StoredValues;

/**
 * A durable cursor: where a named consumer stands. Purging never passes the slowest one unless
 * forced.
 *
 * @param name of the consumer
 * @since 0.1
 */
public record RegisteredCursor(RecordHeader header, String name, long epoch, String position) {
  /** A cursor to register. */
  public static RegisteredCursor of(String name, FeedCursor at) {
    return new RegisteredCursor(RecordHeader.unsaved(), name, at.epoch(), at.position());
  }

  /** The same consumer at another place. */
  public RegisteredCursor movedTo(FeedCursor at) {
    return new RegisteredCursor(header, name, at.epoch(), at.position());
  }

  /**
   * The place it stands at.
   *
   * @throws io.wovyr.persistence.PersistenceException.UnsupportedVersion when this version does not
   *     allow such a position
   */
  public FeedCursor cursor() {
    return StoredValues.typed(
        "the position of feed cursor " + name, () -> new FeedCursor(epoch, position));
  }
}
