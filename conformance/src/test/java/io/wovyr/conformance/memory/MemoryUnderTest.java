/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.memory;

import io.wovyr.conformance.StorageUnderTest;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.util.Optional;

/** A memory store for the kit. */
record MemoryUnderTest(String provider, MemoryStore store) implements StorageUnderTest {
  MemoryUnderTest(String provider, MemorySettings settings) {
    this(provider, new MemoryStore(settings));
  }

  @Override
  public Storage open() {
    return store.open();
  }

  @Override
  public Optional<RowLock> lock(Scope scope, Key key) {
    return Optional.of(store.lock(scope, key)::run);
  }
}
