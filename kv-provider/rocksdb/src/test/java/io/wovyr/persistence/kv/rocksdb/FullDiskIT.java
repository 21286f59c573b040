/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.rocksdb;

import static io.wovyr.persistence.kv.TestRows.deadline;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.kv.TestRows;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Storage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that is full: this is said, nothing is half written, and the store comes back. */
class FullDiskIT {
  private static final int MOST = 2_000;

  @TempDir Path directory;
  private Path disk;

  @BeforeEach
  void mountASmallDisk() throws IOException {
    boolean possible =
        "root".equals(System.getProperty("user.name")) && Files.isExecutable(Path.of("/bin/mount"));
    if (!possible) {
      System.out.println("NOT RUN: full disk: no small disk can be mounted here, run as root");
    }
    assumeTrue(possible, "a small disk can be mounted (run as root)");
    disk = Files.createDirectory(directory.resolve("disk"));
    run("mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", disk.toString());
  }

  @AfterEach
  void unmount() throws IOException {
    if (disk != null) {
      run("umount", disk.toString());
    }
  }

  private static void run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.onExit().join().exitValue() != 0) {
      throw new IOException(String.join(" ", command) + ": " + said);
    }
  }

  /** A step with a large event, which nobody can make small. */
  private static Batch step(Row head, Random random) {
    byte[] noise = new byte[200_000];
    random.nextBytes(noise);
    List<Mutation> step = TestRows.step(head).mutations();
    Row event = ((Mutation.Insert) step.get(1)).after().with("changes", Bytes.wrap(noise));
    return TestRows.batch(step.get(0), new Mutation.Insert(event));
  }

  private static long whole(Storage storage, Row head) {
    long last = TestRows.lastSequence(TestRows.stored(storage, head.key()).orElseThrow());
    Key key = head.key();
    assertThat(TestRows.all(storage, RecordTypes.EVENT, key.values().get(0)))
        .as("head and events agree")
        .hasSize((int) last);
    return last;
  }

  @Test
  void aFullDiskIsToldAndTheStoreComesBackWithAllThatWasCommitted() throws Exception {
    Path ballast = Files.write(disk.resolve("ballast"), new byte[44 << 20]);
    RocksDbDirectory store = RocksDbDirectory.in(disk);
    Row head = TestRows.head(UUID.randomUUID());
    Batch unknown = null;
    long committed = 0;
    try (Storage storage = store.open()) {
      storage.commit(TestRows.batch(new Mutation.Insert(head)), deadline());
      Random random = new Random(5);
      Row now = head;
      for (int i = 0; i < MOST && unknown == null; i++) {
        Batch step = step(now, random);
        try {
          assertThat(storage.commit(step, deadline())).isInstanceOf(CommitOutcome.Committed.class);
          committed++;
          now = TestRows.stepped(now);
        } catch (OutcomeUnknown e) {
          unknown = step;
        }
      }
      assertThat(unknown).as("the disk gets full").isNotNull();
      Batch same = unknown;
      assertThatThrownBy(() -> storage.commit(same, deadline()))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("open it again");
      assertThat(storage.health().writable()).isFalse();
      assertThat(storage.health().problem().orElseThrow()).contains(store.path().toString());
      assertThat(whole(storage, head)).as("reading goes on").isEqualTo(committed);
    }
    Files.delete(ballast);
    try (Storage storage = store.open()) {
      long found = whole(storage, head);
      assertThat(found).isBetween(committed, committed + 1);
      CommitOutcome again = storage.commit(unknown, deadline());
      assertThat(again instanceof CommitOutcome.Committed)
          .as("the same again applies unless it has")
          .isEqualTo(found == committed);
      assertThat(whole(storage, head)).isEqualTo(committed + 1);
    }
  }
}
