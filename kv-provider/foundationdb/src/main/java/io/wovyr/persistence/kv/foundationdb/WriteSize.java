/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.kv.engine.AtomicWrite;
import io.wovyr.persistence.kv.engine.Change;
import io.wovyr.persistence.kv.engine.Condition;
import io.wovyr.persistence.kv.engine.Place;

/** Refuses what the cluster would never take, before anything is sent. */
final class WriteSize {
  /** The cluster takes 10,000,000, counted roughly as here. */
  static final long MOST_BYTES = 9_500_000;

  /** What the client counts for a mutation and for a conflict range beside their bytes. */
  private static final int EACH = 64;

  /** Flags, version, stamp, position of the stamp. */
  private static final int HEAD = 32;

  private final Keys keys;
  private long bytes;

  private WriteSize(Keys keys) {
    this.keys = keys;
  }

  /**
   * @throws Rejected naming the limit
   */
  static void check(AtomicWrite write, Keys keys) {
    WriteSize size = new WriteSize(keys);
    write.changes().forEach(size::add);
    if (size.bytes > MOST_BYTES) {
      throw new Rejected(
          "a commit of %,d bytes with its keys and conflict ranges; FoundationDB takes %,d"
              .formatted(size.bytes, MOST_BYTES));
    }
  }

  private void add(Change change) {
    Place place = change.place();
    boolean appends = change instanceof Change.Append;
    if (!keys.fits(appends ? place.then(Stamps.unfinished(0)) : place)) {
      throw new Rejected(
          "a key of %,d bytes; FoundationDB takes %,d with the store's subspace and its own additions"
              .formatted(place.bytes().length, Keys.MOST_BYTES));
    }
    int key = keys.row(place).length + HEAD;
    if (change.condition() != Condition.NONE) {
      bytes += range(key);
    }
    if (change instanceof Change.Put put) {
      mutations(key, put.value().body().size());
    } else if (change instanceof Change.Append append) {
      mutations(key, append.body().size());
    } else if (change instanceof Change.Remove) {
      mutations(key, 0);
    }
  }

  private static long range(int key) {
    return 2L * key + EACH;
  }

  private void mutations(int key, int body) {
    int pieces = body > StoredBytes.PIECE_BYTES ? StoredBytes.pieces(body) : 0;
    // A mutation and a write conflict range of the key, and of each piece; the body once.
    bytes += (1L + pieces) * (key + HEAD + EACH + range(key)) + body;
  }
}
