/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.sealing.spi;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.sealing.spi.SealingProvider.KeyScope;
import java.time.Instant;
import java.util.UUID;

/**
 * A data key as it is stored: wrapped by a key that lies outside the store. Unique by tenant, scope
 * and number; the id is unique everywhere and is what sealed values name. Immutable.
 *
 * @param number 1 for the first key of a tenant and scope; new values are sealed under the highest
 * @param wrappingKeyId names the key that wraps it, never contains one, 1 to 255 characters
 * @param wrapped the data key, sealed by the wrapping key and bound to tenant, scope and id
 * @param createdAt whole microseconds; information only
 * @since 0.1
 */
public record WrappedDataKey(
    String tenantId,
    KeyScope scope,
    int number,
    UUID id,
    String wrappingKeyId,
    Bytes wrapped,
    Instant createdAt) {
  /**
   * @throws io.wovyr.persistence.PersistenceException.InvalidInput when the id of the wrapping key
   *     is not a name
   */
  public WrappedDataKey {
    Inputs.name("wrapping key id", wrappingKeyId);
    if (number < 1) {
      throw new IllegalArgumentException("data keys are numbered from 1, not " + number);
    }
    createdAt = Inputs.micros(createdAt);
  }
}
