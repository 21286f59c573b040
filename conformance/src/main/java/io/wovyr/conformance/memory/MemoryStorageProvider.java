/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.memory;

import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StorageProvider;
import java.util.Map;
import java.util.Set;

/**
 * Opens handles of one {@link MemoryStore}. Thread-safe.
 *
 * @since 0.1
 */
public final class MemoryStorageProvider implements StorageProvider {
  private final MemoryStore store;

  /** Over an empty store of {@link MemorySettings#defaults()}. */
  public MemoryStorageProvider() {
    this(new MemoryStore(MemorySettings.defaults()));
  }

  /** Over this store. */
  public MemoryStorageProvider(MemoryStore store) {
    this.store = store;
  }

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public Set<Capability> capabilities() {
    return store.capabilities();
  }

  /** A handle of this provider's store; there are no settings. */
  @Override
  public Storage open(Map<String, String> settings) {
    return store.open();
  }
}
