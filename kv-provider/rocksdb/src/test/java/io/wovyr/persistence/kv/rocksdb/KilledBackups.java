/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.rocksdb;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.kv.TestRows;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Storage;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A process that pours steps into a store and makes one backup after the other meanwhile. */
final class KilledBackups implements AutoCloseable {
  static final UUID EXECUTION = new UUID(2, 2);

  private final Path backups;
  private final Process process;
  private final BufferedReader answers;

  private KilledBackups(Path backups, Process process) {
    this.backups = backups;
    this.process = process;
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** In the process itself: the store, and where backups go. */
  public static void main(String[] arguments) throws InterruptedException {
    RocksDbDirectory store = RocksDbDirectory.at(Path.of(arguments[0]));
    try (Storage storage = store.open()) {
      Steps steps = new Steps(storage);
      Thread writer = new Thread(steps, "writer");
      writer.setDaemon(true);
      writer.start();
      steps.begun.await();
      while (true) {
        long before = steps.committed;
        System.out.println("begins");
        long id = new RocksDbBackups().create(store.settings(), Path.of(arguments[1])).id();
        System.out.println("made " + id + " " + before);
      }
    }
  }

  /** Steps of some kilobytes, one after the other. */
  private static final class Steps implements Runnable {
    private final Storage storage;
    private final Random random = new Random(5);
    private final CountDownLatch begun = new CountDownLatch(1);
    private volatile long committed;

    Steps(Storage storage) {
      this.storage = storage;
    }

    @Override
    public void run() {
      Row head =
          TestRows.stored(storage, TestRows.head(EXECUTION).key())
              .orElseGet(
                  () -> {
                    Row fresh = TestRows.head(EXECUTION);
                    storage.commit(TestRows.batch(new Mutation.Insert(fresh)), TestRows.deadline());
                    return fresh;
                  });
      while (true) {
        byte[] filling = new byte[20_000];
        random.nextBytes(filling);
        Row after = TestRows.stepped(head);
        Batch step =
            TestRows.batch(
                new Mutation.Update(head, after),
                new Mutation.Insert(
                    TestRows.event(EXECUTION, TestRows.lastSequence(after))
                        .with("changes", Bytes.wrap(filling))));
        storage.commit(step, TestRows.deadline());
        head = after;
        committed = TestRows.lastSequence(head);
        begun.countDown();
      }
    }
  }

  static KilledBackups start(Path store, Path backups) throws IOException {
    return new KilledBackups(
        backups,
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                KilledBackups.class.getName(),
                store.toString(),
                backups.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  /**
   * Kills it by SIGKILL in the middle of a backup, after so many were made.
   *
   * @return of the last backup that was made: its id, and how many steps there were before it
   */
  long[] killInABackup(int made) throws IOException, InterruptedException {
    long[] last = {};
    int seen = 0;
    while (true) {
      String line = answers.readLine();
      if (line == null) {
        throw new IllegalStateException("the process ended: see its error output");
      }
      if (line.startsWith("made ")) {
        String[] parts = line.split(" ");
        last = new long[] {Long.parseLong(parts[1]), Long.parseLong(parts[2])};
        seen++;
      } else if (seen >= made) {
        awaitFilesOf(last[0] + 1);
        process.toHandle().destroyForcibly();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
          throw new IllegalStateException("the process does not die");
        }
        return last;
      }
    }
  }

  /** Until the first of the files lie there that belong to this backup alone. */
  private void awaitFilesOf(long id) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (Files.notExists(backups.resolve("private").resolve(String.valueOf(id)))) {
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException("backup " + id + " does not begin");
      }
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
