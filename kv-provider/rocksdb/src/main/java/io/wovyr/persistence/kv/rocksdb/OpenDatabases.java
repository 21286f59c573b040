/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.rocksdb;

import io.wovyr.persistence.PersistenceException.Unavailable;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The databases that are open in this process, each for as long as anybody has a handle. */
final class OpenDatabases {
  private static final Map<Path, Shared> OPEN = new HashMap<>();

  private OpenDatabases() {}

  private static final class Shared {
    private final OpenDatabase database;
    private final boolean alone;
    private int handles;

    Shared(OpenDatabase database, boolean alone) {
      this.database = database;
      this.alone = alone;
    }
  }

  /** Another handle. */
  static RocksDbEngine open(RocksDbSettings settings, boolean create) {
    synchronized (OPEN) {
      Shared shared = OPEN.get(settings.path());
      if (shared == null) {
        shared = new Shared(OpenDatabase.open(settings, create), false);
        OPEN.put(settings.path(), shared);
      }
      if (shared.alone) {
        throw new Unavailable(
            "the RocksDB store " + settings.path() + " is being restored: try again later", null);
      }
      shared.handles++;
      return new RocksDbEngine(shared.database);
    }
  }

  /**
   * The only handle, for what nobody may notice half way; until it is closed there is no other.
   *
   * @throws Unavailable when anybody has the store open
   */
  static RocksDbEngine openAlone(RocksDbSettings settings) {
    synchronized (OPEN) {
      if (OPEN.containsKey(settings.path())) {
        throw new Unavailable(
            "the RocksDB store "
                + settings.path()
                + " is open in this process: close all its handles first; nothing was changed",
            null);
      }
      Shared shared = new Shared(OpenDatabase.open(settings, false), true);
      OPEN.put(settings.path(), shared);
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
