/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.FeedChunk;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A consumer of the feed that stores its cursor after every chunk, and checks each chunk's form.
 * For one thread.
 */
final class Follower {
  private final Storage storage;
  private final Scope scope;
  private final Predicate<FeedChunk.Entry> mine;
  private final Duration patience;
  private final List<FeedChunk.Entry> seen = new ArrayList<>();
  private Optional<FeedCursor> cursor;

  private Follower(
      Storage storage,
      Scope scope,
      Optional<FeedCursor> cursor,
      Predicate<FeedChunk.Entry> mine,
      Duration patience) {
    this.storage = storage;
    this.scope = scope;
    this.cursor = cursor;
    this.mine = mine;
    this.patience = patience;
  }

  static Follower of(Storage storage, Scope scope, Optional<FeedCursor> after, Duration patience) {
    return new Follower(storage, scope, after, entry -> true, patience);
  }

  /** Sees only some entries; the others are passed over. */
  Follower only(Predicate<FeedChunk.Entry> which) {
    return new Follower(storage, scope, cursor, which, patience);
  }

  /** Reads one chunk; answers whether there was anything. */
  boolean poll(int limit) {
    FeedChunk chunk = storage.feed(scope, cursor, limit, KitTenant.deadline());
    List<FeedChunk.Entry> entries = chunk.entries();
    assertTrue(entries.size() <= limit, "a chunk is no longer than asked");
    if (entries.isEmpty()) {
      assertTrue(chunk.next().isPresent(), "there always is a place to go on from");
      if (cursor.isPresent()) {
        assertEquals(cursor, chunk.next(), "without entries the cursor stays where it was");
      }
      cursor = chunk.next();
      return false;
    }
    FeedCursor last = entries.get(entries.size() - 1).cursor();
    assertEquals(Optional.of(last), chunk.next(), "next is the cursor of the last entry");
    cursor = chunk.next();
    entries.stream().filter(mine).forEach(seen::add);
    return true;
  }

  /** Follows until so many entries came, then to the feed's present end. */
  List<FeedChunk.Entry> until(int entries) {
    Deadline deadline = Deadline.after(patience);
    while (seen.size() < entries) {
      if (!poll(200) && deadline.isOver()) {
        return fail("the feed delivered " + seen.size() + " of " + entries + " rows");
      }
    }
    toTheEnd();
    return seen;
  }

  /** Follows to the feed's present end. */
  List<FeedChunk.Entry> toTheEnd() {
    Deadline deadline = Deadline.after(patience);
    while (poll(200)) {
      if (deadline.isOver()) {
        return fail("the feed does not end");
      }
    }
    return seen;
  }

  List<FeedChunk.Entry> seen() {
    return seen;
  }

  Optional<FeedCursor> cursor() {
    return cursor;
  }
}
