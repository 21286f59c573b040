/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.jpa.sqlite.SqliteStorageProvider;
import io.wovyr.persistence.storage.spi.Storage;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/** The one place that knows which store this is: everything else uses the api. */
final class Stores {
  private Stores() {}

  /** Makes a store, or brings it up to date. */
  static void migrate(Path file) {
    Objects.requireNonNull(new SqliteStorageProvider().migrator())
        .migrate(settings(file), step -> {});
  }

  /** Opens a store that was migrated. */
  static Storage open(Path file) {
    return new SqliteStorageProvider().open(settings(file));
  }

  /** The library over an open store, which is closed with it. */
  static Persistence persistence(Storage storage) {
    return WovyrPersistence.builder().storage(storage).settings(Map.of()).build();
  }

  private static Map<String, String> settings(Path file) {
    return Map.of("path", file.toString());
  }
}
