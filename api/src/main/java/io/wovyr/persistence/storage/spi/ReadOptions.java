/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

/**
 * How to read.
 *
 * @param consistency strong unless the caller opted out; no decision is made on a stale read
 * @since 0.1
 */
public record ReadOptions(Deadline deadline, Consistency consistency) {
  /** See {@link ReadOptions}. */
  public enum Consistency {
    /** Everything committed before the call is seen. */
    STRONG,
    /** May lag behind, from a replica. */
    STALE
  }

  /** A strong read. */
  public static ReadOptions strong(Deadline deadline) {
    return new ReadOptions(deadline, Consistency.STRONG);
  }
}
