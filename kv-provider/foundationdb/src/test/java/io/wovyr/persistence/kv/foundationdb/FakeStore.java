/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import io.wovyr.persistence.storage.spi.Storage;
import java.util.Map;

/** A migrated store in a fake cluster. */
record FakeStore(FakeFdbCluster cluster, Map<String, String> settings) {
  static FakeStore migrated() {
    FakeStore store = new FakeStore(new FakeFdbCluster(), Map.of("subspace", "test"));
    store.provider().migrator().migrate(store.settings(), step -> {});
    return store;
  }

  FoundationDbStorageProvider provider() {
    return new FoundationDbStorageProvider(connection());
  }

  Cluster connection() {
    return settings -> cluster.connect();
  }

  Storage open() {
    return provider().open(settings);
  }

  /** Another handle of the engine beneath, whose clock is the cluster's. */
  FoundationDbEngine engine() {
    FoundationDbSettings read = FoundationDbSettings.of(settings);
    return new FoundationDbEngine(
        cluster.connect(), new Keys(read.subspace()), read.description(), cluster::nanoTime);
  }
}
