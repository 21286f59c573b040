/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption.key;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.sealing.spi.SealingProvider.KeyScope;
import java.util.UUID;

/**
 * Wraps and unwraps data keys by a key that never lies beside the data: in a keystore file, a key
 * service, a hardware module. Called once for each data key and process, never for each value.
 * Implementations are thread-safe.
 *
 * @since 0.1
 */
public interface KeyProvider {
  /** Name used in settings and listings, lower case. */
  String name();

  /** Where the wrapping keys are, for a person; never a secret. */
  String location();

  /**
   * Called before a first data key is wrapped.
   *
   * @param storeIsNew no data key was ever made in this store: only then a provider may make a
   *     wrapping key. In any other store a missing one is lost or mislaid, and a new one would hide
   *     that
   * @throws io.wovyr.persistence.PersistenceException.Unavailable when there is no wrapping key, or
   *     it cannot be had now
   */
  void prepare(boolean storeIsNew);

  /**
   * Wraps a data key, bound to its place: unwrapping it for any other fails.
   *
   * @throws io.wovyr.persistence.PersistenceException.Unavailable when the wrapping key cannot be
   *     had now
   */
  Wrapped wrap(Bytes dataKey, Place place);

  /**
   * Gives back what {@link #wrap} was given.
   *
   * @throws io.wovyr.persistence.PersistenceException.UnknownKey when the wrapping key is not here
   * @throws io.wovyr.persistence.PersistenceException.Corrupt when the bytes were changed or moved
   * @throws io.wovyr.persistence.PersistenceException.UnsupportedVersion when they are of a newer
   *     format
   * @throws io.wovyr.persistence.PersistenceException.Unavailable when the wrapping key cannot be
   *     had now
   */
  Bytes unwrap(Wrapped wrapped, Place place);

  /**
   * A wrapped data key.
   *
   * @param wrappingKeyId names the key that wraps it, never contains one
   */
  record Wrapped(String wrappingKeyId, Bytes bytes) {}

  /** Where a data key belongs: the associated data of its wrapping. */
  record Place(String tenantId, KeyScope scope, UUID dataKeyId) {}
}
