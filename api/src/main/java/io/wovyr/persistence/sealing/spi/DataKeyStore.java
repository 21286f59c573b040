/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.sealing.spi;

import java.util.List;

/**
 * Where wrapped data keys lie, beside the data they seal. Keys are added and never changed in place
 * here; nothing in the store opens a value without the key that wraps them, which lies elsewhere.
 * Implementations are thread-safe.
 *
 * @since 0.1
 */
public interface DataKeyStore {
  /**
   * All data keys of a tenant, of both scopes, ordered by scope and number: what {@link #create}
   * answered {@code true} for, in this process or any other, is in the list.
   *
   * @throws io.wovyr.persistence.PersistenceException.Unavailable when the store cannot be read
   */
  List<WrappedDataKey> list(String tenantId);

  /**
   * Adds a key, if none of the same tenant, scope and number is there: of any number of processes
   * that try at once exactly one wins. The key is durable when this returns {@code true}.
   *
   * @return false when such a key is there already; nothing was written
   * @throws io.wovyr.persistence.PersistenceException.Unavailable when nothing was written
   * @throws io.wovyr.persistence.PersistenceException.OutcomeUnknown when it may have been written:
   *     list, and look for the key's id
   */
  boolean create(WrappedDataKey key);

  /**
   * True if no tenant has a data key yet: only then may a missing keystore be made anew.
   *
   * @throws io.wovyr.persistence.PersistenceException.Unavailable when the store cannot be read
   */
  boolean isEmpty();
}
