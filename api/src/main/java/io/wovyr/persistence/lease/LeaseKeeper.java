/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.lease;

import java.time.Duration;

/**
 * Renews leases whose bodies are busy, and tells a body when its lease is gone. Shutdown order:
 * stop taking new work, let bodies finish or be cancelled while heartbeats go on, then free what is
 * left. Thread-safe.
 *
 * @since 0.1
 */
public interface LeaseKeeper extends AutoCloseable {
  /**
   * Keeps this lease until the answer is closed (closing does not release the lease).
   *
   * @param onLost called once, from a background thread, when the lease is lost or ran out; cancel
   *     the body there
   * @throws IllegalStateException after {@link #shutdown}
   */
  Kept keep(Lease lease, Runnable onLost);

  /** A lease being kept. */
  interface Kept extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Takes no more leases, waits until those kept are closed or {@code grace} is over, then tells
   * the bodies left ({@code onLost}) and frees their leases, due now.
   *
   * @return true when every body ended by itself within the grace
   */
  boolean shutdown(Duration grace);

  /** {@link #shutdown} without grace. */
  @Override
  void close();
}
