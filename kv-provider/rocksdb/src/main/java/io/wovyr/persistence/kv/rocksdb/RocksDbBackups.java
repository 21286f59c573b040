/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.rocksdb;

import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.internal.FileReasons;
import io.wovyr.persistence.kv.KvStore;
import io.wovyr.persistence.storage.spi.Backups;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.StoreIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.rocksdb.RocksDBException;

/** Backups by RocksDB's own engine: tables that former backups hold are shared with them. */
final class RocksDbBackups implements Backups {
  private static Deadline opening() {
    return Deadline.after(RocksDbStorageProvider.OPENING);
  }

  @Override
  public Backup create(Map<String, String> settings, Path directory) {
    RocksDbSettings read = RocksDbSettings.of(settings);
    if (directory.toAbsolutePath().normalize().startsWith(read.path())) {
      throw new InvalidInput(
          directory + " lies in the store itself: name a directory for backups elsewhere");
    }
    if (!RocksDbStorageProvider.exists(read.path())) {
      throw RocksDbStorageProvider.absent(read.path());
    }
    try (RocksDbEngine engine = OpenDatabases.open(read, false)) {
      StoreIdentity store =
          KvStore.find(engine, opening())
              .orElseThrow(() -> RocksDbStorageProvider.absent(read.path()))
              .identity();
      try (BackupDirectory backups = BackupDirectory.openOrMake(directory)) {
        return backups.create(engine.database(), store);
      }
    }
  }

  @Override
  public List<Backup> list(Path directory) {
    try (BackupDirectory backups = BackupDirectory.open(directory)) {
      return backups.list();
    }
  }

  @Override
  public Backup verify(Path directory, long id) {
    try (BackupDirectory backups = BackupDirectory.open(directory)) {
      Backup backup = backups.find(id);
      readAll(backup, backups.restore(id, backups.scratch()));
      return backup;
    }
  }

  private static void readAll(Backup backup, Path copy) {
    try (RocksDbEngine engine = OpenDatabases.openAlone(settings(copy))) {
      engine.database().rocks().verifyChecksum();
      check(backup, engine);
    } catch (RocksDBException e) {
      throw new RocksDbErrors(copy).beforeWrite(e);
    }
  }

  /** Refuses a copy that is not what its backup says, or of a newer version. */
  private static void check(Backup backup, RocksDbEngine engine) {
    KvStore found =
        KvStore.find(engine, opening())
            .orElseThrow(() -> new Corrupt("backup " + backup.id() + " holds no store", null));
    found.refuseNewer("backup " + backup.id());
    if (!backup.store().equals(found.identity())) {
      throw new Corrupt("backup " + backup.id() + " does not hold the store it says", null);
    }
  }

  @Override
  public StoreIdentity restore(Path directory, long id, Map<String, String> settings) {
    RocksDbSettings read = RocksDbSettings.of(settings);
    Path place = read.path();
    try (BackupDirectory backups = BackupDirectory.open(directory)) {
      if (Directories.isTaken(place)) {
        throw new InvalidInput(
            place + " holds something: move it away first, a restore never writes over a store");
      }
      Backup backup = backups.find(id);
      Path copy = backups.restore(id, place);
      StoreIdentity restored = raised(backups, backup, copy);
      Directories.replace(copy, place);
      return restored;
    } catch (IOException e) {
      throw new Unavailable(
          "the backup cannot be put in " + place + ": " + FileReasons.withPath(e), e);
    }
  }

  /** Begins an epoch that no other copy from these backups has, before anybody sees the store. */
  private static StoreIdentity raised(BackupDirectory backups, Backup backup, Path copy) {
    try (RocksDbEngine engine = OpenDatabases.openAlone(settings(copy))) {
      check(backup, engine);
      long above = Math.max(backup.store().epoch(), backups.lastEpoch());
      backups.noteEpoch(above + 1);
      return KvStore.raiseEpoch(engine, above, opening()).identity();
    }
  }

  private static RocksDbSettings settings(Path path) {
    return RocksDbSettings.of(Map.of(RocksDbSettings.PATH, path.toString()));
  }

  @Override
  public StoreIdentity beginEpoch(Map<String, String> settings) {
    RocksDbSettings read = RocksDbSettings.of(settings);
    if (!RocksDbStorageProvider.exists(read.path())) {
      throw RocksDbStorageProvider.absent(read.path());
    }
    try (RocksDbEngine engine = OpenDatabases.openAlone(read)) {
      return KvStore.raiseEpoch(engine, opening()).identity();
    }
  }
}
