/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.dynamodb;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.kv.KvStore;
import io.wovyr.persistence.kv.engine.Place;
import io.wovyr.persistence.storage.spi.Deadline;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The slots that this handle writes by. A slot is an item that every write of the record layer
 * changes together with all else, on the conditions that it is there, that its epoch is the one the
 * write was made in, and that the stamp of the write lies above what was closed. So one condition
 * fences epochs, and lets readers of the feed make sure that nothing comes behind their backs; see
 * {@link Horizon}.
 *
 * <p>A slot serves one write at a time, and no other before the last one was answered: transactions
 * on one item are refused while another is under way, and readers can tell from the slot which
 * write might be half visible. There are as many as there were writes at once. Anybody may remove a
 * slot, whose writes then fail and take another.
 *
 * <p>Thread-safe.
 */
final class Slots {
  private static final Logger LOG = LoggerFactory.getLogger(Slots.class);
  private static final Duration CLOSING = Duration.ofSeconds(2);

  /** A slot that was not used for so long is removed, at the cost of making another. */
  private static final Duration LEFT = Duration.ofMinutes(10);

  /** What a write goes by. */
  record Slot(Map<String, AttributeValue> key, long epoch) {}

  private final Table table;
  private final Control control;
  private final StampClock clock;
  private final Deque<Slot> idle = new ArrayDeque<>();
  private Bytes highestFed = Bytes.EMPTY;

  Slots(Table table, Control control, StampClock clock) {
    this.table = table;
    this.control = control;
    this.clock = clock;
  }

  /**
   * A slot for one write. To be given back by {@link #give} when the write was answered, else never
   * again used.
   *
   * @return empty when the store is in another epoch
   */
  Optional<Slot> take(long epoch, Deadline deadline) {
    synchronized (idle) {
      while (!idle.isEmpty()) {
        Slot slot = idle.pop();
        if (slot.epoch() == epoch) {
          return Optional.of(slot);
        }
      }
    }
    return make(epoch, deadline);
  }

  /**
   * Gives back a slot whose last write is whole, or never was.
   *
   * @param fed its stamp when it added to the feed, else empty
   */
  void give(Slot slot, Bytes fed) {
    synchronized (idle) {
      highestFed = fed.compareTo(highestFed) > 0 ? fed : highestFed;
      idle.push(slot);
    }
  }

  /**
   * The order matters. When the slot is there, what is read next either shows how far readers want
   * to close slots, or they see this one when they do so; and so it is with epochs.
   */
  private Optional<Slot> make(long epoch, Deadline deadline) {
    Slot slot = new Slot(created(epoch, deadline), epoch);
    Control.Everything all = control.read(deadline);
    clock.observe(all.feed().intent());
    if (epochNow(deadline) != epoch) {
      control.deleteSlot(slot.key(), Bytes.EMPTY, deadline);
      return Optional.empty();
    }
    for (Control.SlotState other : all.slots()) {
      if (other.epoch() < epoch) {
        control.removeSlot(other, deadline);
      }
    }
    return Optional.of(slot);
  }

  private Map<String, AttributeValue> created(long epoch, Deadline deadline) {
    Backoff backoff = new Backoff(deadline);
    while (true) {
      Map<String, AttributeValue> key = Control.newSlotKey();
      try {
        control.createSlot(key, epoch, clock.next(epoch), deadline);
        return key;
      } catch (SdkException e) {
        Failure failure = Failure.of(e);
        if (failure == Failure.NO_TABLE || failure == Failure.REFUSED || !backoff.await()) {
          throw table.failed(failure, e);
        }
      }
    }
  }

  private long epochNow(Deadline deadline) {
    Place record = KvStore.recordPlace();
    return table
        .get(Items.key(record), deadline)
        .map(item -> Items.number(item, Items.VERSION))
        .orElseThrow(
            () ->
                Unavailable.lasting("the DynamoDB table " + table.name() + " has no store", null));
  }

  /** Makes sure that nothing is written in an epoch before this one any more. */
  void endEpochsBefore(long epoch, Deadline deadline) {
    for (Control.SlotState slot : control.read(deadline).slots()) {
      if (slot.epoch() < epoch) {
        control.removeSlot(slot, deadline);
      }
    }
  }

  /** Whether everybody would take this slot for left behind. */
  static boolean isLeft(Control.SlotState slot, Bytes now) {
    return StampClock.micros(now) - StampClock.micros(slot.last()) > LEFT.toNanos() / 1_000;
  }

  /** Removes the idle slots, as far as that works: others remove them later. */
  void close() {
    List<Slot> left;
    Bytes lastFed;
    synchronized (idle) {
      left = new ArrayList<>(idle);
      lastFed = highestFed;
      idle.clear();
    }
    Deadline deadline = Deadline.after(CLOSING);
    try {
      left.forEach(slot -> control.deleteSlot(slot.key(), lastFed, deadline));
    } catch (RuntimeException e) {
      LOG.debug("slots in the DynamoDB table {} are left to others", table.name(), e);
    }
  }
}
