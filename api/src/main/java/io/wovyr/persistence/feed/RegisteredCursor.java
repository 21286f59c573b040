/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.feed;

import io.wovyr.persistence.RecordHeader;

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

  /** The place it stands at. */
  public FeedCursor cursor() {
    return new FeedCursor(epoch, position);
  }
}
