/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.secret;

import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.internal.StoredValues;
import io.wovyr.persistence.payload.StoredPayload;
import java.time.Instant;
import java.util.Optional;

/**
 * One version of a secret. Its value is sealed under keys of its own and opens only for a role that
 * may.
 *
 * @param secretVersion from 1
 * @param value empty once it is revoked
 * @since 0.1
 */
public record SecretRecord(
    RecordHeader header,
    String name,
    int secretVersion,
    Optional<StoredPayload> value,
    Optional<Instant> revokedAt) {
  /**
   * How state, events and listings name it.
   *
   * @throws io.wovyr.persistence.PersistenceException.UnsupportedVersion when this version does not
   *     allow such a name or version
   */
  public SecretRef ref() {
    return StoredValues.typed("secret " + name, () -> new SecretRef(name, secretVersion));
  }
}
