/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence;

import java.util.Optional;

/**
 * Plain storage of one mutable record type. Append-only types have no such interface, and
 * executions move by transitions only. Thread-safe. Every write is a commit of its own; use {@link
 * UnitOfWork} to write several records at one instant.
 *
 * @param <T> the record
 * @param <I> its key
 * @since 0.1
 */
public interface Repository<T, I> {
  /** Stores a new record; a conflict when its key or a unique key is taken. */
  CommitResult insert(T entity);

  /** Replaces {@code before} by {@code after}; a conflict when somebody else changed it since. */
  CommitResult update(T before, T after);

  /** Removes a record; a conflict when somebody else changed it since. */
  CommitResult delete(T before);

  /** The record of this key in the caller's tenant. Strong. */
  Optional<T> find(I id);
}
