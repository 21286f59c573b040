/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.rocksdb;

import io.wovyr.persistence.Bytes;
import java.nio.ByteBuffer;
import java.util.TreeSet;

/**
 * Numbers the writes that ask for it, and knows below which number no write is under way any more.
 * A new epoch begins above all numbers of those before. Thread-safe.
 */
final class Stamps {
  private static final int EPOCH_BITS = 48;

  private final TreeSet<Long> underWay = new TreeSet<>();
  private long last;
  private long applied;

  /**
   * @param found the last one in the store; empty: none
   */
  Stamps(Bytes found, long epoch) {
    long stored = found.size() == Long.BYTES ? found.asReadOnlyBuffer().getLong() : 0;
    applied = Math.max(stored, epoch << EPOCH_BITS);
    last = applied;
  }

  /** The next one. It holds the horizon until it is done. */
  synchronized long take() {
    last++;
    underWay.add(last);
    return last;
  }

  /** A write with this number is visible, or never will be. */
  synchronized void done(long stamp, boolean visible) {
    underWay.remove(stamp);
    if (visible) {
      applied = Math.max(applied, stamp);
    }
  }

  /** All that was written up to it is visible, and nothing will be written up to it any more. */
  synchronized long horizon() {
    return underWay.isEmpty() ? applied : Math.min(applied, underWay.first() - 1);
  }

  static Bytes bytes(long stamp) {
    return Bytes.wrap(ByteBuffer.allocate(Long.BYTES).putLong(stamp).array());
  }
}
