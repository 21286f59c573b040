/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package com.example.logfile;

import io.wovyr.conformance.StorageContract;
import io.wovyr.conformance.StorageUnderTest;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

/** The conformance kit over the log file. */
class LogFileContractTest extends StorageContract {
  @TempDir static Path directory;

  @Override
  protected StorageUnderTest storageUnderTest() {
    LogFileProvider provider = new LogFileProvider();
    Map<String, String> settings = Map.of("path", directory.resolve("store").toString());
    provider.migrator().migrate(settings, step -> {});
    return new StorageUnderTest() {
      @Override
      public String provider() {
        return provider.name();
      }

      @Override
      public Storage open() {
        return provider.open(settings);
      }

      @Override
      public Optional<RowLock> lock(Scope scope, Key key) {
        LogFile file = LogFile.open(LogFileProvider.path(settings), false);
        file.writers.lock();
        return Optional.of(
            () -> {
              file.writers.unlock();
              file.release();
            });
      }
    };
  }
}
