/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import io.wovyr.persistence.storage.spi.Storage;
import java.time.Duration;

/**
 * A store under test. Other tests may use it at the same time: a test keeps to tenants of its own.
 */
public interface TestStore extends AutoCloseable {
  /** Another handle of this store, as another process would have it. */
  Storage open();

  /**
   * Called when a test lets time pass; there is nothing to do for a store without a clock, or whose
   * clock is the {@link TestTime} it was made with.
   */
  default void passTime(Duration duration) {}

  /** Removes what {@link #open()} made, after all handles are closed. */
  @Override
  void close();

  /** Makes stores. */
  interface Factory {
    /** A store whose clock, if it has one and it can be set, is this. */
    TestStore create(TestTime time);
  }
}
