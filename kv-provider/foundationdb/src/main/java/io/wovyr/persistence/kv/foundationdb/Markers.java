/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Keys that tell whether a write was applied, a few per handle, each used by one write at a time:
 * every try of a write reads its marker for conflicts and writes it, so that at most one of them is
 * ever committed. Thread-safe.
 */
final class Markers {
  private static final int HANDLE_BYTES = 16;

  private final Keys keys;
  private final byte[] handle = new byte[HANDLE_BYTES];
  private final Deque<Integer> free = new ArrayDeque<>();
  private int slots;
  private long writes;

  Markers(Keys keys) {
    this.keys = keys;
    new SecureRandom().nextBytes(handle);
  }

  /** One that nobody else writes until it is closed. */
  synchronized Marker take() {
    Integer slot = free.poll();
    writes++;
    return new Marker(slot == null ? slots++ : slot, writes);
  }

  /** How many keys there may be. */
  synchronized int slots() {
    return slots;
  }

  /** What all keys of this handle begin with. */
  byte[] prefix() {
    return keys.markers(handle);
  }

  /** The marker of one write. For one thread. */
  final class Marker implements AutoCloseable {
    private final int slot;
    private final byte[] key;
    private final byte[] value;
    private boolean settled = true;

    private Marker(int slot, long write) {
      this.slot = slot;
      key = keys.marker(handle, slot);
      value = ByteBuffer.allocate(Long.BYTES).putLong(write).array();
    }

    byte[] key() {
      return key;
    }

    /** What lies there when this write was applied. */
    byte[] value() {
      return value;
    }

    /** A try of this write may be applied yet: the key is not used again by another. */
    void keep() {
      settled = false;
    }

    /** No try can be applied any more. */
    void settle() {
      settled = true;
    }

    @Override
    public void close() {
      if (settled) {
        synchronized (Markers.this) {
          free.push(slot);
        }
      }
    }
  }
}
