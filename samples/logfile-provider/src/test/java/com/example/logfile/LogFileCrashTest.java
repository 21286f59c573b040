/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package com.example.logfile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.kv.engine.AtomicWrite;
import io.wovyr.persistence.kv.engine.Change;
import io.wovyr.persistence.kv.engine.Condition;
import io.wovyr.persistence.kv.engine.Place;
import io.wovyr.persistence.kv.engine.Stored;
import io.wovyr.persistence.kv.engine.View;
import io.wovyr.persistence.storage.spi.Deadline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the kit cannot try, since only this store knows how it lies on the disk. */
class LogFileCrashTest {
  private static final int WRITES = 5;

  @TempDir Path directory;

  private static Deadline soon() {
    return Deadline.after(Duration.ofSeconds(10));
  }

  /** A log of some writes, and its length after each. */
  private int[] written(Path store) throws IOException {
    int[] lengths = new int[WRITES + 1];
    try (LogFileEngine engine = LogFileEngine.open(store, true)) {
      lengths[0] = (int) Files.size(log(store));
      for (int i = 1; i <= WRITES; i++) {
        Change put =
            new Change.Put(key(i), Condition.ABSENT, new Stored(i, Bytes.utf8("value " + i)));
        engine.write(List.of(new AtomicWrite(List.of(put))), soon());
        lengths[i] = (int) Files.size(log(store));
      }
    }
    return lengths;
  }

  private static Path log(Path store) {
    return store.resolve("store.log");
  }

  private static Place key(int number) {
    return new Place(new byte[] {1, (byte) number}, 1);
  }

  private static long found(Path store) {
    try (LogFileEngine engine = LogFileEngine.open(store, false);
        View view = engine.view(soon())) {
      return Stream.iterate(1, i -> i + 1)
          .takeWhile(i -> view.get(List.of(key(i))).get(0).isPresent())
          .count();
    }
  }

  @Test
  void aLogThatEndsAnywhereGivesTheWholeWritesBefore() throws IOException {
    Path store = directory.resolve("store");
    int[] lengths = written(store);
    byte[] log = Files.readAllBytes(log(store));
    for (int length = lengths[0]; length < log.length; length++) {
      byte[] torn = Arrays.copyOf(log, length);
      int end = length;
      long whole = Arrays.stream(lengths).skip(1).filter(one -> one <= end).count();
      Files.write(log(store), torn);
      assertEquals(whole, found(store), "cut at " + length);
      // The length is there, what was written is not: a power cut.
      Files.write(log(store), Arrays.copyOf(torn, length + 5_000));
      assertEquals(whole, found(store), "lost from " + length);
    }
  }

  @Test
  void damageBeforeTheEndIsNotTakenForATornWrite() throws IOException {
    Path store = directory.resolve("store");
    int[] lengths = written(store);
    byte[] log = Files.readAllBytes(log(store));
    for (int at = lengths[0]; at < lengths[WRITES - 1]; at++) {
      byte[] damaged = log.clone();
      damaged[at] ^= 0x41;
      Files.write(log(store), damaged);
      assertThrows(Corrupt.class, () -> found(store), "damage at " + at);
      assertTrue(Arrays.equals(damaged, Files.readAllBytes(log(store))), "it is left as it is");
    }
  }

  @Test
  void aStoreThatIsAbsentIsRefusedAndNotMade() {
    Path store = directory.resolve("nowhere");
    Unavailable absent = assertThrows(Unavailable.class, () -> LogFileEngine.open(store, false));
    assertTrue(absent.isLasting() && absent.getMessage().contains("wovyr migrate up"));
    assertTrue(Files.notExists(store));
  }
}
