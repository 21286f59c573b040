/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.rocksdb;

import static io.wovyr.persistence.kv.TestRows.SCOPE;
import static io.wovyr.persistence.kv.TestRows.deadline;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.kv.TestRows;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Storage;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that are killed, logs that end in the middle, and stores that somebody else has. */
class KilledProcessIT {
  @TempDir Path directory;

  private RocksDbDirectory killed(long steps, long[] told) throws Exception {
    RocksDbDirectory store = RocksDbDirectory.in(directory);
    try (KilledWriter writer = KilledWriter.start(store.path())) {
      told[0] = writer.killAfter(steps);
    }
    return store;
  }

  /** Everything fits together; how many steps there are. */
  private static long assertWhole(Storage storage) {
    Optional<Row> head = TestRows.stored(storage, TestRows.head(KilledWriter.EXECUTION).key());
    long last = head.map(TestRows::lastSequence).orElse(0L);
    List<Long> whole = LongStream.rangeClosed(1, last).boxed().toList();
    assertThat(TestRows.all(storage, RecordTypes.EVENT, KilledWriter.EXECUTION))
        .extracting(event -> (Long) event.key().values().get(1))
        .isEqualTo(whole);
    assertThat(storage.feed(SCOPE, Optional.empty(), 100_000, deadline()).entries())
        .extracting(entry -> (Long) entry.row().key().values().get(1))
        .isEqualTo(whole);
    head.ifPresent(
        row ->
            assertThat(storage.commit(TestRows.step(row), deadline()))
                .isInstanceOf(CommitOutcome.Committed.class));
    return last;
  }

  @Test
  @DisplayName("C110: what was committed is there after the process was killed")
  void c110WhatWasCommittedIsThereAfterAKill() throws Exception {
    long[] told = new long[1];
    RocksDbDirectory store = killed(50, told);
    for (int kill = 0; kill < 3; kill++) {
      try (Storage storage = store.open()) {
        assertThat(assertWhole(storage)).isGreaterThanOrEqualTo(told[0]);
      }
      try (KilledWriter writer = KilledWriter.start(store.path())) {
        told[0] = writer.killAfter(20);
      }
    }
  }

  @Test
  @DisplayName("C110: every commit is synced to the disk")
  void c110EveryCommitIsSynced() {
    RocksDbDirectory store = RocksDbDirectory.in(directory);
    OpenDatabase database = OpenDatabase.open(RocksDbSettings.of(store.settings()), false);
    try {
      assertThat(database.synced().sync()).isTrue();
      assertThat(database.synced().disableWAL()).isFalse();
    } finally {
      database.close();
    }
  }

  private static Path log(Path store) throws IOException {
    try (Stream<Path> files = Files.list(store)) {
      return files
          .filter(file -> file.toString().endsWith(".log"))
          .max(Comparator.comparingLong(file -> file.toFile().length()))
          .orElseThrow();
    }
  }

  private Path copied(Path store, String name) throws IOException {
    Path copy = Files.createDirectory(directory.resolve(name));
    try (Stream<Path> files = Files.list(store)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
    return copy;
  }

  @Test
  void aLogThatEndsInTheMiddleOfAStepGivesTheStepsBefore() throws Exception {
    long[] told = new long[1];
    RocksDbDirectory store = killed(40, told);
    long length = Files.size(log(store.path()));
    long whole;
    try (Storage storage = RocksDbDirectory.at(copied(store.path(), "whole")).open()) {
      whole = assertWhole(storage);
    }
    long before = whole;
    for (int cut = 1; cut < 1_500; cut += 37) {
      Path copy = copied(store.path(), "cut-" + cut);
      try (RandomAccessFile log = new RandomAccessFile(log(copy).toFile(), "rw")) {
        log.setLength(length - cut);
      }
      try (Storage storage = RocksDbDirectory.at(copy).open()) {
        long last = assertWhole(storage);
        assertThat(last).as("cut by %d", cut).isBetween(before - 1, before);
        before = last;
      }
    }
    assertThat(before).as("steps were cut off").isLessThan(whole);
  }

  @Test
  void aLogWhoseEndWasNeverWrittenGivesTheStepsBefore() throws Exception {
    RocksDbDirectory store = killed(40, new long[1]);
    long whole;
    try (Storage storage = RocksDbDirectory.at(copied(store.path(), "whole")).open()) {
      whole = assertWhole(storage);
    }
    // What a power cut leaves: the file has its length, its last bytes never reached the disk.
    for (int lost : new int[] {1, 5, 20, 120, 180}) {
      Path copy = copied(store.path(), "lost-" + lost);
      try (RandomAccessFile file = new RandomAccessFile(log(copy).toFile(), "rw")) {
        file.seek(file.length() - lost);
        file.write(new byte[lost + 5_000]);
      }
      try (Storage storage = RocksDbDirectory.at(copy).open()) {
        assertThat(assertWhole(storage)).as("%d bytes", lost).isBetween(whole - 2, whole - 1);
      }
    }
  }

  @Test
  void aLogThatIsDamagedInTheMiddleIsNotTakenForItsEnd() throws Exception {
    RocksDbDirectory store = killed(60, new long[1]);
    long length = Files.size(log(store.path()));
    // Content, lengths, types and checksums: whatever lies there.
    for (int i = 0; i < 25; i++) {
      Path copy = copied(store.path(), "damaged-" + i);
      try (RandomAccessFile file = new RandomAccessFile(log(copy).toFile(), "rw")) {
        long at = length / 2 + i * 11L;
        file.seek(at);
        int old = file.read();
        file.seek(at);
        file.write(old ^ 0x41);
      }
      assertThatThrownBy(() -> RocksDbDirectory.at(copy).open())
          .isInstanceOf(Corrupt.class)
          .hasMessageContainingAll(copy.toString(), "restore a backup");
    }
  }

  /** Where the records of the last block of a log begin. */
  private static List<Integer> lastRecords(byte[] log) {
    List<Integer> found = new ArrayList<>();
    ByteBuffer bytes = ByteBuffer.wrap(log).order(ByteOrder.LITTLE_ENDIAN);
    int at = (log.length - 1) / (32 << 10) * (32 << 10);
    while (log.length - at >= 7 && bytes.get(at + 6) != 0) {
      found.add(at);
      at += 7 + (bytes.getShort(at + 4) & 0xffff);
    }
    return found;
  }

  @Test
  void aDamagedHeaderBeforeTheEndIsNoticedThoughRocksDbPassesOverIt() throws Exception {
    RocksDbDirectory store = killed(40, new long[1]);
    byte[] log = Files.readAllBytes(log(store.path()));
    List<Integer> records = lastRecords(log);
    assertThat(records).hasSizeGreaterThan(1);
    int at = records.get(records.size() - 2);
    byte[] tooLong = log.clone();
    tooLong[at + 5] = (byte) 0xff;
    byte[] zeroed = log.clone();
    Arrays.fill(zeroed, at, at + 7, (byte) 0);
    for (byte[] damaged : List.of(tooLong, zeroed)) {
      Path copy = copied(store.path(), "header-" + Arrays.hashCode(damaged));
      Files.write(log(copy), damaged);
      assertThatThrownBy(() -> RocksDbDirectory.at(copy).open())
          .isInstanceOf(Corrupt.class)
          .hasMessageContainingAll(copy.toString(), "restore a backup");
    }
  }

  @Test
  void aCommitTornAtTheBorderOfABlockIsLeftOut() throws Exception {
    RocksDbDirectory store = killed(200, new long[1]);
    Path copy = copied(store.path(), "border");
    byte[] log = Files.readAllBytes(log(copy));
    assertThat(log.length).isGreaterThan(33 << 10);
    Arrays.fill(log, 32 << 10, log.length, (byte) 0);
    Files.write(log(copy), log);
    try (Storage storage = RocksDbDirectory.at(copy).open()) {
      assertThat(assertWhole(storage)).isPositive();
    }
  }

  @Test
  void whatAnotherProcessHasOpenIsRefusedAndNamesIt() throws Exception {
    RocksDbDirectory store = RocksDbDirectory.in(directory);
    try (KilledWriter writer = KilledWriter.start(store.path())) {
      assertThatThrownBy(store::open)
          .isInstanceOf(Unavailable.class)
          .hasMessageContainingAll(
              store.path().toString(), "another process (" + writer.pid() + ")");
      assertThatThrownBy(() -> new RocksDbStorageProvider().migrator().status(store.settings()))
          .isInstanceOf(Unavailable.class);
      writer.killAfter(1);
    }
    try (Storage storage = store.open()) {
      assertThat(assertWhole(storage)).isPositive();
    }
  }
}
