/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.kv.KvStore;
import io.wovyr.persistence.kv.engine.Engine;
import io.wovyr.persistence.storage.spi.Backups;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.StoreIdentity;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What remains to be done after FoundationDB's own tools, which make and restore backups of whole
 * clusters: to begin an epoch.
 */
final class FoundationDbBackups implements Backups {
  private final Cluster cluster;

  FoundationDbBackups(Cluster cluster) {
    this.cluster = cluster;
  }

  private static InvalidInput ownTools() {
    return new InvalidInput(
        "stores in FoundationDB are backed up and restored by fdbbackup and fdbrestore: see"
            + " docs/stores/foundationdb.md");
  }

  @Override
  public Backup create(Map<String, String> settings, Path directory) {
    throw ownTools();
  }

  @Override
  public List<Backup> list(Path directory) {
    throw ownTools();
  }

  @Override
  public Backup verify(Path directory, long id) {
    throw ownTools();
  }

  @Override
  public StoreIdentity restore(Path directory, long id, Map<String, String> settings) {
    throw ownTools();
  }

  /** Whoever has it open goes on in the new epoch: each commit looks at it. */
  @Override
  public StoreIdentity beginEpoch(Map<String, String> settings) {
    FoundationDbSettings read = FoundationDbSettings.of(settings);
    Deadline deadline = Deadline.after(FoundationDbStorageProvider.OPENING);
    try (Subspace subspace = Subspace.of(cluster, read)) {
      subspace.requireStore(deadline);
      try (Engine engine = subspace.engine()) {
        return KvStore.raiseEpoch(engine, deadline).identity();
      }
    }
  }
}
