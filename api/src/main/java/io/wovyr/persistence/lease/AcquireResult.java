/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.lease;

import java.util.UUID;

/**
 * The answer to an acquisition.
 *
 * @since 0.1
 */
public sealed interface AcquireResult {
  /** The lease is yours. Load the state now: what was read before the acquisition is void. */
  record Acquired(Lease lease) implements AcquireResult {}

  /** Somebody else holds it, or must still be presumed to. Try again later. */
  record Held(UUID executionId, String owner, long token) implements AcquireResult {}

  /** Nobody may have it. */
  record NotAvailable(UUID executionId, Why why) implements AcquireResult {}

  /** See {@link NotAvailable}. */
  enum Why {
    NOT_FOUND,
    CLOSED,
    PAUSED,
    /** Too many acquisitions without progress: look at it, then {@link Leases#unpark}. */
    PARKED
  }
}
