/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.rocksdb;

import static io.wovyr.persistence.kv.TestRows.SCOPE;
import static io.wovyr.persistence.kv.TestRows.deadline;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.kv.TestRows;
import io.wovyr.persistence.storage.spi.Backups;
import io.wovyr.persistence.storage.spi.Backups.Backup;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.FeedChunk;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StoreIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups while steps go on, restores that lost something, and processes that are killed. */
class BackupsIT {
  private static final UUID EXECUTION = new UUID(1, 1);
  private static final int MOST_KILLS = 12;

  @TempDir Path directory;
  private final Backups backups = new RocksDbBackups();
  private RocksDbDirectory store;
  private Path made;

  @BeforeEach
  void makeStore() {
    store = RocksDbDirectory.in(directory);
    made = directory.resolve("backups");
  }

  /** Commits so many steps, of random bytes that no compression makes smaller. */
  private static void steps(Storage storage, int count, int bytes) {
    Random random = new Random(bytes);
    for (int i = 0; i < count; i++) {
      Optional<Row> before = TestRows.stored(storage, TestRows.head(EXECUTION).key());
      Row after = before.map(TestRows::stepped).orElseGet(() -> TestRows.head(EXECUTION));
      byte[] filling = new byte[bytes];
      random.nextBytes(filling);
      Mutation head =
          before.isPresent()
              ? new Mutation.Update(before.get(), after)
              : new Mutation.Insert(after);
      Row event = TestRows.event(EXECUTION, before.isPresent() ? TestRows.lastSequence(after) : 0);
      Batch step =
          batch(storage, head, new Mutation.Insert(event.with("changes", Bytes.wrap(filling))));
      assertThat(storage.commit(step, deadline())).isInstanceOf(CommitOutcome.Committed.class);
    }
  }

  private static Batch batch(Storage storage, Mutation... mutations) {
    return new Batch(
        UUID.randomUUID(),
        storage.identity().epoch(),
        SCOPE,
        Optional.empty(),
        List.of(mutations),
        List.of());
  }

  /** How many steps are there, whole, and in the feed; and one more can be made. */
  private static long wholeSteps(RocksDbDirectory store, UUID execution, long first) {
    try (Storage storage = store.open()) {
      Row head = TestRows.stored(storage, TestRows.head(execution).key()).orElseThrow();
      List<Long> whole =
          LongStream.rangeClosed(first, TestRows.lastSequence(head)).boxed().toList();
      assertThat(TestRows.all(storage, RecordTypes.EVENT, execution))
          .extracting(event -> (Long) event.key().values().get(1))
          .isEqualTo(whole);
      assertThat(feed(storage)).isEqualTo(whole);
      Row after = TestRows.stepped(head);
      Row event = TestRows.event(execution, TestRows.lastSequence(after));
      assertThat(
              storage.commit(
                  batch(storage, new Mutation.Update(head, after), new Mutation.Insert(event)),
                  deadline()))
          .isInstanceOf(CommitOutcome.Committed.class);
      return whole.size();
    }
  }

  /** The numbers of the events in the whole feed, whose chunks end early where rows are large. */
  private static List<Long> feed(Storage storage) {
    List<Long> numbers = new ArrayList<>();
    Optional<FeedCursor> after = Optional.empty();
    while (true) {
      FeedChunk chunk = storage.feed(SCOPE, after, 1_000, deadline());
      if (chunk.entries().isEmpty()) {
        return numbers;
      }
      chunk.entries().forEach(entry -> numbers.add((Long) entry.row().key().values().get(1)));
      after = chunk.next();
    }
  }

  private RocksDbDirectory restored(long id, String name) {
    RocksDbDirectory other = RocksDbDirectory.at(directory.resolve(name));
    backups.restore(made, id, other.settings());
    return other;
  }

  private static long size(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }

  @Test
  void aBackupHoldsWhatWasCommittedBeforeAndSharesWhatFormerOnesHold() throws Exception {
    Backup first;
    Backup second;
    long firstBytes;
    try (Storage storage = store.open()) {
      steps(storage, 40, 50_000);
      first = backups.create(store.settings(), made);
      firstBytes = size(made);
      steps(storage, 4, 50_000);
      second = backups.create(store.settings(), made);
      steps(storage, 1, 100);
    }
    assertThat(size(made) - firstBytes).as("bytes of the second").isLessThan(firstBytes / 4);
    assertThat(backups.list(made)).containsExactly(first, second);
    assertThat(second.id()).isGreaterThan(first.id());
    assertThat(second.bytes()).isGreaterThan(firstBytes / 2);
    assertThat(backups.verify(made, first.id())).isEqualTo(first);
    assertThat(backups.verify(made, second.id())).isEqualTo(second);

    assertThat(wholeSteps(restored(first.id(), "one"), EXECUTION, 0)).isEqualTo(40);
    assertThat(wholeSteps(restored(second.id(), "two"), EXECUTION, 0)).isEqualTo(44);
    assertThat(wholeSteps(store, EXECUTION, 0)).as("the store itself").isEqualTo(45);
  }

  @Test
  void whatARestoreLostIsNeverGivenOutAgain() {
    StoreIdentity before;
    Batch late;
    FeedCursor lost;
    long id;
    try (Storage storage = store.open()) {
      before = storage.identity();
      steps(storage, 3, 100);
      id = backups.create(store.settings(), made).id();
      steps(storage, 3, 100);
      late = batch(storage, new Mutation.Insert(TestRows.event(UUID.randomUUID(), 1)));
      lost = storage.feed(SCOPE, Optional.empty(), 100, deadline()).next().orElseThrow();
    }

    RocksDbDirectory restored = restored(id, "restored");

    try (Storage storage = restored.open()) {
      assertThat(storage.identity().storeId()).isEqualTo(before.storeId());
      assertThat(storage.identity().epoch()).isEqualTo(2);
      assertThatThrownBy(() -> storage.commit(late, deadline())).isInstanceOf(Unavailable.class);
      assertThat(storage.feed(SCOPE, Optional.of(lost), 100, deadline()).entries()).isEmpty();
      steps(storage, 1, 100);
      FeedChunk chunk = storage.feed(SCOPE, Optional.of(lost), 100, deadline());
      assertThat(chunk.entries())
          .extracting(entry -> entry.row().key().values().get(1))
          .containsExactly(3L);
      FeedCursor next = chunk.next().orElseThrow();
      assertThat(next.epoch()).isEqualTo(2);
      assertThat(next.position()).isGreaterThan(lost.position());
    }
  }

  @Test
  void everyRestoreOfABackupBeginsAnEpochOfItsOwn() {
    long id = backups.create(store.settings(), made).id();
    for (int epoch = 2; epoch < 5; epoch++) {
      try (Storage storage = restored(id, "restored-" + epoch).open()) {
        assertThat(storage.identity().epoch()).isEqualTo(epoch);
      }
    }
  }

  @Test
  void aRestoreNeverWritesOverAnything() throws Exception {
    long id = backups.create(store.settings(), made).id();
    assertThatThrownBy(() -> backups.restore(made, id, store.settings()))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining(store.path().toString());
    try (Storage storage = store.open()) {
      assertThat(storage.identity().epoch()).isEqualTo(1);
    }
    Path empty = Files.createDirectory(directory.resolve("empty"));
    assertThat(backups.restore(made, id, Map.of("path", empty.toString())).epoch()).isEqualTo(2);
    assertThatThrownBy(() -> backups.restore(made, 77, Map.of("path", directory + "/other")))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("77");
  }

  @Test
  void aDirectoryOfSomebodyElseIsLeftAsItIs() throws Exception {
    Path work = Files.createDirectories(directory.resolve("work/shared"));
    Path theirs = Files.writeString(work.resolve("000007.sst"), "a table of theirs");
    assertThatThrownBy(() -> backups.create(store.settings(), work.getParent()))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("not empty");
    Path other = directory.resolve("other");
    new RocksDbStorageProvider().migrator().migrate(Map.of("path", other.toString()), step -> {});
    for (Path place : List.of(other, store.path())) {
      assertThatThrownBy(() -> backups.create(store.settings(), place))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("store");
    }
    assertThat(theirs).hasContent("a table of theirs");
    assertThat(work.getParent()).isDirectoryNotContaining(one -> !one.equals(work));
  }

  /** What a look left there would pass for a mark of ours, and the next backup would clean up. */
  @Test
  void aLookIntoADirectoryOfSomebodyElseLeavesNothingThere() throws Exception {
    Path work = directory.resolve("work");
    Path notes = Files.createDirectories(work.resolve("meta")).resolve("notes");
    Files.writeString(notes, "of theirs");
    Path table = Files.createDirectories(work.resolve("shared_checksum")).resolve("000007.sst");
    Files.writeString(table, "a table of theirs");

    for (ThrowingCallable look :
        List.<ThrowingCallable>of(
            () -> backups.list(work),
            () -> backups.verify(work, 1),
            () -> backups.restore(work, 1, Map.of("path", directory + "/fresh")))) {
      assertThatThrownBy(look).isInstanceOf(InvalidInput.class).hasMessageContaining("no backups");
    }
    assertThatThrownBy(() -> backups.create(store.settings(), work))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("not empty");
    assertThat(work)
        .isDirectoryNotContaining(one -> !one.endsWith("meta") && !one.endsWith("shared_checksum"));
    assertThat(table).hasContent("a table of theirs");
  }

  @Test
  void whatAKilledRestoreLeftIsNotInTheWayOfTheNext() throws Exception {
    try (Storage storage = store.open()) {
      steps(storage, 5, 100);
    }
    long id = backups.create(store.settings(), made).id();
    Path left = Files.createDirectory(directory.resolve("again.restoring"));
    Files.createFile(left.resolve("wovyr.restoring"));
    Path half = Files.createDirectory(left.resolve("store"));
    Files.writeString(half.resolve("CURRENT"), "MANIFEST-000099\n");

    assertThat(wholeSteps(restored(id, "again"), EXECUTION, 0)).isEqualTo(5);
    assertThat(left).doesNotExist();
  }

  @Test
  void aDamagedBackupIsToldAndNotRestored() throws Exception {
    try (Storage storage = store.open()) {
      steps(storage, 5, 10_000);
    }
    long id = backups.create(store.settings(), made).id();
    Path table;
    try (Stream<Path> files = Files.walk(made)) {
      table = files.filter(file -> file.toString().endsWith(".sst")).findFirst().orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(table);
    bytes[bytes.length / 2] ^= 0x41;
    Files.write(table, bytes);

    assertThatThrownBy(() -> backups.verify(made, id))
        .isInstanceOf(Corrupt.class)
        .hasMessageContaining("backup " + id);
    assertThatThrownBy(() -> restored(id, "damaged")).isInstanceOf(Corrupt.class);
    assertThat(directory.resolve("damaged")).doesNotExist();
    assertThat(directory.resolve("damaged.restoring")).doesNotExist();
    assertThat(made.resolve("wovyr-verifying.restoring")).doesNotExist();
  }

  @Test
  void backupsOfTwoStoresAreNotMixed() {
    backups.create(store.settings(), made);
    RocksDbDirectory other = RocksDbDirectory.in(directory.resolve("other"));
    assertThatThrownBy(() -> backups.create(other.settings(), made))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("another directory");
    assertThat(backups.list(made)).hasSize(1);
    assertThatThrownBy(() -> backups.create(store.settings(), store.path().resolve("in")))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> backups.list(directory.resolve("nowhere")))
        .isInstanceOf(InvalidInput.class);
    assertThat(directory.resolve("nowhere")).doesNotExist();
  }

  @Test
  void anEpochIsNotBegunBesideAnOpenHandle() {
    try (Storage storage = store.open()) {
      assertThatThrownBy(() -> backups.beginEpoch(store.settings()))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining(store.path().toString());
      assertThat(storage.identity().epoch()).isEqualTo(1);
    }
    assertThat(backups.beginEpoch(store.settings()).epoch()).isEqualTo(2);
    try (Storage storage = store.open()) {
      assertThat(storage.identity().epoch()).isEqualTo(2);
    }
  }

  @Test
  void aProcessKilledInABackupLeavesTheFormerOnesWhole() throws Exception {
    int broken = 0;
    // Where the kill comes late the backup is whole: then it is tried again.
    for (int kill = 1; kill <= 3 || broken == 0; kill++) {
      assertThat(kill).as("kills that all came late").isLessThanOrEqualTo(MOST_KILLS);
      long[] last;
      try (KilledBackups process = KilledBackups.start(store.path(), made)) {
        last = process.killInABackup(Math.min(kill, 3));
      }
      List<Backup> all = backups.list(made);
      assertThat(all).extracting(Backup::id).contains(last[0]);
      if (all.get(all.size() - 1).id() == last[0]) {
        broken++;
      }
      for (Backup backup : all) {
        assertThat(backups.verify(made, backup.id())).isEqualTo(backup);
      }
      long steps = wholeSteps(restored(last[0], "restored-" + kill), KilledBackups.EXECUTION, 1);
      assertThat(steps).isGreaterThanOrEqualTo(last[1]);
    }
  }
}
