/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import static io.wovyr.persistence.jpa.sqlite.TestRows.SCOPE;
import static io.wovyr.persistence.jpa.sqlite.TestRows.TENANT;
import static io.wovyr.persistence.jpa.sqlite.TestRows.batch;
import static io.wovyr.persistence.jpa.sqlite.TestRows.deadline;
import static io.wovyr.persistence.jpa.sqlite.TestRows.head;
import static io.wovyr.persistence.jpa.sqlite.TestRows.insert;
import static io.wovyr.persistence.jpa.sqlite.TestRows.strong;
import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several processes on one file, and processes that are killed. */
class ProcessesIT {
  private static final int THREADS = 8;
  private static final int EACH = 200;

  @TempDir Path directory;
  private SqliteStore store;

  @BeforeEach
  void migrate() {
    store = SqliteStore.in(directory);
  }

  /** Raises one counter, reading first and guarded by the version, until it did so often enough. */
  private static long[] increment(Storage storage, Key counter) {
    long[] nanos = new long[EACH];
    for (int i = 0; i < EACH; i++) {
      long began = System.nanoTime();
      CommitOutcome outcome;
      do {
        Row row = storage.read(SCOPE, List.of(counter), strong()).get(0).orElseThrow();
        outcome =
            storage.commit(batch(new Mutation.Update(row, TestRows.stepped(row))), deadline());
      } while (outcome instanceof CommitOutcome.Conflict);
      nanos[i] = System.nanoTime() - began;
    }
    return nanos;
  }

  private static long[] race(Storage storage, Key counter) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<long[]>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        running.add(threads.submit(() -> increment(storage, counter)));
      }
      List<long[]> all = new ArrayList<>();
      for (Future<long[]> one : running) {
        all.add(one.get());
      }
      return all.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    } finally {
      threads.shutdownNow();
    }
  }

  /** The second process of the race. */
  public static final class Racing {
    public static void main(String[] arguments) throws Exception {
      Key counter = Key.of(RecordTypes.HEAD, UUID.fromString(arguments[1]));
      try (Storage storage = SqliteStore.at(Path.of(arguments[0])).open()) {
        System.out.println("ready");
        System.in.read();
        long[] nanos = race(storage, counter);
        System.out.println("p99 " + nanos[nanos.length * 99 / 100]);
      }
    }
  }

  @Test
  @DisplayName("C108: 8 threads x 200 transactions and a second process: 3,200 increments, no busy")
  void noIncrementIsLostAndNobodySeesTheDatabaseBusy() throws Exception {
    Row counter = head(TENANT, UUID.randomUUID());
    try (Storage storage = store.open();
        OtherProcess other =
            OtherProcess.start(Racing.class, store.path(), counter.key().values().get(0))) {
      storage.commit(batch(insert(counter)), deadline());
      other.lineThatBegins("ready");
      other.tell("go");
      long[] ours = race(storage, counter.key());
      long theirs = Long.parseLong(other.lineThatBegins("p99 ").substring(4));

      assertThat(other.exit()).isZero();
      Row end = storage.read(SCOPE, List.of(counter.key()), strong()).get(0).orElseThrow();
      assertThat(end.get("lastSequence")).isEqualTo(2L * THREADS * EACH);
      assertThat(end.version()).isEqualTo(1 + 2L * THREADS * EACH);
      System.out.printf(
          "C108: p99 of an increment, retries included: %.1f ms here, %.1f ms there%n",
          ours[ours.length * 99 / 100] / 1e6, theirs / 1e6);
    }
  }

  @Test
  @DisplayName("C108: every connection has a busy timeout, WAL, FULL and foreign keys")
  void everyConnectionHasItsPragmas() throws Exception {
    SqliteSettings settings = SqliteSettings.of(store.settings());
    for (SqliteConnection connection :
        List.of(
            SqliteConnection.writer(settings, SqliteConnection.Source.DRIVER),
            SqliteConnection.reader(settings, SqliteConnection.Source.DRIVER))) {
      try (connection;
          Statement statement = connection.jdbc().createStatement()) {
        for (Map.Entry<String, String> pragma :
            Map.of(
                    "busy_timeout", "5000",
                    "journal_mode", "wal",
                    "synchronous", "2",
                    "foreign_keys", "1",
                    "recursive_triggers", "1")
                .entrySet()) {
          try (ResultSet row = statement.executeQuery("PRAGMA " + pragma.getKey())) {
            assertThat(row.getString(1)).as(pragma.getKey()).isEqualTo(pragma.getValue());
          }
        }
      }
    }
  }

  /** Steps four executions on four threads for ever, telling each step that was acknowledged. */
  public static final class Stepping {
    public static void main(String[] arguments) throws Exception {
      Storage storage = SqliteStore.at(Path.of(arguments[0])).open();
      for (int i = 1; i < arguments.length; i++) {
        UUID execution = UUID.fromString(arguments[i]);
        new Thread(() -> step(storage, execution)).start();
      }
    }

    private static void step(Storage storage, UUID execution) {
      Key key = Key.of(RecordTypes.HEAD, execution);
      Row head = storage.read(SCOPE, List.of(key), strong()).get(0).orElseThrow();
      while (true) {
        // Two events at once, so that half a batch could be seen.
        UUID id = (UUID) head.key().values().get(0);
        long sequence = (Long) head.get("lastSequence");
        Row after = TestRows.next(head).with("lastSequence", sequence + 2);
        CommitOutcome outcome =
            storage.commit(
                batch(
                    new Mutation.Update(head, after),
                    insert(TestRows.event(TENANT, id, sequence + 1)),
                    insert(TestRows.event(TENANT, id, sequence + 2))),
                deadline());
        if (!(outcome instanceof CommitOutcome.Committed)) {
          throw new IllegalStateException("nobody else writes: " + outcome);
        }
        head = after;
        synchronized (System.out) {
          System.out.println(execution + " " + (sequence + 2));
        }
      }
    }
  }

  @Test
  void whatWasAcknowledgedSurvivesAKillAndNoBatchIsHalfThere() throws Exception {
    List<UUID> executions =
        List.of(UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID());
    try (Storage storage = store.open()) {
      for (UUID execution : executions) {
        storage.commit(batch(insert(head(TENANT, execution))), deadline());
      }
    }
    List<Object> arguments = new ArrayList<>(List.of(store.path()));
    arguments.addAll(executions);
    for (int round = 0; round < 10; round++) {
      Map<UUID, Long> acknowledged = new java.util.HashMap<>();
      try (OtherProcess stepping = OtherProcess.start(Stepping.class, arguments.toArray())) {
        note(acknowledged, stepping.lineThatBegins(""));
        LockSupport.parkNanos(Duration.ofMillis(40L + 17L * round).toNanos());
        stepping.kill();
        stepping.rest().forEach(line -> note(acknowledged, line));
      }
      assertThat(acknowledged).isNotEmpty();
      assertWhole(executions, acknowledged);
    }
  }

  private static void note(Map<UUID, Long> acknowledged, String line) {
    String[] parts = line.split(" ");
    // The last line may be cut.
    if (parts.length == 2 && parts[0].length() == 36) {
      acknowledged.merge(UUID.fromString(parts[0]), Long.parseLong(parts[1]), Math::max);
    }
  }

  private void assertWhole(List<UUID> executions, Map<UUID, Long> acknowledged) throws Exception {
    try (Storage storage = store.open()) {
      for (UUID execution : executions) {
        Row head =
            storage
                .read(SCOPE, List.of(Key.of(RecordTypes.HEAD, execution)), strong())
                .get(0)
                .orElseThrow();
        long last = (Long) head.get("lastSequence");
        assertThat(last).isGreaterThanOrEqualTo(acknowledged.getOrDefault(execution, 0L));
        assertThat(last % 2).as("both events of a batch, or none").isZero();
        List<Row> events =
            storage
                .scan(SCOPE, Scan.byKey(RecordTypes.EVENT, List.of(execution), 1_000_000), strong())
                .items();
        assertThat(events).hasSize((int) last);
      }
    }
    try (Connection connection = store.foreign();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("PRAGMA integrity_check")) {
      assertThat(row.getString(1)).isEqualTo("ok");
    }
  }

  /** Head and events only. */
  public static final class Lean {
    public static void main(String[] arguments) {
      UUID execution = UUID.randomUUID();
      SqliteStore store = SqliteStore.at(Path.of(arguments[0]));
      try (Storage storage = store.with("hibernate-start", "on-demand").open()) {
        Row head = head(TENANT, execution);
        storage.commit(batch(insert(head)), deadline());
        storage.commit(TestRows.step(head), deadline());
        storage.read(SCOPE, List.of(head.key()), strong());
        storage.scan(SCOPE, Scan.byKey(RecordTypes.EVENT, List.of(execution), 10), strong());
        storage.scanSystem(
            new Scope.System("test"), Scan.byPath(RecordTypes.HEAD, "due", List.of(), 9), strong());
        storage.feed(SCOPE, Optional.empty(), 10, deadline());
        storage.read(SCOPE, List.of(Key.of(RecordTypes.EXECUTION, execution)), strong());
        System.out.println("lean work is done");
        storage.commit(
            batch(insert(TestRows.full(RecordTypes.EXECUTION, TENANT, execution))), deadline());
        System.out.println("other work is done");
      }
    }
  }

  @Test
  void onlyWritesOfWhatHasAHistoryTouchHibernate() throws Exception {
    try (OtherProcess process =
        OtherProcess.start(List.of("-Xlog:class+load:stdout"), Lean.class, store.path())) {
      List<String> lines = process.rest();
      List<String> lean = lines.subList(0, lines.indexOf("lean work is done"));
      List<String> other = lines.subList(lean.size(), lines.indexOf("other work is done"));
      assertThat(lean).anyMatch(line -> line.contains("LeanRecords"));
      assertThat(other)
          .anyMatch(line -> line.contains("org.hibernate.internal.SessionFactoryImpl"));
      assertThat(lean.stream().filter(line -> line.contains(" org.hibernate.")))
          .as("classes of Hibernate, loaded and linked")
          .hasSizeLessThan(10)
          .noneMatch(line -> line.contains("SessionFactoryImpl"));
    }
  }

  @Test
  @DisplayName("C118: VACUUM INTO beside a writer gives whole copies that open")
  void aCopyTakenBesideAWriterIsWhole() throws Exception {
    UUID execution = UUID.randomUUID();
    try (Storage storage = store.open()) {
      storage.commit(batch(insert(head(TENANT, execution))), deadline());
    }
    try (OtherProcess stepping = OtherProcess.start(Stepping.class, store.path(), execution)) {
      for (int i = 0; i < 10; i++) {
        long acknowledged = Long.parseLong(stepping.lineThatBegins("").split(" ")[1]);
        Path copy = directory.resolve("copy" + i + ".db");
        store.run("VACUUM INTO '" + copy + "'");
        try (Storage storage = SqliteStore.at(copy).open()) {
          Row head =
              storage
                  .read(SCOPE, List.of(Key.of(RecordTypes.HEAD, execution)), strong())
                  .get(0)
                  .orElseThrow();
          long last = (Long) head.get("lastSequence");
          assertThat(last).isGreaterThanOrEqualTo(acknowledged);
          assertThat(
                  storage
                      .scan(
                          SCOPE,
                          Scan.byKey(RecordTypes.EVENT, List.of(execution), 99_999),
                          strong())
                      .items())
              .hasSize((int) last);
        }
      }
      stepping.kill();
    }
  }
}
