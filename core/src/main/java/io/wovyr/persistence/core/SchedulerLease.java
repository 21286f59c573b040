/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.lease.HeldName;
import io.wovyr.persistence.lease.Leases;
import io.wovyr.persistence.schedule.SchedulerOptions;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The named lease that schedulers share: it keeps them out of each other's way, and decides nothing
 * about a fire. Not thread-safe.
 */
final class SchedulerLease {
  private static final String NAME = "wovyr.scheduler";

  private final Leases leases;
  private final String name;
  private final String worker;
  private final Optional<Duration> ttl;
  private @Nullable HeldName held;

  SchedulerLease(Leases leases, SchedulerOptions options) {
    this.leases = leases;
    this.name = options.tenantId().map(tenant -> NAME + "/" + tenant).orElse(NAME);
    this.worker = options.name();
    this.ttl = options.leaseTtl();
  }

  /** Takes or keeps it; false while another scheduler has it. True where there is no lease. */
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
