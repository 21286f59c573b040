/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.engine;

import io.wovyr.persistence.Bytes;

/**
 * What lies under a key. Immutable.
 *
 * @param version what conditions look at
 * @param stamp of the write that put it there, where it asked for one; else empty
 * @param body what the record layer keeps
 */
public record Stored(long version, Bytes stamp, Bytes body) {
  /** Without a stamp. */
  public Stored(long version, Bytes body) {
    this(version, Bytes.EMPTY, body);
  }
}
