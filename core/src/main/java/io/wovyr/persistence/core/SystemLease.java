/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.lease.HeldName;
import io.wovyr.persistence.lease.Leases;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The named lease that those share who do the same work of the system, schedulers or samplers: it
 * keeps them out of each other's way, and decides nothing about what they write. Not thread-safe.
 */
final class SystemLease {
  private final Leases leases;
  private final String name;
  private final String worker;
  private final Optional<Duration> ttl;
  private @Nullable HeldName held;

  /**
   * @param worker who takes it
   * @param ttl empty: there is no lease, everybody works
   */
  SystemLease(Leases leases, String name, String worker, Optional<Duration> ttl) {
    this.leases = leases;
    this.name = name;
    this.worker = worker;
    this.ttl = ttl;
  }

  /** Takes or keeps it; false while another one has it. True where there is no lease. */
  boolean hold() {
    if (ttl.isEmpty() || keep()) {
      return true;
    }
    held = leases.acquireName(name, worker, ttl.get()).orElse(null);
    return held != null;
  }

  /** Renews it when a third of its time is over; false when it is lost. */
  boolean keep() {
    if (ttl.isEmpty()) {
      return true;
    }
    HeldName mine = held;
    if (mine == null) {
      return false;
    }
    Duration fresh = ttl.get().multipliedBy(2).dividedBy(3);
    if (mine.isHeld() && (mine.remaining().compareTo(fresh) > 0 || leases.heartbeat(mine))) {
      return true;
    }
    held = null;
    return false;
  }

  /** Gives it back. */
  void free() {
    HeldName mine = held;
    held = null;
    if (mine != null && mine.isHeld()) {
      leases.release(mine);
    }
  }
}
