/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.core.mapping.RecordMappers;
import io.wovyr.persistence.execution.ExecutionHead;
import io.wovyr.persistence.lease.HeldName;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.storage.spi.Row;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lease held by this process: the row as it last saw it, which is the before-image of its next
 * commit, and the monotonic instant until which it may send. Steps and heartbeats hold {@link
 * #lock()}.
 */
final class HeldLease implements Lease, HeldName {
  private enum State {
    HELD,
    LOST,
    RAN_OUT
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final UUID leaseId;
  private final long token;
  private final String worker;
  private final Duration ttl;
  private final Duration margin;
  private final boolean takenOver;
  private volatile Row row;
  private volatile long validUntilNanos;
  private volatile State state = State.HELD;

  HeldLease(Row row, long sentAtNanos, boolean takenOver, Duration margin) {
    this.row = row;
    this.leaseId = (UUID) FencedRows.require(row, "leaseId");
    this.token = FencedRows.token(row);
    this.worker = (String) FencedRows.require(row, "owner");
    this.ttl = FencedRows.ttl(row);
    this.takenOver = takenOver;
    Duration quarter = ttl.dividedBy(4);
    this.margin = margin.compareTo(quarter) < 0 ? margin : quarter;
    renewed(row, sentAtNanos);
  }

  ReentrantLock lock() {
    return lock;
  }

  UUID leaseId() {
    return leaseId;
  }

  Duration ttl() {
    return ttl;
  }

  Row row() {
    return row;
  }

  boolean holds(Row fresh) {
    return FencedRows.isHeldBy(fresh, leaseId, token);
  }

  /** Somebody without the lease changed the row (a signal): go on from there. */
  void adopt(Row fresh) {
    row = fresh;
  }

  /** A renewal sent at {@code sentAtNanos} was written. */
  void renewed(Row written, long sentAtNanos) {
    row = written;
    validUntilNanos = sentAtNanos + ttl.toNanos() - margin.toNanos();
  }

  /** It was released, closed or taken by somebody else. */
  void lose() {
    state = State.LOST;
  }

  /** The store judged it expired. */
  void runOut() {
    if (state == State.HELD) {
      state = State.RAN_OUT;
    }
  }

  boolean hasRunOut() {
    return !isHeld() && state == State.RAN_OUT;
  }

  @Override
  public UUID executionId() {
    return (UUID) row.key().values().get(0);
  }

  @Override
  public String name() {
    return (String) row.key().values().get(0);
  }

  @Override
  public String worker() {
    return worker;
  }

  @Override
  public long token() {
    return token;
  }

  @Override
  public boolean takenOver() {
    return takenOver;
  }

  @Override
  public ExecutionHead head() {
    return RecordMappers.of(ExecutionHead.class).fromRow(row);
  }

  @Override
  public Duration remaining() {
    return isHeld()
        ? Duration.ofNanos(Math.max(0, validUntilNanos - System.nanoTime()))
        : Duration.ZERO;
  }

  @Override
  public boolean isHeld() {
    if (state == State.HELD && validUntilNanos - System.nanoTime() <= 0) {
      state = State.RAN_OUT;
    }
    return state == State.HELD;
  }

  @Override
  public String toString() {
    return "Lease[" + row.key() + ", worker " + worker + ", token " + token + "]";
  }
}
