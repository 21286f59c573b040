/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.secret;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.payload.Payload;
import java.util.Optional;

/**
 * Secrets of one tenant. Thread-safe. Storing, opening and revoking need {@code USE_SECRETS},
 * listing {@code LIST_SECRETS}. Every opening is audited.
 *
 * @since 0.1
 */
public interface Secrets {
  /**
   * Stores a new version of a secret; the next one, whoever else stores at the same time.
   *
   * @param name 1 to {@link SecretRef#MAX_NAME} characters
   * @throws PersistenceException.InvalidInput when the highest version, 2,147,483,647, is taken
   */
  CommitResult put(String name, Payload value);

  /**
   * The newest version that is not revoked, without its value.
   *
   * @throws PersistenceException.UnsupportedVersion when a newer version of this library wrote one
   *     that is newer, and may be it
   * @throws PersistenceException.Corrupt when a newer one is damaged
   */
  Optional<SecretRef> latest(String name);

  /** All versions by name, without their values. */
  Page<SecretRef> list(int limit, Optional<String> after);

  /**
   * The value.
   *
   * @throws PersistenceException.AccessDenied for a caller that may not; it is audited too
   * @throws PersistenceException.InvalidInput when there is no such secret, or it was revoked
   */
  Payload open(SecretRef secret);

  /** Deletes the value and keeps that there was one. */
  CommitResult revoke(SecretRef secret);
}
