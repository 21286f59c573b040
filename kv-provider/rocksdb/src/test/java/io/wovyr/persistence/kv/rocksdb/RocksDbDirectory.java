/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.rocksdb;

import io.wovyr.persistence.kv.KvStore;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A migrated RocksDB store of a test. */
record RocksDbDirectory(Path path, Map<String, String> settings) {
  static RocksDbDirectory in(Path directory) {
    RocksDbDirectory store = at(directory.resolve("store"));
    new RocksDbStorageProvider().migrator().migrate(store.settings(), step -> {});
    return store;
  }

  static RocksDbDirectory at(Path path) {
    return new RocksDbDirectory(path, Map.of("path", path.toString()));
  }

  Storage open() {
    return new RocksDbStorageProvider().open(settings);
  }

  /** Another handle of the engine beneath. */
  RocksDbEngine engine() {
    return OpenDatabases.open(RocksDbSettings.of(settings), false);
  }

  /** Makes writers of a row wait. */
  KeyLocks.Held lock(Scope scope, Key key) {
    RocksDbEngine engine = engine();
    KvStore store = KvStore.find(engine, Deadline.after(Duration.ofSeconds(10))).orElseThrow();
    KeyLocks.Held held = engine.lock(store.place(scope, key));
    return () -> {
      held.close();
      engine.close();
    };
  }
}
