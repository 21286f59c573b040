/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.sealing.spi;

import io.wovyr.persistence.Bytes;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Seals bytes so that only the same provider opens them again, in the same place. Core compresses
 * and salts before it seals, and seals each value once: every retry of a commit sends the same
 * bytes. Implementations are thread-safe.
 *
 * @since 0.1
 */
public interface SealingProvider {
  /** Name used in settings and listings, lower case. */
  String name();

  /**
   * This provider with its data keys in {@code keys}. A provider that keeps its data keys beside
   * the data (an envelope provider) answers one bound to that store; any other answers itself. Core
   * asks once for each store it opens and seals with the answer.
   */
  default SealingProvider over(DataKeyStore keys) {
    return this;
  }

  /**
   * Seals {@code plain}, bound to {@code binding}: opening under any other binding fails.
   *
   * @throws io.wovyr.persistence.PersistenceException.UnknownKey when the data key to use is
   *     wrapped by a key that is not here
   * @throws io.wovyr.persistence.PersistenceException.Unavailable when the key cannot be had now
   */
  Sealed seal(Bytes plain, Binding binding);

  /**
   * Opens what {@link #seal} made.
   *
   * @throws io.wovyr.persistence.PersistenceException.Corrupt when the bytes were changed or moved
   * @throws io.wovyr.persistence.PersistenceException.UnsupportedVersion when the codec is not one
   *     of this provider's
   * @throws io.wovyr.persistence.PersistenceException.UnknownKey when the key is not here, now or
   *     any more
   * @throws io.wovyr.persistence.PersistenceException.Unavailable when the key cannot be had now
   */
  Bytes open(Sealed sealed, Binding binding);

  /**
   * Sealed bytes and what is needed to open them.
   *
   * @param codec 1 to 255, registered in {@code docs/format/payload.md}
   * @param keyId names a data key, never contains one
   */
  record Sealed(int codec, Optional<String> keyId, Bytes bytes) {}

  /**
   * Where a sealed value belongs: its associated data (NIST SP 800-38D). A value in state or in a
   * checkpoint keeps the binding of the event it was first written in.
   *
   * @param recordType name of the record type
   * @param recordKey values of the key of the record the value was first written in, as text, in
   *     order: UUIDs in lower case, numbers in decimal; empty for what is no record, a column of
   *     somebody's own entity
   * @param attributePath attribute, and position inside it, such as {@code changes[2]}
   * @param originId id of the record the value was first written in
   */
  record Binding(
      String tenantId,
      String recordType,
      List<String> recordKey,
      String attributePath,
      UUID originId,
      KeyScope scope) {
    public Binding {
      recordKey = List.copyOf(recordKey);
    }

    /** A place that is no record: without a key. */
    public Binding(
        String tenantId, String recordType, String attributePath, UUID originId, KeyScope scope) {
      this(tenantId, recordType, List.of(), attributePath, originId, scope);
    }
  }

  /** Which family of data keys seals a value. */
  enum KeyScope {
    /** Ordinary sensitive values. */
    DATA,
    /** Secrets, under keys of their own, opened only for a role that may read secrets. */
    SECRET
  }
}
