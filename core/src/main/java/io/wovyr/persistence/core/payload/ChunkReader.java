/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.payload;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.payload.StoredPayload.Body;
import java.util.function.Supplier;

/** Reads the bodies that lie in chunks beside their records. Thread-safe. */
@FunctionalInterface
public interface ChunkReader {
  /**
   * The sealed part that was cut into chunks.
   *
   * @param most bytes that it can have; more are never held in memory
   * @param where names the value in messages
   * @throws Corrupt when a chunk is missing, or there are more than the body says
   * @throws Unavailable when the store cannot be read now
   */
  Bytes read(String tenantId, Body.Chunked body, long most, Supplier<String> where);
}
