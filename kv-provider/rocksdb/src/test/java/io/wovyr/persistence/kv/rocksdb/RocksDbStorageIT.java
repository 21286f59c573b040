/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.rocksdb;

import io.wovyr.conformance.StorageContract;
import io.wovyr.conformance.StorageUnderTest;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

/** The conformance kit over RocksDB. */
class RocksDbStorageIT extends StorageContract {
  @TempDir static Path directory;

  @Override
  protected StorageUnderTest storageUnderTest() {
    RocksDbDirectory store = RocksDbDirectory.in(directory);
    return new StorageUnderTest() {
      @Override
      public String provider() {
        return "rocksdb";
      }

      @Override
      public Storage open() {
        return store.open();
      }

      @Override
      public Optional<RowLock> lock(Scope scope, Key key) {
        return Optional.of(store.lock(scope, key)::close);
      }
    };
  }
}
