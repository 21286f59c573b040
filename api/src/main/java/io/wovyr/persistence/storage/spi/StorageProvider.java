/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import io.wovyr.persistence.settings.spi.Setting;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Opens stores of one technology. Found as a CDI bean or handed to the builder; stateless and
 * thread-safe.
 *
 * @since 0.1
 */
public interface StorageProvider {
  /** Name used in settings and listings: lower case, such as {@code sqlite}. */
  String name();

  /** What every store of this provider can do; known without opening one. */
  Set<Capability> capabilities();

  /**
   * Opens a store. The schema must be there and of a version this provider knows; it is never
   * changed here.
   *
   * @param settings the {@code wovyr.storage.*} settings, prefix removed, secrets resolved
   * @throws io.wovyr.persistence.PersistenceException.InvalidInput for a missing or bad setting
   * @throws io.wovyr.persistence.PersistenceException.UnsupportedVersion for a store from a newer
   *     version
   * @throws io.wovyr.persistence.PersistenceException.Unavailable when it cannot be reached, or has
   *     not been migrated: the message says what to run
   */
  Storage open(Map<String, String> settings);

  /** How this provider's stores are migrated; null when there is nothing to migrate. */
  default @org.jspecify.annotations.Nullable Migrator migrator() {
    return null;
  }

  /** How this provider's stores are backed up; null when that is left to other tools. */
  default @org.jspecify.annotations.Nullable Backups backups() {
    return null;
  }

  /**
   * The {@code wovyr.storage.*} settings it reads, names complete: for the reference page. It warns
   * by itself about those of a store that it does not know.
   */
  default List<Setting> settings() {
    return List.of();
  }
}
