/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.storage.spi.Health;
import io.wovyr.persistence.storage.spi.Storage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How far a streaming standby is behind, as health tells it. */
class ReplicationIT {
  @TempDir Path directory;
  private TestCluster primary;
  private TestCluster standby;
  private Storage storage;

  @BeforeEach
  void start() throws Exception {
    primary = TestCluster.start(directory.resolve("primary"), 0);
    primary.prepare();
    storage = new PostgresqlStorageProvider().open(primary.settings());
  }

  @AfterEach
  void stop() throws Exception {
    storage.close();
    if (standby != null) {
      standby.close();
    }
    primary.close();
  }

  private void startStandby() throws Exception {
    primary.copyTo(directory.resolve("standby"));
    String origin = "host=127.0.0.1 port=%d user=postgres".formatted(primary.port());
    standby =
        TestCluster.start(
            directory.resolve("standby"), 0, Map.of("primary_conninfo", "'" + origin + "'"));
  }

  private Optional<Duration> awaitLag(Predicate<Optional<Duration>> wanted) {
    long until = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (true) {
      Health health = storage.health();
      if (wanted.test(health.replicationLag())) {
        return health.replicationLag();
      }
      assertThat(System.nanoTime() - until).as("the lag is %s", health).isNegative();
    }
  }

  private void write() {
    Samples acme = Samples.of(storage, "acme");
    acme.inserted(acme.owned(UUID.randomUUID()));
  }

  @Test
  void aStandbyThatStopsToReplayFallsBehindUntilItGoesOn() throws Exception {
    primary.run("GRANT pg_read_all_stats TO wovyr_test_system");
    assertThat(storage.health().replicationLag()).as("there is no standby").isEmpty();
    startStandby();
    awaitLag(lag -> lag.equals(Optional.of(Duration.ZERO)));

    standby.run("SELECT pg_wal_replay_pause()");
    write();
    Duration first =
        awaitLag(lag -> lag.filter(one -> one.toNanos() > 0).isPresent()).orElseThrow();
    Duration more = first.plusMillis(300);
    awaitLag(lag -> lag.filter(one -> one.compareTo(more) > 0).isPresent());

    standby.run("SELECT pg_wal_replay_resume()");
    awaitLag(lag -> lag.equals(Optional.of(Duration.ZERO)));
  }

  @Test
  void aRoleThatMayNotReadStatisticsIsToldNothing() throws Exception {
    startStandby();
    long until = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (primary.count("SELECT count(*) FROM pg_stat_replication") == 0) {
      assertThat(System.nanoTime() - until).as("the standby does not connect").isNegative();
    }

    write();

    assertThat(storage.health().writable()).isTrue();
    assertThat(storage.health().replicationLag()).isEmpty();
  }
}
