/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.StoreTime;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * The lease algorithm over any row that carries a lease: execution heads and named leases have the
 * same attributes, so there is one algorithm. The edits here say what a lease does to its row;
 * heads add when they are due next.
 */
final class FencedRows {
  static final String EXPIRY = "leaseExpiresAt";
  private static final int COUNTER_BITS = 40;

  private FencedRows() {}

  static Object require(Row row, String attribute) {
    Object value = row.get(attribute);
    if (value == null) {
      throw new IllegalStateException(row + " has no " + attribute);
    }
    return value;
  }

  static long token(Row row) {
    return (Long) require(row, "fencingToken");
  }

  static long renewals(Row row) {
    return (Long) require(row, "renewals");
  }

  static boolean isOwned(Row row) {
    return row.get("owner") != null;
  }

  static boolean isHeldBy(Row row, UUID leaseId, long token) {
    return token(row) == token && leaseId.equals(row.get("leaseId"));
  }

  static Duration ttl(Row row) {
    return Duration.ofNanos(Math.multiplyExact((Long) require(row, "leaseTtl"), 1_000L));
  }

  /** The next token: it grows with every acquisition and jumps with the epoch of the store. */
  static long nextToken(long token, long epoch) {
    return Math.max(token + 1, (epoch << COUNTER_BITS) + 1);
  }

  /**
   * @param token the new one, from {@link #nextToken}
   */
  static RowEdit take(
      RowEdit edit, Engine engine, long token, String worker, UUID leaseId, Duration ttl) {
    edit.set("fencingToken", token)
        .set("owner", worker)
        .set("leaseId", leaseId)
        .set("leaseTtl", ttl.toNanos() / 1_000);
    return renew(edit, engine, ttl);
  }

  static RowEdit renew(RowEdit edit, Engine engine, Duration ttl) {
    Object renewals = edit.get("renewals");
    return edit.set(EXPIRY, engine.stamp(new StoreTime(ttl, Duration.ZERO)))
        .set("renewals", (renewals == null ? 0L : (Long) renewals) + 1);
  }

  static RowEdit free(RowEdit edit) {
    return edit.set("owner", null).set("leaseId", null).set(EXPIRY, null).set("leaseTtl", null);
  }

  /** Guards of an owner's write: not expired, where the store can tell. */
  static List<String> ownerGuards(Engine engine) {
    return engine.hasStoreClock() ? List.of(EXPIRY) : List.of();
  }

  /** Guards of a takeover: expired, where the store can tell. */
  static List<String> takeoverGuards(Engine engine) {
    return engine.hasStoreClock() ? List.of(EXPIRY) : List.of();
  }
}
