/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.tuple.Tuple;
import io.wovyr.persistence.kv.engine.Place;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Where things lie in the cluster: all behind the subspace of the store, a tuple of its one name.
 * Immutable.
 */
final class Keys {
  /** The cluster takes no longer ones. */
  static final int MOST_BYTES = 10_000;

  private static final byte FORMAT = 0;
  private static final byte ROW = 1;
  private static final byte PIECE = 2;
  private static final byte MARKER = 3;

  private final byte[] subspace;

  Keys(String subspace) {
    this.subspace = Tuple.from(subspace).pack();
  }

  private byte[] key(byte kind, byte[] place, int more) {
    byte[] key = Arrays.copyOf(subspace, subspace.length + 1 + place.length + more);
    key[subspace.length] = kind;
    System.arraycopy(place, 0, key, subspace.length + 1, place.length);
    return key;
  }

  /** Of everything in the subspace. */
  byte[] begin() {
    return subspace.clone();
  }

  /** Behind everything in the subspace. */
  byte[] end() {
    return Arrays.copyOf(new Place(subspace, 1).afterAll().bytes(), subspace.length);
  }

  /** What says that the subspace is ours, and in which format. */
  byte[] format() {
    return key(FORMAT, new byte[0], 0);
  }

  byte[] row(Place place) {
    return key(ROW, place.bytes(), 0);
  }

  /** Whether a value, and pieces of it, can lie there at all. */
  boolean fits(Place place) {
    return subspace.length + 1 + place.bytes().length + Short.BYTES <= MOST_BYTES;
  }

  /**
   * The first key of a range, or the first behind it; one that is too long is where it would be.
   */
  KeySelector bound(Place place) {
    byte[] key = row(place);
    return key.length <= MOST_BYTES
        ? KeySelector.firstGreaterOrEqual(key)
        : KeySelector.firstGreaterThan(Arrays.copyOf(key, MOST_BYTES));
  }

  /** The place of a key of a row. */
  Place place(byte[] row, int partition) {
    return new Place(Arrays.copyOfRange(row, subspace.length + 1, row.length), partition);
  }

  /** A piece of what lies at a place, numbered from 0; also the end of those below. */
  byte[] piece(byte[] place, int number) {
    byte[] key = key(PIECE, place, Short.BYTES);
    key[key.length - 2] = (byte) (number >> 8);
    key[key.length - 1] = (byte) number;
    return key;
  }

  /** Of all markers of a handle. */
  byte[] markers(byte[] handle) {
    return key(MARKER, handle, 0);
  }

  byte[] marker(byte[] handle, int slot) {
    byte[] key = key(MARKER, handle, Integer.BYTES);
    ByteBuffer.wrap(key).putInt(key.length - Integer.BYTES, slot);
    return key;
  }
}
