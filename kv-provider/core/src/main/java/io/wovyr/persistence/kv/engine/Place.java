/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.engine;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * A key of the engine. Keys are ordered by their bytes, unsigned, within a partition; an engine
 * that keeps one order over all keys need not look at partitions. Immutable; the arrays it is made
 * of and gives out must not be changed.
 */
public final class Place implements Comparable<Place> {
  private final byte[] bytes;
  private final int partition;

  /**
   * @param bytes the whole key, given away by the caller
   * @param partition how many of its first bytes name the partition, at least 1
   */
  public Place(byte[] bytes, int partition) {
    if (partition < 1 || partition > bytes.length) {
      throw new IllegalArgumentException("a partition of " + partition + " bytes");
    }
    this.bytes = bytes;
    this.partition = partition;
  }

  /** The whole key; not to be changed. */
  public byte[] bytes() {
    return bytes;
  }

  /** How many of the first bytes name the partition. */
  public int partition() {
    return partition;
  }

  /** This key with more bytes behind it, in the same partition. */
  public Place then(byte[] more) {
    byte[] longer = Arrays.copyOf(bytes, bytes.length + more.length);
    System.arraycopy(more, 0, longer, bytes.length, more.length);
    return new Place(longer, partition);
  }

  /** The first key behind all that begin with this one. */
  public Place afterAll() {
    int last = bytes.length - 1;
    while (bytes[last] == (byte) 0xff) {
      last--;
    }
    byte[] next = Arrays.copyOf(bytes, last + 1);
    next[last]++;
    return new Place(next, Math.min(partition, next.length));
  }

  /** The first key behind this one. */
  public Place after() {
    return new Place(Arrays.copyOf(bytes, bytes.length + 1), partition);
  }

  @Override
  public int compareTo(Place other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Place that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes);
  }
}
