/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.lease;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * The leases of the caller's tenant. Thread-safe.
 *
 * <p>With a store clock an expired lease can be taken at once, judged inside the write. Without one
 * (SQLite and other embedded stores) a contender has to see the holder's renewals stand still for
 * the whole ttl on its own monotonic clock: it keeps answering {@link AcquireResult.Held} until
 * then, so call again.
 *
 * @since 0.1
 */
public interface Leases {
  /** Shortest ttl accepted. */
  Duration MIN_TTL = Duration.ofMillis(100);

  /** Longest ttl accepted. */
  Duration MAX_TTL = Duration.ofHours(24);

  /**
   * Takes the lease of an execution if it is free or its holder is gone.
   *
   * @param worker a name for people; it need not be unique and proves nothing
   * @param ttl between {@link #MIN_TTL} and {@link #MAX_TTL}
   * @throws PersistenceException.InvalidInput for a bad worker name or ttl
   */
  AcquireResult acquire(UUID executionId, String worker, Duration ttl);

  /**
   * Renews a lease. A step renews by itself; this is for the time between.
   *
   * @return false when it is lost or ran out: stop at once and send nothing more
   */
  boolean heartbeat(Lease lease);

  /**
   * Gives a lease back.
   *
   * @param wake when somebody should look next
   * @return false when it was lost before
   */
  boolean release(Lease lease, Wake wake);

  /**
   * Gives a free execution to a worker of the scheduler's choice without acquiring it here: the
   * worker's first {@link #acquire} under this name within the ttl succeeds, others see it held.
   */
  AcquireResult assign(UUID executionId, String worker, Duration ttl);

  /** Puts a parked execution back into dispatch; due now. */
  CommitResult unpark(UUID executionId);

  /** Who holds an execution now; empty when it is free. */
  Optional<WorkerLease> find(UUID executionId);

  /** The held leases of this tenant, by worker, then by execution id. */
  Page<WorkerLease> list(int limit, Optional<String> after);

  /** Takes a named lease; empty when somebody else holds it. */
  Optional<HeldName> acquireName(String name, String worker, Duration ttl);

  /** Renews a named lease; false when it is lost. */
  boolean heartbeat(HeldName held);

  /** Frees a named lease; false when it was lost before. */
  boolean release(HeldName held);

  /** Who holds a name; its record stays when it is free. */
  Optional<NamedLease> findName(String name);

  /**
   * Keeps leases alive in the background while their bodies run. Close it on shutdown.
   *
   * @param renewEvery above zero; at most half the ttl of the leases it is given
   */
  LeaseKeeper keeper(Duration renewEvery);
}
