/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence;

/**
 * Something a unit of work is to do, made by a repository: {@link UnitOfWork#with(Change)} puts it
 * into the batch beside events and other changes, so that all of it is written at one instant or
 * not at all. Made from records as they were read; when one of them changed meanwhile the commit
 * answers a conflict. Used once.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface Change {
  /** Adds it to a unit of work. */
  void stage(UnitOfWork unit);
}
