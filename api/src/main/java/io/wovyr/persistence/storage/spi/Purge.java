/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import io.wovyr.persistence.feed.FeedCursor;
import java.util.List;

/**
 * A range of append-only records to remove for ever, together with the batch that says so (the head
 * whose low-water mark rises). Both happen in one transaction, or neither does.
 *
 * @param batch written under its conditions in the same transaction
 * @param type one that a purge may remove ({@link RecordType#removal()})
 * @param keyPrefix all but the last key attribute: one execution
 * @param fromInclusive bound on the last key attribute
 * @param toExclusive bound on the last key attribute; the range holds few enough rows for one
 *     transaction of the store
 * @param notBeyond nothing is removed unless every row of the range lies at or before each of these
 *     places in the feed
 */
public record Purge(
    Batch batch,
    RecordType type,
    List<Object> keyPrefix,
    Object fromInclusive,
    Object toExclusive,
    List<FeedCursor> notBeyond) {
  public Purge {
    keyPrefix = List.copyOf(keyPrefix);
    notBeyond = List.copyOf(notBeyond);
    if (type.removal() != RecordType.Removal.BY_PURGE) {
      throw new IllegalArgumentException(type + " is not removed by purges: " + type.removal());
    }
    if (keyPrefix.size() != type.key().size() - 1) {
      throw new IllegalArgumentException("purge of " + type + " needs all but the last key value");
    }
  }
}
