/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.conformance.memory.MemorySettings;
import io.wovyr.conformance.memory.MemoryStore;
import io.wovyr.persistence.core.contract.TestStore;
import io.wovyr.persistence.storage.spi.Storage;

/** An empty store in memory. */
record MemoryTestStore(MemoryStore store) implements TestStore {
  MemoryTestStore(MemorySettings settings) {
    this(new MemoryStore(settings));
  }

  @Override
  public Storage open() {
    return store.open();
  }

  @Override
  public void close() {
    // Gone when nobody reaches it any more.
  }
}
