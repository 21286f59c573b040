/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.jpa.internal.RecordTable;
import java.util.List;

/**
 * One part of a lean commit, as far as it decides the statement's text: commits of equal parts
 * share one. Immutable.
 *
 * @param changed which columns an update writes, as {@link RecordTable#changes} has them
 * @param times bits of the attributes, by position, that are the store's now plus a duration
 * @param buckets those that are also rounded up
 * @param orderedBy for rows of the feed: the part of the head they belong to, {@link #NEW_HEAD} or
 *     {@link #NO_HEAD}
 * @param keepsFeedKey a head whose execution gets rows of the feed
 */
record LeanPart(
    Kind kind,
    RecordTable table,
    long changed,
    long times,
    long buckets,
    List<String> notExpired,
    List<String> expired,
    int orderedBy,
    boolean keepsFeedKey) {
  /** The head of the rows is inserted with them: they are its first. */
  static final int NEW_HEAD = -1;

  /** There is no head in the batch: the place of the execution's last row must be looked up. */
  static final int NO_HEAD = -2;

  /** What is done. */
  enum Kind {
    /** A row is locked, its version compared. */
    CHECK,
    UPDATE,
    DELETE,
    INSERT,
    /** Several rows of one type and, in the feed, one execution; none with symbolic instants. */
    INSERT_MANY
  }

  boolean isGuarded() {
    return kind == Kind.CHECK || kind == Kind.UPDATE || kind == Kind.DELETE;
  }
}
