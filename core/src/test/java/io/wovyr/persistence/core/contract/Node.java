/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import io.wovyr.conformance.fault.FaultPlan;
import io.wovyr.conformance.fault.FaultyStorage;
import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.core.ClockedPersistence;
import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.Storage;
import java.time.InstantSource;
import java.util.Map;

/**
 * One process of a test: a persistence over its own handle of the store. Writes pass {@link
 * #faults()}, then {@link #probe()}.
 */
public final class Node implements AutoCloseable {
  private final ProbedStorage probe;
  private final FaultyStorage faults;
  private final Persistence persistence;

  Node(
      Storage handle,
      InstantSource wall,
      TestTime time,
      Map<String, String> settings,
      FaultPlan plan) {
    this.probe = new ProbedStorage(handle);
    this.faults = new FaultyStorage(probe, plan);
    this.persistence = ClockedPersistence.open(faults, wall, time::nanoTime, settings);
  }

  public Persistence persistence() {
    return persistence;
  }

  /** Fails writes as told. */
  public FaultyStorage faults() {
    return faults;
  }

  /** Sees what reaches the store. */
  public ProbedStorage probe() {
    return probe;
  }

  public boolean hasStoreClock() {
    return probe.capabilities().contains(Capability.STORE_CLOCK);
  }

  /** The repositories of a tenant, for a caller that may do everything but open secrets. */
  public Repositories as(String tenant) {
    return persistence.as(
        Caller.of(tenant, "contract", Role.READER, Role.WRITER, Role.OPERATOR, Role.ADMIN));
  }

  @Override
  public void close() {
    persistence.close();
  }
}
