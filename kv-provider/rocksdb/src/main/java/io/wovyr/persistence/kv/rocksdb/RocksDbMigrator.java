/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.rocksdb;

import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.internal.FileReasons;
import io.wovyr.persistence.kv.KvStore;
import io.wovyr.persistence.kv.engine.Engine;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Migrator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Makes stores. Whoever migrates has the store to himself, as everybody who opens it. */
final class RocksDbMigrator implements Migrator {
  private static final String FIRST_STEP = "1-store";

  @Override
  public Status status(Map<String, String> settings) {
    RocksDbSettings read = RocksDbSettings.of(settings);
    if (!RocksDbStorageProvider.exists(read.path())) {
      return new Status(false, 0, KvStore.SCHEMA_VERSION, List.of(FIRST_STEP));
    }
    try (Engine engine = OpenDatabases.open(read, false)) {
      return status(engine);
    }
  }

  private static Status status(Engine engine) {
    Optional<KvStore> found = KvStore.find(engine, Deadline.after(RocksDbStorageProvider.OPENING));
    found.ifPresent(store -> store.refuseNewer(engine.description()));
    int version = found.map(store -> store.identity().schemaVersion()).orElse(0);
    return new Status(
        found.isPresent(),
        version,
        KvStore.SCHEMA_VERSION,
        found.isPresent() ? List.of() : List.of(FIRST_STEP));
  }

  @Override
  public Status migrate(Map<String, String> settings, Consumer<String> progress) {
    RocksDbSettings read = RocksDbSettings.of(settings);
    try {
      Path above = read.path().getParent();
      if (above != null && !Files.exists(above)) {
        Files.createDirectories(above);
        progress.accept("made the directory " + above);
      }
      Files.createDirectories(read.path());
    } catch (IOException e) {
      throw new Unavailable(
          "the directory %s of the RocksDB store cannot be made: %s: check that this user may write above it, or name another place"
              .formatted(read.path(), FileReasons.withPath(e)),
          e);
    }
    try (Engine engine = OpenDatabases.open(read, true)) {
      Status before = status(engine);
      if (before.pending().isEmpty()) {
        return before;
      }
      KvStore.create(engine, Deadline.after(RocksDbStorageProvider.OPENING));
      progress.accept("applied " + FIRST_STEP);
      return status(engine);
    }
  }
}
