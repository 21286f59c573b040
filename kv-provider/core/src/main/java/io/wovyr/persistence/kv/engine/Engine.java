/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.engine;

import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Health;
import java.util.List;

/**
 * An open handle of an ordered key-value engine. Thread-safe. All it throws are the failures of the
 * storage SPI: {@code Unavailable} when nothing was changed, {@code OutcomeUnknown} when that
 * cannot be told, {@code Rejected} for what will never fit, {@code Corrupt} for what cannot be
 * read.
 */
public interface Engine extends AutoCloseable {
  /** What kind of engine it is; always the same. */
  Shape shape();

  /** What people know the store by: its path, its table. */
  String description();

  /** A view of the store as it is now, or later. */
  View view(Deadline deadline);

  /**
   * Writes, each atomically and independent of the others, in any order; when it returns, what was
   * applied is durable and seen by every view taken from now on. Guarded keys that two writes share
   * are judged one after the other.
   *
   * @return one outcome per write, in the order given
   */
  List<WriteOutcome> write(List<AtomicWrite> writes, Deadline deadline);

  /** Size of a range on the disk in bytes, roughly; 0 when it cannot be told. */
  long sizeBytes(Range range);

  /** How it is. Never throws. */
  Health health();

  /** Frees what this handle holds. Idempotent. */
  @Override
  void close();
}
