/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

/**
 * What a store may or may not offer. Everything not named here is required of all.
 *
 * @since 0.1
 */
public enum Capability {
  /**
   * The store has one clock for all its users: it resolves {@link StoreTime} values and judges
   * {@link Mutation.Update#notExpired()} after the row is locked. Without it core stamps times, and
   * expiry is observed instead of read.
   */
  STORE_CLOCK,
  /** {@link Storage#enlist} joins the caller's JTA transaction. */
  JTA,
  /** {@link Storage#commit} of several batches costs less than one by one. */
  MERGED_COMMIT,
  /** Several processes may open one store at the same time. */
  MULTI_PROCESS
}
