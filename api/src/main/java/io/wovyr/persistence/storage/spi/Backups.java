/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Backups of a provider's stores, each whole in itself, made by the engine's own tool into a
 * directory that holds those of one store. Sealed values are in them as they are stored, sealed;
 * keystores are not. One process at a time works in a directory. Stateless and thread-safe.
 *
 * @since 0.1
 */
public interface Backups {
  /**
   * Makes a backup of everything that was committed before the call. What former backups in the
   * directory hold is not written again. When this returns it is on the disk; a process that is
   * killed before leaves former backups as they are.
   *
   * @param settings of the store, as for {@link StorageProvider#open}
   * @param directory made when there is none
   * @throws io.wovyr.persistence.PersistenceException.InvalidInput when the directory holds backups
   *     of another store, or anything else than backups
   * @throws io.wovyr.persistence.PersistenceException.Unavailable when the store cannot be opened,
   *     another process works in the directory, or it cannot be written: no backup was made
   */
  Backup create(Map<String, String> settings, Path directory);

  /**
   * The whole backups in a directory, the oldest first; damaged ones are left out and logged.
   *
   * @return empty where backups were made and none is whole any more
   * @throws io.wovyr.persistence.PersistenceException.InvalidInput when none was ever made there
   * @throws io.wovyr.persistence.PersistenceException.Corrupt when what is kept of one makes no
   *     sense
   */
  List<Backup> list(Path directory);

  /**
   * Restores a backup beside the others, reads all of it with its checksums, and removes the copy;
   * which needs the space.
   *
   * @throws io.wovyr.persistence.PersistenceException.InvalidInput when there is no such backup
   * @throws io.wovyr.persistence.PersistenceException.Corrupt when it cannot be restored
   */
  Backup verify(Path directory, long id);

  /**
   * Puts a backup in the place of a store, in a new epoch: above that of every backup that was made
   * in this directory, and of every store that was restored from it. The store is there when this
   * returns, and not at all before.
   *
   * @param settings of the store; where it will lie there must be nothing; directories above it are
   *     made
   * @return the store as it is now
   * @throws io.wovyr.persistence.PersistenceException.InvalidInput when there is no such backup, or
   *     something in the store's place, or where the copy is put together beside it: that is left
   *     as it is
   * @throws io.wovyr.persistence.PersistenceException.Corrupt when it cannot be restored
   * @throws io.wovyr.persistence.PersistenceException.Unavailable when another process works in the
   *     directory or restores to the same place, or the copy cannot be written: there is no store;
   *     it may be tried again
   */
  StoreIdentity restore(Path directory, long id, Map<String, String> settings);

  /**
   * Begins a new epoch of a store that was put in its place by other means, such as a copy of its
   * files. To be called before anything writes, and while nobody has it open.
   *
   * @return the store as it is now
   * @throws io.wovyr.persistence.PersistenceException.Unavailable when somebody has it open;
   *     nothing was changed
   */
  StoreIdentity beginEpoch(Map<String, String> settings);

  /**
   * A backup.
   *
   * @param id rises from backup to backup of a directory
   * @param at when it was made, whole seconds
   * @param bytes all of it, whether or not others share them
   * @param store which one it is of, and its epoch then
   */
  record Backup(long id, Instant at, long bytes, StoreIdentity store) {
    public Backup {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(store, "store");
    }
  }
}
