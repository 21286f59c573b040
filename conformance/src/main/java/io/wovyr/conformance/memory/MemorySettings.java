/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.memory;

import io.wovyr.persistence.storage.spi.Limits;
import java.time.InstantSource;

/**
 * The shape of a {@link MemoryStore}. Immutable; begin with {@link #defaults()} and turn the
 * switches.
 *
 * @param limits what fits; enforced like every store's
 * @param storeClock whether the store has a clock of its own ({@code STORE_CLOCK})
 * @param clock the store's clock; not looked at without {@code storeClock}
 * @param actualInConflicts false: the store compares without reading, so that no conflict tells
 *     what is stored
 * @param commitOrder in which the batches of one commit call are applied
 * @param shortPages true: scans begin with an empty page that has a next one, and later pages carry
 *     about half of what was asked for
 * @since 0.1
 */
public record MemorySettings(
    Limits limits,
    boolean storeClock,
    InstantSource clock,
    boolean actualInConflicts,
    CommitOrder commitOrder,
    boolean shortPages) {
  private static final int MEBIBYTE = 1 << 20;

  /** See {@link MemorySettings}. */
  public enum CommitOrder {
    /** In the order given. */
    GIVEN,
    /** The last one first. */
    REVERSED,
    /** Another order every time. */
    SHUFFLED
  }

  /** Roomy limits, the system's clock, conflicts that tell all, given order, full pages. */
  public static MemorySettings defaults() {
    return new MemorySettings(
        new Limits(MEBIBYTE, 10_000, 16L * MEBIBYTE, 1_000, 0),
        true,
        InstantSource.system(),
        true,
        CommitOrder.GIVEN,
        false);
  }

  /** With other limits. */
  public MemorySettings withLimits(Limits other) {
    return new MemorySettings(other, storeClock, clock, actualInConflicts, commitOrder, shortPages);
  }

  /** With at most so many items in a batch, as key-value stores have it. */
  public MemorySettings withBatchItems(int batchItems) {
    return withLimits(
        new Limits(
            limits.recordBytes(),
            batchItems,
            limits.batchBytes(),
            limits.mergedBatches(),
            limits.itemsPerIndexEntry()));
  }

  /** With records of at most so many bytes. */
  public MemorySettings withRecordBytes(int recordBytes) {
    return withLimits(
        new Limits(
            recordBytes,
            limits.batchItems(),
            limits.batchBytes(),
            limits.mergedBatches(),
            limits.itemsPerIndexEntry()));
  }

  /** With index entries that count as so many items of a batch. */
  public MemorySettings withItemsPerIndexEntry(int items) {
    return withLimits(
        new Limits(
            limits.recordBytes(),
            limits.batchItems(),
            limits.batchBytes(),
            limits.mergedBatches(),
            items));
  }

  /** With this store clock. */
  public MemorySettings withClock(InstantSource storesOwn) {
    return new MemorySettings(limits, true, storesOwn, actualInConflicts, commitOrder, shortPages);
  }

  /** Without a store clock: core stamps times and observes expiry. */
  public MemorySettings withoutClock() {
    return new MemorySettings(limits, false, clock, actualInConflicts, commitOrder, shortPages);
  }

  /** Without reads before writes: no conflict tells what is stored. */
  public MemorySettings withoutActualInConflicts() {
    return new MemorySettings(limits, storeClock, clock, false, commitOrder, shortPages);
  }

  /** With the batches of one commit call applied in this order. */
  public MemorySettings withCommitOrder(CommitOrder order) {
    return new MemorySettings(limits, storeClock, clock, actualInConflicts, order, shortPages);
  }

  /** With empty and half pages. */
  public MemorySettings withShortPages() {
    return new MemorySettings(limits, storeClock, clock, actualInConflicts, commitOrder, true);
  }
}
