/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption.key;

import io.wovyr.persistence.sealing.spi.DataKeyStore;
import io.wovyr.persistence.sealing.spi.WrappedDataKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Data keys in memory, gone with the process and all that was sealed under them: for tests and for
 * values that need not outlive it. Thread-safe.
 *
 * @since 0.1
 */
public final class MemoryDataKeyStore implements DataKeyStore {
  static final Comparator<WrappedDataKey> ORDER =
      Comparator.comparing(WrappedDataKey::scope).thenComparingInt(WrappedDataKey::number);

  private final List<WrappedDataKey> keys = new ArrayList<>();

  /** An empty store. */
  public MemoryDataKeyStore() {}

  @Override
  public synchronized List<WrappedDataKey> list(String tenantId) {
    return keys.stream().filter(key -> key.tenantId().equals(tenantId)).sorted(ORDER).toList();
  }

  @Override
  public synchronized boolean create(WrappedDataKey key) {
    if (keys.stream().anyMatch(other -> samePlace(other, key))) {
      return false;
    }
    return keys.add(key);
  }

  @Override
  public synchronized boolean isEmpty() {
    return keys.isEmpty();
  }

  static boolean samePlace(WrappedDataKey one, WrappedDataKey other) {
    return one.tenantId().equals(other.tenantId())
        && one.scope() == other.scope()
        && one.number() == other.number();
  }
}
