/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.jpa.sqlite.SqliteStorageProvider;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/** A SQLite store in a file, as an application makes and opens it. */
final class SqliteFile {
  private SqliteFile() {}

  /** Makes the store, or leads it on to the present schema; its path as settings have it. */
  static String migrated(Path file) {
    String path = file.toString();
    Objects.requireNonNull(new SqliteStorageProvider().migrator())
        .migrate(Map.of("path", path), step -> {});
    return path;
  }

  static Persistence open(String path, Map<String, String> settings) {
    return WovyrPersistence.builder()
        .provider(new SqliteStorageProvider())
        .setting("wovyr.storage.path", path)
        .settings(settings)
        .build();
  }

  /** A store of orders in this directory, made and opened. */
  static Persistence orders(Path directory) {
    return open(migrated(directory.resolve("orders.db")), Map.of());
  }
}
