/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.rocksdb;

import static io.wovyr.persistence.kv.TestRows.deadline;

import io.wovyr.persistence.kv.TestRows;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Storage;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** A process that pours steps into a store, tells each that was committed, and is killed. */
final class KilledWriter implements AutoCloseable {
  static final UUID EXECUTION = new UUID(1, 1);

  private final Process process;
  private final BufferedReader answers;

  private KilledWriter(Process process) {
    this.process = process;
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** In the process itself. */
  public static void main(String[] arguments) {
    try (Storage storage = RocksDbDirectory.at(Path.of(arguments[0])).open()) {
      Row head =
          TestRows.stored(storage, TestRows.head(EXECUTION).key())
              .orElseGet(() -> inserted(storage));
      System.out.println("open");
      while (true) {
        CommitOutcome outcome = storage.commit(TestRows.step(head), deadline());
        if (!(outcome instanceof CommitOutcome.Committed)) {
          throw new IllegalStateException(outcome.toString());
        }
        head = TestRows.stepped(head);
        System.out.println(TestRows.lastSequence(head));
      }
    }
  }

  private static Row inserted(Storage storage) {
    Row head = TestRows.head(EXECUTION);
    storage.commit(TestRows.batch(new Mutation.Insert(head)), deadline());
    return head;
  }

  /** Starts one and waits until it has the store. */
  static KilledWriter start(Path store) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                KilledWriter.class.getName(),
                store.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    KilledWriter writer = new KilledWriter(process);
    if (!"open".equals(writer.answers.readLine())) {
      throw new IllegalStateException("the writer did not open the store: see its error output");
    }
    return writer;
  }

  long pid() {
    return process.pid();
  }

  /** Kills it by SIGKILL once it told of so many; the highest number it told of. */
  long killAfter(long steps) throws IOException, InterruptedException {
    long told = 0;
    while (told < steps) {
      told = Long.parseLong(answers.readLine());
    }
    // Not by Process, which would close the pipe before it is read to its end.
    process.toHandle().destroyForcibly();
    if (!process.waitFor(30, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the writer does not die");
    }
    List<String> rest = answers.lines().toList();
    // The last line may be cut.
    return rest.size() < 2 ? told : Long.parseLong(rest.get(rest.size() - 2));
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
