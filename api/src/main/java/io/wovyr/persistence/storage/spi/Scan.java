/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import java.util.List;
import java.util.Optional;

/**
 * A range of records in the order of their key, or of an access path.
 *
 * @param path by this path; empty: by key
 * @param equal values of the path's equality attributes; or of the first key attributes, as many as
 *     wanted
 * @param fromInclusive lower bound on the attributes that follow, or a prefix of them
 * @param toExclusive upper bound, likewise
 * @param ascending order of the answer; ties by key, in the same direction
 * @param limit most items of a page, at least 1; a page may have fewer and still have a next one
 * @param after {@code next} of the page before
 * @since 0.1
 */
public record Scan(
    RecordType type,
    Optional<AccessPath> path,
    List<Object> equal,
    Optional<List<Object>> fromInclusive,
    Optional<List<Object>> toExclusive,
    boolean ascending,
    int limit,
    Optional<String> after) {
  public Scan {
    equal = List.copyOf(equal);
    fromInclusive = fromInclusive.map(List::copyOf);
    toExclusive = toExclusive.map(List::copyOf);
    if (limit < 1) {
      throw new IllegalArgumentException("limit must be at least 1, not " + limit);
    }
    int expected = path.map(p -> p.equality().size()).orElse(equal.size());
    if (equal.size() != expected || (path.isEmpty() && equal.size() > type.key().size())) {
      throw new IllegalArgumentException("scan of " + type + " gives " + equal.size() + " values");
    }
  }

  /** By key, all records of the type whose key begins with these values. */
  public static Scan byKey(RecordType type, List<Object> keyPrefix, int limit) {
    return new Scan(
        type,
        Optional.empty(),
        keyPrefix,
        Optional.empty(),
        Optional.empty(),
        true,
        limit,
        Optional.empty());
  }

  /** By a path, with these equality values. */
  public static Scan byPath(RecordType type, String path, List<Object> equal, int limit) {
    return new Scan(
        type,
        Optional.of(type.path(path)),
        equal,
        Optional.empty(),
        Optional.empty(),
        true,
        limit,
        Optional.empty());
  }

  /** Bounded below. */
  public Scan from(Object... inclusive) {
    return new Scan(
        type, path, equal, Optional.of(List.of(inclusive)), toExclusive, ascending, limit, after);
  }

  /** Bounded above. */
  public Scan to(Object... exclusive) {
    return new Scan(
        type, path, equal, fromInclusive, Optional.of(List.of(exclusive)), ascending, limit, after);
  }

  /** Newest first. */
  public Scan descending() {
    return new Scan(type, path, equal, fromInclusive, toExclusive, false, limit, after);
  }

  /** From a page's {@code next} on. */
  public Scan after(Optional<String> next) {
    return new Scan(type, path, equal, fromInclusive, toExclusive, ascending, limit, next);
  }
}
