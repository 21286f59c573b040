/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.rocksdb;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The databases that are open in this process, each for as long as anybody has a handle. */
final class OpenDatabases {
  private static final Map<Path, Shared> OPEN = new HashMap<>();

  private OpenDatabases() {}

  private static final class Shared {
    private final OpenDatabase database;
    private int handles;

    Shared(OpenDatabase database) {
      this.database = database;
    }
  }

  /** Another handle. */
  static RocksDbEngine open(RocksDbSettings settings, boolean create) {
    synchronized (OPEN) {
      Shared shared = OPEN.get(settings.path());
      if (shared == null) {
        shared = new Shared(OpenDatabase.open(settings, create));
        OPEN.put(settings.path(), shared);
      }
      shared.handles++;
      return new RocksDbEngine(shared.database);
    }
  }

  /** A handle was closed. */
  static void closed(OpenDatabase database) {
    synchronized (OPEN) {
      Shared shared = OPEN.get(database.path());
      if (shared != null && shared.database == database && --shared.handles == 0) {
        OPEN.remove(database.path());
        database.close();
      }
    }
  }
}
