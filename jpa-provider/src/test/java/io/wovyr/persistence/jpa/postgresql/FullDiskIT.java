/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.StorageFailure;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.jpa.SmallDisk;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Storage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server's disk is full: this is said, nothing is half written, and freed space is used. */
class FullDiskIT {
  private static final int MOST = 2_000;

  @TempDir Path directory;

  @BeforeEach
  void needsADiskOfItsOwn() {
    boolean possible = SmallDisk.isPossible();
    if (!possible) {
      System.out.println("NOT RUN: full disk: no small disk can be mounted here, run as root");
    }
    assumeTrue(possible, "a small disk can be mounted (run as root)");
  }

  /** A step with a large event, which the server cannot make small. */
  private static Batch step(Samples samples, Row head, Random random) {
    byte[] noise = new byte[200_000];
    random.nextBytes(noise);
    Mutation[] step = samples.step(head, 1);
    Row event = ((Mutation.Insert) step[1]).after().with("changes", Bytes.wrap(noise));
    return samples.batch(step[0], new Mutation.Insert(event));
  }

  /** What the store says when a step fails; how many steps there were is in the head. */
  private static StorageFailure fillUp(Storage storage, Samples samples, Key head) {
    Random random = new Random(5);
    for (int i = 0; i < MOST; i++) {
      Batch step = step(samples, samples.stored(head), random);
      try {
        assertThat(storage.commit(step, Deadline.after(Duration.ofSeconds(10))))
            .isInstanceOf(CommitOutcome.Committed.class);
      } catch (StorageFailure e) {
        return e;
      }
    }
    throw new AssertionError("the disk does not get full");
  }

  private static List<Row> events(Storage storage, Samples samples, Key head) {
    Scan events = Scan.byKey(RecordTypes.EVENT, head.values(), MOST);
    return storage.scan(samples.scope(), events, Samples.strong()).items();
  }

  private static void isWhole(Storage storage, Samples samples, Key head) {
    List<Row> events = events(storage, samples, head);
    assertThat((Long) samples.stored(head).get("lastSequence"))
        .as("head and events agree")
        .isEqualTo(events.size())
        .isPositive();
  }

  @Test
  void aFullDiskOfTheDataIsToldAndFreedSpaceIsUsed() throws Exception {
    try (SmallDisk disk = SmallDisk.of(directory.resolve("disk"), 40);
        TestCluster cluster = TestCluster.start(directory.resolve("data"), 0)) {
      cluster.prepare();
      Path tables = Files.createDirectory(disk.path().resolve("tables"));
      cluster.run("CREATE TABLESPACE small LOCATION '" + tables + "'");
      cluster.run("ALTER DATABASE wovyr SET TABLESPACE small");
      Path ballast = disk.ballast(2);
      try (Storage storage = new PostgresqlStorageProvider().open(cluster.settings())) {
        Samples acme = Samples.of(storage, "acme");
        Key head = acme.inserted(acme.owned(UUID.randomUUID())).key();

        assertThat(fillUp(storage, acme, head))
            .isInstanceOf(Unavailable.class)
            .hasMessageContaining("full disk")
            .hasMessageContaining("nothing was written");

        isWhole(storage, acme, head);
        Files.delete(ballast);
        acme.committed(acme.step(acme.stored(head), 1));
        isWhole(storage, acme, head);
      }
    }
  }

  @Test
  void aServerThatDiesOfAFullDiskKeepsWhatItAcknowledged() throws Exception {
    try (SmallDisk disk = SmallDisk.of(directory.resolve("disk"), 120)) {
      Path data = disk.path().resolve("data");
      TestCluster cluster = TestCluster.start(data, 0);
      try {
        cluster.prepare();
        Path ballast = disk.ballast(4);
        try (Storage storage = new PostgresqlStorageProvider().open(cluster.settings())) {
          Samples acme = Samples.of(storage, "acme");
          Key head = acme.inserted(acme.owned(UUID.randomUUID())).key();
          StorageFailure failure = fillUp(storage, acme, head);
          assertThat(failure).isInstanceOfAny(Unavailable.class, OutcomeUnknown.class);
          Files.delete(ballast);
          cluster = cluster.restarted();
          assertComesBack(storage, acme, head);
        }
      } finally {
        cluster.close();
      }
    }
  }

  private static void assertComesBack(Storage storage, Samples acme, Key head) {
    long until = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!storage.health().writable()) {
      assertThat(System.nanoTime() - until).as("the store comes back").isNegative();
    }
    isWhole(storage, acme, head);
    acme.committed(acme.step(acme.stored(head), 1));
    isWhole(storage, acme, head);
  }
}
