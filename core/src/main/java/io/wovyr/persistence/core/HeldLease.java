/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.core.mapping.RecordMappers;
import io.wovyr.persistence.execution.ExecutionHead;
import io.wovyr.persistence.lease.HeldName;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

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
  private final LongSupplier nanoTime;
  private final UUID storeId;
  private final long epoch;
  private final UUID leaseId;
  private final long token;
  private final String worker;
  private final Duration ttl;
  private final Duration margin;
  private final boolean takenOver;
  private volatile Row row;
  private volatile long validUntilNanos;
  private volatile State state = State.HELD;
  private volatile boolean unseen;
  private volatile @Nullable Object joinedBy;
  private volatile long validBeforeNanos;

  HeldLease(Engine engine, Row row, long epoch, long sentAtNanos, boolean takenOver) {
    this.nanoTime = engine.nanoTime();
    this.row = row;
    this.storeId = engine.storeId();
    this.epoch = epoch;
    this.leaseId = (UUID) FencedRows.require(row, "leaseId");
    this.token = FencedRows.token(row);
    this.worker = (String) FencedRows.require(row, "owner");
    this.ttl = FencedRows.ttl(row);
    this.takenOver = takenOver;
    Duration margin = engine.settings().leaseMargin();
    Duration quarter = ttl.dividedBy(4);
    this.margin = margin.compareTo(quarter) < 0 ? margin : quarter;
    renewed(row, sentAtNanos);
  }

  /**
   * The lease behind an interface of the api.
   *
   * @throws InvalidInput when it is none of this library, or another store's or tenant's
   */
  static HeldLease of(Object lease, Engine engine, Scope scope) {
    if (!(lease instanceof HeldLease held)) {
      throw new InvalidInput("the lease was not acquired from this library");
    }
    if (!held.tenantId().equals(scope.tenantId())) {
      throw new InvalidInput("the lease was acquired for another tenant");
    }
    if (!held.storeId.equals(engine.storeId())) {
      throw new InvalidInput("the lease was acquired from another store");
    }
    return held;
  }

  ReentrantLock lock() {
    return lock;
  }

  /**
   * Takes {@link #lock()}.
   *
   * @throws Unavailable when another step or heartbeat of this lease takes longer than the deadline
   */
  void lockWithin(Deadline deadline) {
    boolean locked = false;
    try {
      locked = lock.tryLock(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!locked) {
      throw new Unavailable("nothing was sent: another step of " + this + " is under way", null);
    }
  }

  /**
   * Part of a JTA transaction of a caller's from now on, which keeps the row locked: nobody else
   * can take it before the end.
   */
  void join(Object transaction, long sentAtNanos) {
    if (joinedBy == null) {
      validBeforeNanos = validUntilNanos;
    }
    joinedBy = transaction;
    validUntilNanos = sentAtNanos + ttl.toNanos() - margin.toNanos();
  }

  /** That transaction was not committed: the lease is as before. */
  void leave() {
    validUntilNanos = validBeforeNanos;
    joinedBy = null;
  }

  /** That transaction was committed. */
  void joined() {
    joinedBy = null;
  }

  boolean isJoined() {
    return joinedBy != null;
  }

  /**
   * Refuses to go on beside a transaction that has the row locked.
   *
   * @param own the one that goes on; null outside of any
   * @throws Unavailable when it is another one
   */
  void checkFree(@Nullable Object own) {
    Object joined = joinedBy;
    if (joined != null && !joined.equals(own)) {
      throw new Unavailable(
          "nothing was sent: a step of "
              + this
              + " is part of a JTA transaction that has not ended yet",
          null);
    }
  }

  /** Events came that the holder may not know of. */
  void sawMore() {
    unseen = true;
  }

  /**
   * Epoch of the store that the lease was acquired in: after a restore the row it holds may never
   * have been.
   */
  long epoch() {
    return epoch;
  }

  String tenantId() {
    return row.header().tenantId();
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
    unseen |= hasMore(fresh, row);
    row = fresh;
  }

  /** A renewal sent at {@code sentAtNanos} was written. */
  void renewed(Row written, long sentAtNanos) {
    unseen |= hasMore(written, row);
    moveTo(written, sentAtNanos);
  }

  /**
   * A step sent at {@code sentAtNanos} was written.
   *
   * @param sent the head as the step made it; signals may have moved it on since
   * @param sawAll the step named the last event before it: its author knew all of them
   */
  void stepped(Row sent, Row written, boolean sawAll, long sentAtNanos) {
    unseen = (unseen && !sawAll) || hasMore(written, sent);
    moveTo(written, sentAtNanos);
  }

  private void moveTo(Row written, long sentAtNanos) {
    row = written;
    validUntilNanos = sentAtNanos + ttl.toNanos() - margin.toNanos();
  }

  private static boolean hasMore(Row fresh, Row before) {
    return fresh.type() == RecordTypes.HEAD
        && BatchPlan.lastSequence(fresh) > BatchPlan.lastSequence(before);
  }

  /**
   * When to wake after the release: at once when a signal came that the holder may not have seen,
   * since nothing else would let anybody look at it.
   */
  Wake wakeAfter(Wake wanted) {
    return unseen ? Wake.now() : wanted;
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
        ? Duration.ofNanos(Math.max(0, validUntilNanos - nanoTime.getAsLong()))
        : Duration.ZERO;
  }

  @Override
  public boolean isHeld() {
    if (state == State.HELD && validUntilNanos - nanoTime.getAsLong() <= 0) {
      state = State.RAN_OUT;
    }
    return state == State.HELD;
  }

  @Override
  public String toString() {
    return "Lease[" + row.key() + ", worker " + worker + ", token " + token + "]";
  }
}
