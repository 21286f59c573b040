/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import io.wovyr.persistence.kv.KvStore;
import io.wovyr.persistence.kv.engine.Engine;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Migrator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Makes stores. Two that migrate the same one at the same time do no harm: each step is one
 * transaction that looks first.
 */
final class FoundationDbMigrator implements Migrator {
  private static final String FIRST_STEP = "1-store";

  private final Cluster cluster;

  FoundationDbMigrator(Cluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public Status status(Map<String, String> settings) {
    Deadline deadline = Deadline.after(FoundationDbStorageProvider.OPENING);
    try (Subspace subspace = Subspace.of(cluster, FoundationDbSettings.of(settings))) {
      if (!subspace.isOurs(deadline)) {
        return absent();
      }
      try (Engine engine = subspace.engine()) {
        return status(engine, deadline);
      }
    }
  }

  private static Status absent() {
    return new Status(false, 0, KvStore.SCHEMA_VERSION, List.of(FIRST_STEP));
  }

  private static Status status(Engine engine, Deadline deadline) {
    Optional<KvStore> found = KvStore.find(engine, deadline);
    found.ifPresent(store -> store.refuseNewer(engine.description()));
    return found
        .map(
            store ->
                new Status(
                    true, store.identity().schemaVersion(), KvStore.SCHEMA_VERSION, List.of()))
        .orElseGet(FoundationDbMigrator::absent);
  }

  @Override
  public Status migrate(Map<String, String> settings, Consumer<String> progress) {
    Deadline deadline = Deadline.after(FoundationDbStorageProvider.OPENING);
    try (Subspace subspace = Subspace.of(cluster, FoundationDbSettings.of(settings))) {
      subspace.take(deadline);
      try (Engine engine = subspace.engine()) {
        Status before = status(engine, deadline);
        if (before.pending().isEmpty()) {
          return before;
        }
        KvStore.create(engine, deadline);
        progress.accept("applied " + FIRST_STEP);
        return status(engine, deadline);
      }
    }
  }
}
