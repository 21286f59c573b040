/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import java.util.function.Consumer;

/**
 * A JTA transaction that a thread of the caller's is in. It is the caller's (or the container's) to
 * end; a store only adds to it. Thread-safe.
 *
 * @since 0.1
 */
public interface CallersTransaction {
  /** Equal, by {@link Object#equals}, for the same transaction only. */
  Object key();

  /**
   * Whether something can still be added to it: false when it may only be rolled back (a timeout
   * included), or is ending already.
   */
  boolean isActive();

  /**
   * Has somebody told how it ended, on the thread that ends it. To be called while it is active.
   *
   * @throws io.wovyr.persistence.PersistenceException.Unavailable when it is not active any more
   */
  void onEnd(Consumer<End> listener);

  /** How it ended. */
  enum End {
    /** What was applied in it is there. */
    COMMITTED,
    /** Nothing of it is there. */
    ROLLED_BACK,
    /** Only the store can tell. */
    UNKNOWN
  }
}
