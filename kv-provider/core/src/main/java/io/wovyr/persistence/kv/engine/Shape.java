/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.engine;

import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.Limits;
import java.util.Set;

/**
 * What kind of engine it is.
 *
 * @param capabilities of the storage
 * @param limits of the storage: a batch within them fits into one {@link AtomicWrite}
 * @param shards over how many partitions the rows of one type of a tenant, or a path, are spread; 1
 *     to 255, never changed for a store that is there
 * @param ordered all partitions lie in one order, so that a range may span them: tenants can be
 *     counted. Nothing else asks for it
 * @param blockBytes about how many bytes of rows go into one value
 * @param snapshots a {@link View} shows one instant
 * @param exclusive nobody else changes the store while it is open, so that its epoch need not be
 *     looked at in every write
 */
public record Shape(
    Set<Capability> capabilities,
    Limits limits,
    int shards,
    boolean ordered,
    int blockBytes,
    boolean snapshots,
    boolean exclusive) {
  public Shape {
    capabilities = Set.copyOf(capabilities);
    if (shards < 1 || shards > 255) {
      throw new IllegalArgumentException(shards + " shards");
    }
  }
}
