/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.rocksdb;

import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.internal.FileReasons;
import io.wovyr.persistence.storage.spi.Backups.Backup;
import io.wovyr.persistence.storage.spi.StoreIdentity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BackupEngine;
import org.rocksdb.BackupEngineOptions;
import org.rocksdb.BackupInfo;
import org.rocksdb.Env;
import org.rocksdb.RestoreOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A directory of backups that this process works in, and nobody else. For one thread. */
final class BackupDirectory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BackupDirectory.class);

  /** Beside the backups: the highest epoch that one of them is of, or was restored in. */
  private static final String EPOCH = "wovyr.epoch";

  private static final String LOCK_HOLDER = "backup directory";

  /** What we write with each backup: the version of this, and of which store and epoch it is. */
  private static final String METADATA_VERSION = "wovyr-1";

  private final Path path;
  private final StoreLock lock;
  private final BackupEngineOptions options;
  private final BackupEngine engine;
  private @Nullable RestoredCopy copy;

  private BackupDirectory(Path path, StoreLock lock) throws RocksDBException {
    this.path = path;
    this.lock = lock;
    options = new BackupEngineOptions(path.toString()).setShareTableFiles(true).setSync(true);
    try {
      engine = BackupEngine.open(Env.getDefault(), options);
    } catch (RocksDBException | RuntimeException e) {
      options.close();
      throw e;
    }
  }

  /** One that may be new. */
  static BackupDirectory openOrMake(Path directory) {
    try {
      Path path = Files.createDirectories(directory.toAbsolutePath().normalize());
      refuseOthers(path);
      return opened(path);
    } catch (IOException e) {
      throw new Unavailable(
          "the directory %s for backups cannot be made: %s"
              .formatted(directory, FileReasons.withPath(e)),
          e);
    }
  }

  /** The engine removes what no backup refers to: in somebody else's directory, their files. */
  private static void refuseOthers(Path path) throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      boolean empty = files.findAny().isEmpty();
      boolean store = Files.exists(path.resolve("CURRENT"));
      if (store || (!empty && !Files.exists(path.resolve(StoreLock.FILE)))) {
        throw new InvalidInput(
            "%s is %s and no directory of backups: name an empty one, or one that is not there"
                .formatted(path, store ? "a store" : "not empty"));
      }
    }
  }

  /** One that is there. Nothing is made in a directory that is not marked as one by its lock. */
  static BackupDirectory open(Path directory) {
    Path path = directory.toAbsolutePath().normalize();
    if (!Files.isDirectory(path.resolve("meta"))) {
      throw new InvalidInput("there are no backups in " + path);
    }
    if (!Files.exists(path.resolve(StoreLock.FILE))) {
      throw new InvalidInput(
          "there are no backups in %s, or its file %s is missing: if it is a copy of a directory of backups, make that file, empty"
              .formatted(path, StoreLock.FILE));
    }
    return opened(path);
  }

  private static BackupDirectory opened(Path path) {
    RocksDB.loadLibrary();
    StoreLock lock = StoreLock.take(path, LOCK_HOLDER);
    try {
      return new BackupDirectory(path, lock);
    } catch (RocksDBException e) {
      lock.close();
      throw failed("the backups in " + path + " cannot be looked into", e);
    } catch (RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private static RuntimeException failed(String what, RocksDBException e) {
    boolean corrupt = e.getStatus() != null && e.getStatus().getCode() == Status.Code.Corruption;
    return corrupt
        ? new Corrupt(what + ": it is damaged", e)
        : new Unavailable(what + ": check the disks and the permissions, then try again", e);
  }

  /** The oldest first. */
  List<Backup> list() {
    for (int damaged : engine.getCorruptedBackups()) {
      LOG.warn("WOVYR-0401 backup {} in {} is damaged: it cannot be restored", damaged, path);
    }
    List<Backup> backups = new ArrayList<>();
    for (BackupInfo info : engine.getBackupInfo()) {
      backups.add(
          new Backup(
              info.backupId(),
              Instant.ofEpochSecond(info.timestamp()),
              info.size(),
              identity(info)));
    }
    backups.sort(Comparator.comparingLong(Backup::id));
    return backups;
  }

  private StoreIdentity identity(BackupInfo info) {
    String[] parts = info.appMetadata().split(" ", -1);
    if (parts.length < 4 || !parts[0].equals(METADATA_VERSION)) {
      throw new UnsupportedVersion(
          "backup %d in %s is none of this program, or of a newer version"
              .formatted(info.backupId(), path));
    }
    try {
      return new StoreIdentity(
          UUID.fromString(parts[1]), Long.parseLong(parts[2]), Integer.parseInt(parts[3]));
    } catch (IllegalArgumentException e) {
      throw new Corrupt(
          "what backup %d in %s says of its store makes no sense".formatted(info.backupId(), path),
          e);
    }
  }

  Backup find(long id) {
    if (Arrays.stream(engine.getCorruptedBackups()).anyMatch(damaged -> damaged == id)) {
      throw new Corrupt("backup " + id + " in " + path + " is damaged", null);
    }
    return list().stream()
        .filter(backup -> backup.id() == id)
        .findFirst()
        .orElseThrow(() -> new InvalidInput("there is no backup " + id + " in " + path));
  }

  /** Makes another backup, of the store that all others here are of. */
  Backup create(OpenDatabase database, StoreIdentity store) {
    for (Backup other : list()) {
      if (!other.store().storeId().equals(store.storeId())) {
        throw new InvalidInput(
            "%s holds backups of the store %s, this one is %s: name another directory"
                .formatted(path, other.store().storeId(), store.storeId()));
      }
    }
    String metadata =
        "%s %s %d %d"
            .formatted(METADATA_VERSION, store.storeId(), store.epoch(), store.schemaVersion());
    String problem = database.problem();
    if (problem != null) {
      throw new Unavailable("no backup was made: " + problem, null);
    }
    noteEpoch(store.epoch());
    database.enter();
    try {
      // What a former process was killed over.
      engine.garbageCollect();
      engine.createNewBackupWithMetadata(database.rocks(), metadata, true);
    } catch (RocksDBException e) {
      throw failed("no backup of " + database.path() + " was made in " + path, e);
    } finally {
      database.leave();
    }
    List<Backup> all = list();
    return all.get(all.size() - 1);
  }

  /**
   * Puts a backup in a directory of its own beside a place, its checksums compared.
   *
   * @return that directory: to be moved away, or removed when this is closed
   */
  Path restore(long id, Path place) {
    RestoredCopy fresh = RestoredCopy.beside(place);
    copy = fresh;
    String into = fresh.store().toString();
    try (RestoreOptions restoring = new RestoreOptions(false)) {
      engine.restoreDbFromBackup((int) id, into, into, restoring);
    } catch (RocksDBException e) {
      throw failed("backup %d in %s cannot be restored to %s".formatted(id, path, into), e);
    }
    return fresh.store();
  }

  /** A place in it, beside which a copy is looked at and removed. */
  Path scratch() {
    return path.resolve("wovyr-verifying");
  }

  /** The highest epoch that any backup here is or was of, or was restored in; 0: none is known. */
  long lastEpoch() {
    long listed = list().stream().mapToLong(backup -> backup.store().epoch()).max().orElse(0);
    return Math.max(listed, notedEpoch());
  }

  private long notedEpoch() {
    Path file = path.resolve(EPOCH);
    try {
      return Files.exists(file)
          ? Long.parseLong(Files.readString(file, StandardCharsets.US_ASCII).strip())
          : 0;
    } catch (IOException | NumberFormatException e) {
      throw new Unavailable(
          file
              + " cannot be read: it holds the highest epoch that a backup is of or was restored in",
          e);
    }
  }

  /**
   * Notes, on the disk, an epoch that is in use or about to begin, unless a higher one is noted.
   */
  void noteEpoch(long epoch) {
    if (epoch <= notedEpoch()) {
      return;
    }
    Path fresh = path.resolve(EPOCH + ".new");
    try {
      Files.writeString(fresh, epoch + "\n", StandardCharsets.US_ASCII);
      Directories.replace(fresh, path.resolve(EPOCH));
    } catch (IOException e) {
      throw new Unavailable(
          "the epoch %d cannot be noted in %s: %s; nothing else was done"
              .formatted(epoch, path, FileReasons.withPath(e)),
          e);
    }
  }

  /** Its threads may go on with a restore that failed until then. */
  @Override
  public void close() {
    engine.close();
    options.close();
    try {
      if (copy != null) {
        copy.close();
      }
    } finally {
      lock.close();
    }
  }
}
