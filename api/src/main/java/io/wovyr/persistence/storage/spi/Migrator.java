/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Brings the schema of a store up to date. Only one process migrates a store at a time; the lock
 * dies with its process, so a killed migration is simply run again.
 *
 * @since 0.1
 */
public interface Migrator {
  /** Where a store stands. Changes nothing, creates nothing. */
  Status status(Map<String, String> settings);

  /**
   * Applies what is pending, creating the store when there is none. Idempotent; after a kill run it
   * again.
   *
   * @param progress told {@code applied} and the step's name, separated by a blank, once for each
   *     step that this call applied; and other lines, for people
   * @throws io.wovyr.persistence.PersistenceException.Unavailable when another process is migrating
   *     it now
   * @throws io.wovyr.persistence.PersistenceException.UnsupportedVersion for a store from a newer
   *     version: it is left as it is
   */
  Status migrate(Map<String, String> settings, Consumer<String> progress);

  /**
   * See {@link #status}.
   *
   * @param exists false when there is no store yet
   * @param schemaVersion of the store, 0 when there is none
   * @param latestVersion this provider knows
   * @param pending names of the steps to come, in order
   */
  record Status(boolean exists, int schemaVersion, int latestVersion, List<String> pending) {
    public Status {
      pending = List.copyOf(pending);
    }
  }
}
