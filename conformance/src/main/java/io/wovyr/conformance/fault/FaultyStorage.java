/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.fault;

import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.ForwardingStorage;
import io.wovyr.persistence.storage.spi.Purge;
import io.wovyr.persistence.storage.spi.PurgeOutcome;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * A storage whose writes ({@code commit} and {@code purge}) fail as told, over a healthy one. Reads
 * go through. Thread-safe.
 *
 * @since 0.1
 */
public final class FaultyStorage extends ForwardingStorage {
  private static final Duration LANDING = Duration.ofSeconds(30);

  /** A write that has not reached the store yet. */
  private interface Write<T> {
    T reach(Deadline deadline);
  }

  private final FaultPlan plan;
  private final Queue<Fault> asked = new ConcurrentLinkedQueue<>();
  private final Deque<Write<?>> inFlight = new ArrayDeque<>();

  /** Fails only when asked by {@link #failNext}. */
  public FaultyStorage(Storage storage) {
    this(storage, FaultPlan.none());
  }

  /** Fails by this plan, and when asked. */
  public FaultyStorage(Storage storage, FaultPlan plan) {
    super(storage);
    this.plan = plan;
  }

  /** Lets the next writes fail so, one each, before the plan is asked again. */
  public FaultyStorage failNext(Fault... faults) {
    asked.addAll(List.of(faults));
    return this;
  }

  /** Writes whose caller saw {@link Fault#IN_FLIGHT}, and that did not land yet. */
  public int inFlight() {
    synchronized (inFlight) {
      return inFlight.size();
    }
  }

  /**
   * Lets the oldest write in flight reach the store now.
   *
   * @return false when there was none
   * @throws PersistenceException what the store threw; the write is not in flight any more
   */
  public boolean land() {
    Write<?> write;
    synchronized (inFlight) {
      write = inFlight.poll();
    }
    if (write == null) {
      return false;
    }
    write.reach(Deadline.after(LANDING));
    return true;
  }

  @Override
  public List<CommitOutcome> commit(List<Batch> batches, Deadline deadline) {
    return write(deadline, within -> super.commit(batches, within));
  }

  @Override
  public PurgeOutcome purge(Scope scope, Purge purge, Deadline deadline) {
    return write(deadline, within -> super.purge(scope, purge, within));
  }

  private <T> T write(Deadline deadline, Write<T> write) {
    Fault fault = nextFault().orElse(null);
    if (fault == null) {
      return write.reach(deadline);
    }
    switch (fault) {
      case BEFORE -> throw new Unavailable("injected: nothing was written", null);
      case LOST -> {}
      case AFTER -> write.reach(longEnough(deadline));
      case TIMEOUT_AFTER -> {
        write.reach(longEnough(deadline));
        awaitOver(deadline);
      }
      case IN_FLIGHT -> {
        synchronized (inFlight) {
          inFlight.add(write);
        }
      }
    }
    throw new OutcomeUnknown("injected: " + fault, null);
  }

  /** These are written: a slow store has the time for it that the caller does not give. */
  private static Deadline longEnough(Deadline deadline) {
    return deadline.isOver() ? deadline : Deadline.after(LANDING);
  }

  private Optional<Fault> nextFault() {
    Fault first = asked.poll();
    return first != null ? Optional.of(first) : plan.next();
  }

  private static void awaitOver(Deadline deadline) {
    while (!deadline.isOver()) {
      LockSupport.parkNanos(deadline.remaining().toNanos());
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
    }
  }
}
