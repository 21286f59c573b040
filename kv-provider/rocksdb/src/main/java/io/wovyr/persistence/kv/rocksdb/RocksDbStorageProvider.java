/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.rocksdb;

import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.kv.KvStore;
import io.wovyr.persistence.settings.spi.Setting;
import io.wovyr.persistence.storage.spi.Backups;
import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Migrator;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StorageProvider;
import jakarta.enterprise.context.Dependent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Storage in RocksDB, in a directory of its own: embedded, no SQL, for one process. Any number of
 * handles of a store may be open in it. Every commit is on the disk when it returns. Thread-safe,
 * no state.
 *
 * <p>Settings (under {@code wovyr.storage}): {@code path}, required, the directory, on a local
 * disk; {@code cache-mebibytes}.
 *
 * @since 0.1
 */
@Dependent
public final class RocksDbStorageProvider implements StorageProvider {
  static final Duration OPENING = Duration.ofSeconds(30);

  /** For CDI, {@link java.util.ServiceLoader} and whoever names it in code. */
  public RocksDbStorageProvider() {}

  @Override
  public String name() {
    return "rocksdb";
  }

  @Override
  public Set<Capability> capabilities() {
    return RocksDbEngine.CAPABILITIES;
  }

  @Override
  public Storage open(Map<String, String> settings) {
    RocksDbSettings read = RocksDbSettings.of(settings);
    if (!exists(read.path())) {
      throw absent(read.path());
    }
    return KvStore.open(OpenDatabases.open(read, false), Deadline.after(OPENING));
  }

  /** Whether there is a database in this directory. */
  static boolean exists(Path path) {
    return Files.exists(path.resolve("CURRENT"));
  }

  static Unavailable absent(Path path) {
    return Unavailable.lasting(
        "there is no RocksDB store in "
            + path
            + ": make one with 'wovyr migrate up --provider rocksdb --store "
            + path
            + "'",
        null);
  }

  @Override
  public Migrator migrator() {
    return new RocksDbMigrator();
  }

  @Override
  public Backups backups() {
    return new RocksDbBackups();
  }

  @Override
  public List<Setting> settings() {
    return RocksDbDeclaredSettings.all();
  }
}
