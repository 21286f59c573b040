/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import com.apple.foundationdb.Transaction;
import java.util.concurrent.Executor;

/** A FAKE of a connection to a cluster: see {@link FakeFdbCluster}. Thread-safe. */
final class FakeFdbDatabase extends UnusedOfDatabase {
  private final FakeFdbCluster cluster;
  private volatile boolean closed;

  FakeFdbDatabase(FakeFdbCluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public Transaction createTransaction() {
    if (closed) {
      throw new IllegalStateException("Cannot access closed object");
    }
    return new FakeTransaction(cluster);
  }

  @Override
  public Transaction createTransaction(Executor executor) {
    return createTransaction();
  }

  @Override
  public void close() {
    closed = true;
  }
}
