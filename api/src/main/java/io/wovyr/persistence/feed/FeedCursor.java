/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.feed;

import io.wovyr.persistence.internal.Inputs;

/**
 * A place in the feed. It always is the key of a delivered entry, or the place before all entries
 * where a reader began, never a number that may still become visible; and it carries the store's
 * epoch, so that it survives restores.
 *
 * @param position opaque to all but the provider
 * @since 0.1
 */
public record FeedCursor(long epoch, String position) {
  public FeedCursor {
    Inputs.name("feed position", position);
  }
}
