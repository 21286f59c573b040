/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.storage.spi.Key;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Watches leases of others where the store has no clock: a lease may be taken once its token and
 * renewals stood still for its whole ttl on this process's own monotonic clock. Thread-safe; what
 * was watched is forgotten when it is taken or was not looked at for long.
 */
final class StillnessObserver {
  private static final int SWEEP_ABOVE = 10_000;

  private final Map<Watched, Seen> seen = new ConcurrentHashMap<>();
  private final LongSupplier nanoTime;

  StillnessObserver() {
    this(System::nanoTime);
  }

  StillnessObserver(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  private record Watched(String tenantId, Key key) {}

  private record Seen(long token, long renewals, long sinceNanos, long lookedAtNanos, long ttl) {}

  /** Notes what is seen now, and answers whether it stood still for {@code ttl}. */
  boolean stoodStill(String tenantId, Key key, long token, long renewals, Duration ttl) {
    long now = nanoTime.getAsLong();
    if (seen.size() > SWEEP_ABOVE) {
      seen.values().removeIf(entry -> now - entry.lookedAtNanos() > 10 * entry.ttl());
    }
    Seen entry =
        seen.compute(
            new Watched(tenantId, key),
            (watched, before) ->
                before != null && before.token() == token && before.renewals() == renewals
                    ? new Seen(token, renewals, before.sinceNanos(), now, ttl.toNanos())
                    : new Seen(token, renewals, now, now, ttl.toNanos()));
    return now - entry.sinceNanos() >= ttl.toNanos();
  }

  void forget(String tenantId, Key key) {
    seen.remove(new Watched(tenantId, key));
  }
}
