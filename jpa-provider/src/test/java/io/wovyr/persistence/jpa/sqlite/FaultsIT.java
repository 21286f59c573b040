/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import static io.wovyr.persistence.jpa.sqlite.TestRows.SCOPE;
import static io.wovyr.persistence.jpa.sqlite.TestRows.TENANT;
import static io.wovyr.persistence.jpa.sqlite.TestRows.batch;
import static io.wovyr.persistence.jpa.sqlite.TestRows.deadline;
import static io.wovyr.persistence.jpa.sqlite.TestRows.event;
import static io.wovyr.persistence.jpa.sqlite.TestRows.head;
import static io.wovyr.persistence.jpa.sqlite.TestRows.insert;
import static io.wovyr.persistence.jpa.sqlite.TestRows.step;
import static io.wovyr.persistence.jpa.sqlite.TestRows.strong;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.StorageFailure;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.jpa.SmallDisk;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Storage;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Disks that are full or read-only, files that are damaged, neighbours that hold the lock. */
class FaultsIT {
  @TempDir Path directory;

  private static List<Row> events(Storage storage, UUID execution) {
    return storage
        .scan(SCOPE, Scan.byKey(RecordTypes.EVENT, List.of(execution), 100_000), strong())
        .items();
  }

  private static Row large(UUID execution, long sequence) {
    return event(TENANT, execution, sequence)
        .with("payload", TestRows.payload("x".repeat(100_000)));
  }

  @Test
  void aFullDiskIsToldNothingHalfIsWrittenAndFreedSpaceIsUsed() throws Exception {
    if (SmallDisk.isPossible()) {
      Path mounted = directory.resolve("disk");
      try (SmallDisk disk = SmallDisk.of(mounted, 3)) {
        Path ballast = disk.path().resolve("ballast");
        Files.write(ballast, new byte[1 << 20]);
        SqliteStore store = SqliteStore.in(disk.path());
        try (Storage storage = store.open()) {
          fillUp(storage, () -> Files.delete(ballast));
        }
      }
    } else {
      SqliteStore store = SqliteStore.in(directory);
      AtomicReference<SqliteConnection.Source> source = new AtomicReference<>();
      AtomicReference<Connection> writer = new AtomicReference<>();
      source.set(
          (path, config) -> {
            Connection connection = SqliteConnection.Source.DRIVER.open(path, config);
            limit(connection, 200);
            writer.compareAndSet(null, connection);
            return connection;
          });
      try (Storage storage =
          new SqliteStorageProvider()
              .open(store.settings(), (path, config) -> source.get().open(path, config))) {
        fillUp(
            storage,
            () -> {
              source.set(SqliteConnection.Source.DRIVER);
              limit(writer.get(), 1_000_000);
            });
      }
    }
  }

  private static void limit(Connection connection, int pages) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA max_page_count = " + pages);
    }
  }

  private interface Freeing {
    void run() throws Exception;
  }

  private static void fillUp(Storage storage, Freeing freeing) throws Exception {
    UUID execution = UUID.randomUUID();
    Row head = head(TENANT, execution);
    storage.commit(batch(insert(head)), deadline());
    StorageFailure failure = null;
    long sequence = 0;
    while (failure == null && sequence < 1_000) {
      try {
        storage.commit(
            batch(
                new Mutation.Update(head, TestRows.stepped(head)),
                insert(large(execution, sequence + 1))),
            deadline());
        head = TestRows.stepped(head);
        sequence++;
      } catch (StorageFailure e) {
        failure = e;
      }
    }
    assertThat(failure)
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("disk is full")
        .hasMessageContaining("free space");
    assertThat(storage.health().writable()).isFalse();
    assertThat(storage.health().problem().orElseThrow()).contains("disk is full");
    assertThat(events(storage, execution)).as("reading goes on").hasSize((int) sequence);
    assertThat(storage.read(SCOPE, List.of(head.key()), strong()).get(0)).contains(head);

    freeing.run();

    assertThat(
            storage.commit(
                batch(
                    new Mutation.Update(head, TestRows.stepped(head)),
                    insert(large(execution, sequence + 1))),
                deadline()))
        .isInstanceOf(CommitOutcome.Committed.class);
    assertThat(storage.health().writable()).isTrue();
    assertThat(events(storage, execution)).hasSize((int) sequence + 1);
  }

  @Test
  void aReadOnlyStoreIsToldAndLeftAlone() throws Exception {
    if (SmallDisk.isPossible()) {
      try (SmallDisk disk = SmallDisk.of(directory.resolve("disk"), 8)) {
        SqliteStore store = SqliteStore.in(disk.path());
        try (Storage storage = store.open()) {
          storage.commit(batch(insert(head(TENANT, UUID.randomUUID()))), deadline());
        }
        byte[] before = Files.readAllBytes(store.path());
        disk.readOnly();
        refusesWriting(store);
        assertThat(Files.readAllBytes(store.path())).isEqualTo(before);
      }
    } else {
      SqliteStore store = SqliteStore.in(directory);
      assertThat(store.path().toFile().setWritable(false)).isTrue();
      assertThat(directory.toFile().setWritable(false)).isTrue();
      try {
        refusesWriting(store);
      } finally {
        assertThat(directory.toFile().setWritable(true)).isTrue();
      }
    }
  }

  private static void refusesWriting(SqliteStore store) {
    StorageFailure failure =
        catchThrowableOfType(
            StorageFailure.class,
            () -> {
              try (Storage storage = store.open()) {
                storage.commit(batch(insert(head(TENANT, UUID.randomUUID()))), deadline());
              }
            });
    assertThat(failure)
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining(store.path().toString())
        .hasMessageMatching("(?s).*(read-only|cannot be opened).*check.*");
  }

  @Test
  void aDamagedFileIsToldAndNeverTakenForGood() throws Exception {
    SqliteStore store = SqliteStore.in(directory);
    UUID execution = UUID.randomUUID();
    try (Storage storage = store.open()) {
      for (long sequence = 1; sequence <= 40; sequence++) {
        storage.commit(batch(insert(large(execution, sequence))), deadline());
      }
    }
    try (FileChannel file = FileChannel.open(store.path(), StandardOpenOption.WRITE)) {
      long size = file.size();
      for (long at = 40_960; at < size; at += 4_096) {
        file.write(java.nio.ByteBuffer.wrap(new byte[64]), at);
      }
    }
    assertThatThrownBy(
            () -> {
              try (Storage storage = store.open()) {
                events(storage, execution);
              }
            })
        .isInstanceOf(Corrupt.class);
  }

  @Test
  void aNeighbourThatHoldsTheLockIsWaitedForUntilTheDeadline() throws Exception {
    SqliteStore store = SqliteStore.in(directory);
    Row row = head(TENANT, UUID.randomUUID());
    Set<String> heard = ConcurrentHashMap.newKeySet();
    try (Storage storage =
            new SqliteStorageProvider().open(store.settings(), new Wiretap(heard::add));
        Connection neighbour = store.foreign();
        Statement statement = neighbour.createStatement()) {
      // What a commit has to prepare once is prepared now: the deadline is short.
      storage.commit(batch(insert(head(TENANT, UUID.randomUUID()))), deadline());
      statement.execute("BEGIN IMMEDIATE");
      heard.clear();
      long began = System.nanoTime();
      assertThatThrownBy(
              () -> storage.commit(batch(insert(row)), Deadline.after(Duration.ofSeconds(1))))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("locked by another process");
      Duration waited = Duration.ofNanos(System.nanoTime() - began);
      assertThat(heard)
          .as("C108: the lock is asked for first, never in the middle")
          .isNotEmpty()
          .allMatch(sql -> sql.equals("BEGIN IMMEDIATE"));
      assertThat(waited).isBetween(Duration.ofMillis(900), Duration.ofMillis(4_500));
      assertThat(storage.read(SCOPE, List.of(row.key()), strong()).get(0))
          .as("reading is not held up")
          .isEmpty();
      statement.execute("ROLLBACK");
      assertThat(storage.commit(batch(insert(row)), deadline()))
          .isInstanceOf(CommitOutcome.Committed.class);
    }
  }

  @Test
  void aDeadlineEndsAStatementThatRuns() throws Exception {
    SqliteStore store = SqliteStore.in(directory);
    UUID execution = UUID.randomUUID();
    try (Storage storage = store.open()) {
      Mutation[] inserts = new Mutation[5_000];
      for (int round = 0; round < 4; round++) {
        for (int i = 0; i < inserts.length; i++) {
          inserts[i] = insert(event(TENANT, execution, round * inserts.length + i + 1));
        }
        storage.commit(batch(inserts), deadline());
      }
      assertThatThrownBy(
              () ->
                  storage.scan(
                      SCOPE,
                      Scan.byKey(RecordTypes.EVENT, List.of(execution), 100_000),
                      ReadOptions.strong(Deadline.after(Duration.ofMillis(4)))))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("deadline");
      assertThat(events(storage, execution)).isNotEmpty();
      assertThatThrownBy(() -> storage.commit(batch(inserts), Deadline.after(Duration.ZERO)))
          .isInstanceOf(Unavailable.class);
    }
  }

  /** Where a fault strikes. */
  enum Moment {
    BEFORE_COMMIT,
    AT_COMMIT,
    AFTER_COMMIT
  }

  private static final class Fault implements Wiretap.Tap {
    private final Moment moment;
    private boolean armed;

    Fault(Moment moment) {
      this.moment = moment;
    }

    private void strike() throws SQLException {
      armed = false;
      throw new SQLiteException("disk I/O error", SQLiteErrorCode.SQLITE_IOERR_FSYNC);
    }

    @Override
    public void running(String sql) throws SQLException {
      boolean commit = sql.equals("COMMIT");
      if (armed
          && (moment == Moment.AT_COMMIT
              ? commit
              : moment == Moment.BEFORE_COMMIT && sql.startsWith("UPDATE"))) {
        strike();
      }
    }

    @Override
    public void ran(String sql) throws SQLException {
      if (armed && moment == Moment.AFTER_COMMIT && sql.equals("COMMIT")) {
        strike();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Moment.class)
  void anInputOutputErrorSaysWhetherTheOutcomeIsKnown(Moment moment) {
    SqliteStore store = SqliteStore.in(directory);
    Row head = head(TENANT, UUID.randomUUID());
    Fault fault = new Fault(moment);
    try (Storage storage = new SqliteStorageProvider().open(store.settings(), new Wiretap(fault))) {
      storage.commit(batch(insert(head)), deadline());
      Batch step = step(head);
      fault.armed = true;
      assertThatThrownBy(() -> storage.commit(step, deadline()))
          .isInstanceOf(moment == Moment.BEFORE_COMMIT ? Unavailable.class : OutcomeUnknown.class);

      CommitOutcome again = storage.commit(step, deadline());

      boolean applied = moment == Moment.AFTER_COMMIT;
      assertThat(again)
          .as("submitted again, it applies at most once")
          .isInstanceOf(applied ? CommitOutcome.Conflict.class : CommitOutcome.Committed.class);
      Key key = head.key();
      assertThat(storage.read(SCOPE, List.of(key), strong()).get(0).orElseThrow().version())
          .isEqualTo(2);
    }
  }

  @Test
  void anInterruptedThreadWritesNothing() {
    SqliteStore store = SqliteStore.in(directory);
    Row row = head(TENANT, UUID.randomUUID());
    try (Storage storage = store.open()) {
      Thread.currentThread().interrupt();
      try {
        storage.commit(batch(insert(row)), deadline());
      } catch (Unavailable e) {
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
      } finally {
        Thread.interrupted();
      }
      assertThat(storage.health().writable()).isTrue();
    }
  }
}
