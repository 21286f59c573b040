/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.dynamodb;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.kv.dynamodb.Control.Everything;
import io.wovyr.persistence.kv.dynamodb.Control.SlotState;
import io.wovyr.persistence.storage.spi.Deadline;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How far the feed may be read: up to a stamp at or below which nothing new will ever show, and
 * everything that there is can be seen. Readers move it; as long as nobody reads, it costs nothing,
 * and nobody has to be alive for it to move.
 *
 * <p>A reader that finds writes above the last horizon
 *
 * <ol>
 *   <li>says up to which stamp it means to go: who makes a slot from now on stamps above it,
 *   <li>reads which slots there are, and closes each up to that stamp: writes under way below it
 *       are refused by their own condition, and are tried again with a higher stamp,
 *   <li>makes sure that the last write of each slot is whole; all before are, for a slot serves one
 *       write at a time,
 *   <li>says so, for others.
 * </ol>
 *
 * <p>Each step can be done any number of times, by any number of readers, and left by any of them.
 * Thread-safe.
 */
final class Horizon {
  private final Control control;
  private final ReentrantLock moving = new ReentrantLock();

  Horizon(Control control) {
    this.control = control;
  }

  /** Where it is now that all which was written before can be seen. */
  Bytes move(Deadline deadline) {
    boolean mine;
    try {
      mine = moving.tryLock(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      mine = false;
    }
    if (!mine) {
      throw new Unavailable("no time to see how far the feed is; nothing was read", null);
    }
    try {
      return moved(deadline);
    } finally {
      moving.unlock();
    }
  }

  private Bytes moved(Deadline deadline) {
    Everything found = control.read(deadline);
    Bytes before = found.feed().horizon();
    Bytes target = higher(before, found.feed().intent());
    for (SlotState slot : found.slots()) {
      target = higher(target, slot.lastFed());
    }
    if (target.equals(before)) {
      return before;
    }
    if (found.feed().intent().compareTo(target) < 0) {
      control.intend(target, deadline);
    }
    for (SlotState slot : control.read(deadline).slots()) {
      close(slot, before, target, deadline);
    }
    control.publish(target, deadline);
    return target;
  }

  private static Bytes higher(Bytes one, Bytes other) {
    return one.compareTo(other) < 0 ? other : one;
  }

  private void close(SlotState slot, Bytes before, Bytes target, Deadline deadline) {
    Optional<SlotState> closed =
        slot.closed().compareTo(target) >= 0
            ? Optional.of(slot)
            : control.close(slot.key(), target, deadline);
    if (closed.isEmpty()) {
      // Who removed it looked after it.
      return;
    }
    SlotState state = closed.get();
    if (state.lastFed().compareTo(before) > 0 && state.lastFed().compareTo(target) <= 0) {
      control.awaitWhole(state, deadline);
    }
    if (Slots.isLeft(state, target)) {
      control.removeSlot(state, deadline);
    }
  }
}
