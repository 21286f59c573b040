/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.telemetry;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.storage.spi.CommitOutcome.Failed;
import io.wovyr.persistence.storage.spi.Health;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Is told of every call to the store and of every commit. Implementations must be thread-safe and
 * quick, and must not throw. They never see a payload, a secret or a name that a user chose, but
 * the tenant's.
 *
 * @since 0.1
 */
public interface Telemetry {
  /** What is asked of a store. */
  enum Call {
    READ(false),
    READ_UNIQUE(false),
    SCAN(false),
    SCAN_SYSTEM(false),
    FEED(false),
    STATISTICS(false),
    COMMIT(true),
    ENLIST(true),
    PURGE(true);

    private final boolean write;
    private final String label = name().toLowerCase(Locale.ROOT);

    Call(boolean write) {
      this.write = write;
    }

    /** Whether it writes: one of the two latencies of a store. */
    public boolean isWrite() {
      return write;
    }

    /** Its name in metrics and traces, such as {@code read_unique}. */
    public String label() {
      return label;
    }
  }

  /** Nobody is told. */
  static Telemetry none() {
    return NoTelemetry.INSTANCE;
  }

  /** One call to the store begins on this thread; it ends with {@link Running#close()}. */
  Running call(Call call, String tenantId);

  /**
   * One commit of a unit of work begins on this thread, all its tries and reads included; it ends
   * with {@link Deciding#close()}.
   */
  Deciding commit(String tenantId);

  /**
   * What can be asked at any time, for gauges. Called once, when the store is open.
   *
   * @param lastSizes records and bytes by record type, as they were last counted ({@code
   *     records.<type>}, {@code bytes.<type>}); empty before the first count
   * @param health may ask the store: not more often than a gauge is read
   */
  void gauges(Supplier<Map<String, Long>> lastSizes, Supplier<Health> health);

  /** No gauge is asked for any more: the store is closed. */
  void close();

  /** A call under way. Not thread-safe. */
  interface Running extends AutoCloseable {
    /** How many rows were returned. */
    void rows(int rows);

    /** Guards that did not hold: the answer was a conflict. */
    void conflict(List<Failed> failed);

    /** What was thrown. */
    void failed(RuntimeException failure);

    /** The end, always reached. */
    @Override
    void close();
  }

  /** A commit under way. Not thread-safe. */
  interface Deciding extends AutoCloseable {
    /** The answer. */
    void answered(CommitResult result);

    /** What was thrown. */
    void failed(RuntimeException failure);

    /** The end, always reached. */
    @Override
    void close();
  }
}
