/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Storage;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A pool whose connections are all dead, and none of them knows. */
class LostConnectionsIT {
  private static final int POOLED = 4;

  /** They were used too lately to be looked at before they are lent. */
  @Test
  void theFirstThatIsFoundLostTellsOfAllTheOthers() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(POOLED);
    try (PostgresServer.Database database = PostgresServer.shared().newStore();
        Storage storage = new PostgresqlStorageProvider().open(database.settings())) {
      Samples acme = Samples.of(storage, "acme");
      Row row = acme.inserted(acme.owned(UUID.randomUUID()));
      for (int round = 0; round < 5; round++) {
        fillThePool((PostgresqlStorage) storage, threads);
        database.run(
            "SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity"
                + " WHERE datname = current_database() AND pid <> pg_backend_pid()");

        assertThat(acme.stored(row.key())).isEqualTo(row);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void fillThePool(PostgresqlStorage storage, ExecutorService threads)
      throws Exception {
    CyclicBarrier all = new CyclicBarrier(POOLED);
    List<Future<Integer>> lent = new ArrayList<>();
    for (int i = 0; i < POOLED; i++) {
      lent.add(
          threads.submit(
              () -> storage.inspect(StoreCheck.Role.RUNTIME, connection -> arrive(all))));
    }
    for (Future<Integer> one : lent) {
      one.get(20, TimeUnit.SECONDS);
    }
  }

  private static int arrive(CyclicBarrier all) {
    try {
      return all.await(20, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException("the pool has too few connections", e);
    }
  }
}
