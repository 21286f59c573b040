/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.feed.FeedPage;
import io.wovyr.persistence.kv.rocksdb.RocksDbStorageProvider;
import io.wovyr.persistence.lease.AcquireResult;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.storage.spi.Backups;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A RocksDB store restored from a backup goes on above everything that it lost. */
final class RocksDbRestoreIT {
  private static final Duration TTL = Duration.ofSeconds(30);

  private final RocksDbStorageProvider provider = new RocksDbStorageProvider();
  private final Backups backups = Objects.requireNonNull(provider.backups());
  private final UUID id = UUID.randomUUID();

  @TempDir private Path directory;

  @BeforeEach
  void makeStore() {
    Objects.requireNonNull(provider.migrator()).migrate(at("store"), step -> {});
  }

  private Map<String, String> at(String name) {
    return Map.of("path", directory.resolve(name).toString());
  }

  private Persistence open(String name) {
    return WovyrPersistence.builder()
        .provider(provider)
        .setting("wovyr.storage.path", directory.resolve(name).toString())
        .setting("wovyr.sealing.provider", "none")
        .build();
  }

  private static Repositories orders(Persistence persistence) {
    return persistence.as(Caller.of("acme", "orders", Role.READER, Role.WRITER));
  }

  private Lease acquire(Repositories orders, String worker) {
    return ((AcquireResult.Acquired) orders.leases().acquire(id, worker, TTL)).lease();
  }

  private CommitResult step(Repositories orders, Lease lease, String event) {
    return orders.events().append(id, Append.next(lease), NewEvent.of(event));
  }

  @Test
  void tokensAndPlacesInTheFeedNeverFallAndLostWorkersWriteNothing() {
    Path made = directory.resolve("backups");
    Lease lost = null;
    Optional<FeedCursor> seen;
    try (Persistence persistence = open("store")) {
      Repositories orders = orders(persistence);
      orders
          .executions()
          .create(NewExecution.of(DefinitionRef.of("order", 1)).withId(id))
          .orThrow();
      Lease first = acquire(orders, "worker-1");
      step(orders, first, "Charged").orThrow();
      assertThat(orders.leases().release(first, Wake.now())).isTrue();
      backups.create(at("store"), made);
      for (int round = 0; round < 5; round++) {
        lost = acquire(orders, "worker-" + round);
        step(orders, lost, "Lost").orThrow();
        if (round < 4) {
          orders.leases().release(lost, Wake.now());
        }
      }
      FeedPage page = orders.feed().read(Optional.empty(), 100);
      assertThat(page.entries()).hasSize(7);
      seen = page.next();
    }

    backups.restore(made, 1, at("restored"));

    try (Persistence persistence = open("restored")) {
      Repositories orders = orders(persistence);
      assertThat(orders.executions().head(id).orElseThrow().lastSequence()).isEqualTo(2);
      Lease next = acquire(orders, "worker-9");
      assertThat(next.token()).isGreaterThan(Objects.requireNonNull(lost).token());
      assertThat(isWritten(orders, lost)).as("a worker of the lost time").isFalse();
      step(orders, next, "Shipped").orThrow();

      FeedPage page = orders.feed().read(seen, 100);
      assertThat(page.entries())
          .extracting(entry -> entry.event().type())
          .containsExactly("Shipped");
      assertThat(orders.feed().read(page.next(), 100).entries()).isEmpty();
    }
  }

  private boolean isWritten(Repositories orders, Lease lost) {
    try {
      return step(orders, lost, "Late") instanceof CommitResult.Committed;
    } catch (PersistenceException e) {
      return false;
    }
  }
}
