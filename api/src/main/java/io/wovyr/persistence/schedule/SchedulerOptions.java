/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.schedule;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.TenantId;
import io.wovyr.persistence.internal.Inputs;
import java.time.Duration;
import java.util.Optional;

/**
 * How a scheduler works.
 *
 * @param name who fires, in the records it writes; schedulers may share one
 * @param tenantId whose schedules; empty: those of all tenants
 * @param lookEvery the pause between two looks, 10 milliseconds to 1 hour: a fire is late by up to
 *     this
 * @param leaseTtl how long others stand by after a scheduler was last heard of, 1 second to 1 hour;
 *     empty: there is no lease, and schedulers fire side by side
 * @since 0.1
 */
public record SchedulerOptions(
    String name, Optional<String> tenantId, Duration lookEvery, Optional<Duration> leaseTtl) {
  private static final Duration HOUR = Duration.ofHours(1);

  public SchedulerOptions {
    Inputs.name("scheduler name", name);
    tenantId.ifPresent(TenantId::new);
    between("lookEvery", lookEvery, Duration.ofMillis(10));
    leaseTtl.ifPresent(ttl -> between("leaseTtl", ttl, Duration.ofSeconds(1)));
  }

  private static void between(String what, Duration value, Duration least) {
    if (value.compareTo(least) < 0 || value.compareTo(HOUR) > 0) {
      throw new InvalidInput("%s is %s to %s, not %s".formatted(what, least, HOUR, value));
    }
  }

  /** Looks every second, for all tenants, under a lease of ten seconds. */
  public static SchedulerOptions of(String name) {
    return new SchedulerOptions(
        name, Optional.empty(), Duration.ofSeconds(1), Optional.of(Duration.ofSeconds(10)));
  }

  /** For one tenant. Its lease is apart from that of schedulers for all. */
  public SchedulerOptions withTenant(String value) {
    return new SchedulerOptions(name, Optional.of(value), lookEvery, leaseTtl);
  }

  /** With this pause between two looks. */
  public SchedulerOptions lookingEvery(Duration value) {
    return new SchedulerOptions(name, tenantId, value, leaseTtl);
  }

  /** With a lease of this ttl. */
  public SchedulerOptions withLease(Duration ttl) {
    return new SchedulerOptions(name, tenantId, lookEvery, Optional.of(ttl));
  }

  /** Side by side with others. */
  public SchedulerOptions withoutLease() {
    return new SchedulerOptions(name, tenantId, lookEvery, Optional.empty());
  }
}
