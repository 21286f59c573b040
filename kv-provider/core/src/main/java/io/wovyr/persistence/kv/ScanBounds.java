/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.kv.engine.Place;
import io.wovyr.persistence.storage.spi.Attribute.Kind;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.StoreTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What a scan bounds, as bytes behind a partition.
 *
 * @param low lowest, inclusive
 * @param high exclusive; empty: to the end of the partition
 */
record ScanBounds(Bytes low, Optional<Bytes> high) {
  /**
   * @param kinds of the values in order: those of a path and the key, or of the key
   */
  static ScanBounds of(Scan scan, List<Kind> kinds) {
    byte[] equal = Layout.values(kinds, scan.equal());
    byte[] low = scan.fromInclusive().map(from -> bytes(scan, kinds, from)).orElse(equal);
    Optional<Bytes> high =
        scan.toExclusive().map(to -> Bytes.wrap(bytes(scan, kinds, to))).or(() -> behind(equal));
    if (scan.after().isPresent()) {
      byte[] after = PageToken.decode(scan, scan.after().get());
      if (scan.ascending()) {
        low = Arrays.copyOf(after, after.length + 1);
      } else {
        high = Optional.of(Bytes.wrap(after));
      }
    }
    return new ScanBounds(Bytes.wrap(low), high);
  }

  private static byte[] bytes(Scan scan, List<Kind> kinds, List<Object> bound) {
    List<Object> values = new ArrayList<>(scan.equal());
    values.addAll(bound);
    if (values.size() > kinds.size()) {
      throw new IllegalArgumentException("a bound has more values than the order has");
    }
    if (values.stream().anyMatch(StoreTime.class::isInstance)) {
      throw new Rejected("this store has no clock (STORE_CLOCK): send instants, not StoreTime");
    }
    return Layout.values(kinds, values);
  }

  private static Optional<Bytes> behind(byte[] prefix) {
    for (int i = prefix.length - 1; i >= 0; i--) {
      if (prefix[i] != (byte) 0xff) {
        byte[] next = Arrays.copyOf(prefix, i + 1);
        next[i]++;
        return Optional.of(Bytes.wrap(next));
      }
    }
    return Optional.empty();
  }

  boolean isEmpty() {
    return high.isPresent() && low.compareTo(high.get()) >= 0;
  }

  Place from(Place partition) {
    return partition.then(low.unsafeArray());
  }

  Place to(Place partition) {
    return high.map(end -> partition.then(end.unsafeArray())).orElseGet(partition::afterAll);
  }

  /** Whether what a key has behind these first bytes lies within. */
  boolean contains(Place place, int from) {
    return compare(place, from, low) >= 0
        && (high.isEmpty() || compare(place, from, high.get()) < 0);
  }

  private static int compare(Place place, int from, Bytes bound) {
    byte[] bytes = place.bytes();
    return Arrays.compareUnsigned(bytes, from, bytes.length, bound.unsafeArray(), 0, bound.size());
  }
}
