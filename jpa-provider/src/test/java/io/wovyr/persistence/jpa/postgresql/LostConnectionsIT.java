/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.conformance.fault.FaultyWire;
import io.wovyr.conformance.fault.WireFault;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
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
  private static final Key NOBODY = Key.of(RecordTypes.HEAD, new UUID(1, 1));

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

  /** The pool looks at its first connection, and goes by what it saw ever after. */
  @Test
  void aConnectionThatBreaksWhileItIsMadeSpoilsNoOther() {
    try (PostgresServer.Database database = PostgresServer.shared().newStore();
        FaultyWire wire = database.wire()) {
      long struck;
      int request = 0;
      do {
        struck = wire.struck();
        try (Storage storage = new PostgresqlStorageProvider().open(database.through(wire))) {
          List<WireFault> faults = new ArrayList<>(Collections.nCopies(request, WireFault.NONE));
          faults.add(WireFault.BEFORE_REPLY);
          wire.failNext(faults.toArray(WireFault[]::new));

          assertThat(storage.read(Scope.tenant("acme"), List.of(NOBODY), soon()))
              .as("request %d of the first connection of the pool got no answer", request)
              .containsExactly(Optional.empty());
        }
        request++;
      } while (wire.struck() > struck && request < 100);
      assertThat(request).as("requests that were broken, and one too many").isBetween(5, 99);
    }
  }

  private static ReadOptions soon() {
    return ReadOptions.strong(Deadline.after(Duration.ofSeconds(10)));
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
