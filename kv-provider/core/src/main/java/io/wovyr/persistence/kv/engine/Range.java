/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.engine;

/**
 * Keys of one partition, from one inclusive to another exclusive, in one direction.
 *
 * @param from lowest key, in the partition
 * @param to above the highest key; need not be in the partition itself
 */
public record Range(Place from, Place to, boolean ascending) {
  /** All keys that begin with this one. */
  public static Range of(Place prefix, boolean ascending) {
    return new Range(prefix, prefix.afterAll(), ascending);
  }
}
