/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption;

import io.wovyr.encryption.key.KeyProvider;
import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Unavailable;
import java.util.concurrent.atomic.AtomicInteger;

/** "Wraps" data keys by writing them as they are: for tests that look at values, not at keys. */
final class OpenKeyProvider implements KeyProvider {
  final AtomicInteger unwrapped = new AtomicInteger();
  private volatile boolean available = true;

  void lose() {
    available = false;
  }

  @Override
  public String name() {
    return "open";
  }

  @Override
  public String location() {
    return "nowhere";
  }

  @Override
  public void prepare(boolean storeIsNew) {
    requireAvailable();
  }

  @Override
  public Wrapped wrap(Bytes dataKey, Place place) {
    requireAvailable();
    return new Wrapped("open-1", dataKey);
  }

  @Override
  public Bytes unwrap(Wrapped wrapped, Place place) {
    requireAvailable();
    unwrapped.incrementAndGet();
    return wrapped.bytes();
  }

  private void requireAvailable() {
    if (!available) {
      throw new Unavailable("the keys cannot be had now", null);
    }
  }
}
