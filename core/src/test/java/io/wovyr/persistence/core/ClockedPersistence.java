/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.storage.spi.Storage;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.LongSupplier;

/** Opens a persistence whose clocks a test holds in its hands. */
public final class ClockedPersistence {
  private ClockedPersistence() {}

  /** A persistence over an open store; {@code nanoTime} is the monotonic clock of its leases. */
  public static Persistence open(
      Storage storage, InstantSource wall, LongSupplier nanoTime, Map<String, String> settings) {
    return WovyrPersistence.builder()
        .setting("wovyr.sealing.provider", "none")
        .storage(storage)
        .clock(wall)
        .nanoTime(nanoTime)
        .settings(settings)
        .build();
  }

  /** Has its sampler look now, as when the time until its next look is over. */
  public static void lookAtMetrics(Persistence persistence) {
    ((WovyrPersistence) persistence).sampler().orElseThrow().look();
  }
}
