/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.Transaction;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.kv.TestRows;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Migrator;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StorageProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Making, opening and refusing stores; what is wrong is said with what to do about it. */
class OpeningTest {
  private static final Map<String, String> SETTINGS = Map.of("subspace", "test");

  private final FakeFdbCluster cluster = new FakeFdbCluster();
  private final FoundationDbStorageProvider provider =
      new FoundationDbStorageProvider(settings -> cluster.connect());
  private final Migrator migrator = provider.migrator();

  private void set(byte[] key, byte[] value) {
    try (Transaction transaction = cluster.connect().createTransaction()) {
      transaction.set(key, value);
      Futures.await(transaction.commit(), Deadline.after(Duration.ofSeconds(5)));
    }
  }

  @Test
  void aStoreIsMadeOnceAndOpened() {
    assertThat(migrator.status(SETTINGS).exists()).isFalse();
    assertThat(cluster.all()).isEmpty();
    List<String> told = new ArrayList<>();
    assertThat(migrator.migrate(SETTINGS, told::add).pending()).isEmpty();
    assertThat(migrator.migrate(SETTINGS, told::add).exists()).isTrue();
    assertThat(told).containsExactly("applied 1-store");
    try (Storage storage = provider.open(SETTINGS);
        Storage other = provider.open(SETTINGS)) {
      assertThat(storage.identity()).isEqualTo(other.identity());
    }
  }

  @Test
  void aMigrationThroughErrorsMakesOneStore() {
    cluster.faults.failReadVersions(1009, 1007);
    cluster.faults.failCommit(1021, FakeFaults.Fate.DELIVERED);
    cluster.faults.failCommit(1021, FakeFaults.Fate.DELAYED);
    migrator.migrate(SETTINGS, step -> {});
    try (Storage storage = provider.open(SETTINGS)) {
      var identity = storage.identity();
      cluster.faults.deliver();
      try (Storage again = provider.open(SETTINGS)) {
        assertThat(again.identity()).isEqualTo(identity);
      }
    }
  }

  @Test
  void aStoreThatNobodyMadeIsNotOpened() {
    assertThatThrownBy(() -> provider.open(SETTINGS))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("wovyr migrate up --provider foundationdb");
    assertThat(cluster.all()).isEmpty();
  }

  @Test
  void keysOfSomethingElseAreLeftAlone() {
    set(new Keys("test").row(TestWrites.place("theirs", 1)), new byte[] {1});
    assertThatThrownBy(() -> migrator.migrate(SETTINGS, step -> {}))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("subspace");
    assertThatThrownBy(() -> provider.open(SETTINGS)).isInstanceOf(InvalidInput.class);
    assertThat(cluster.all()).hasSize(1);
    set(new Keys("test").format(), new byte[] {1, 2, 3});
    assertThatThrownBy(() -> migrator.migrate(SETTINGS, step -> {}))
        .isInstanceOf(InvalidInput.class);
    assertThat(cluster.all()).hasSize(2);
  }

  @Test
  void aNewerFormatIsRefusedAndLeftAsItIs() {
    migrator.migrate(SETTINGS, step -> {});
    set(
        new Keys("test").format(),
        "wovyr-persistence\u0002".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    int keys = cluster.all().size();
    assertThatThrownBy(() -> provider.open(SETTINGS)).isInstanceOf(UnsupportedVersion.class);
    assertThatThrownBy(() -> migrator.migrate(SETTINGS, step -> {}))
        .isInstanceOf(UnsupportedVersion.class);
    assertThat(cluster.all()).hasSize(keys);
  }

  /**
   * After a restore into another cluster, whose versions begin anew: the epoch comes before them in
   * every stamp, so a reader goes on, and what was read in the old epoch is not written.
   */
  @Test
  void anEpochBegunAfterARestoreOrdersTheFeedAndEndsWhatWasBefore() {
    migrator.migrate(SETTINGS, step -> {});
    UUID execution = UUID.randomUUID();
    Row head = TestRows.head(execution);
    Optional<FeedCursor> read;
    cluster.pass(Duration.ofHours(1));
    try (Storage storage = provider.open(SETTINGS)) {
      storage.commit(List.of(TestRows.batch(new Mutation.Insert(head))), TestRows.deadline());
      storage.commit(List.of(TestRows.step(head)), TestRows.deadline());
      var chunk = storage.feed(TestRows.SCOPE, Optional.empty(), 10, TestRows.deadline());
      assertThat(chunk.entries()).isNotEmpty();
      read = chunk.next();
    }
    FakeFdbCluster restored = cluster.restored();
    FoundationDbStorageProvider there =
        new FoundationDbStorageProvider(settings -> restored.connect());
    try (Storage storage = there.open(SETTINGS)) {
      Row stepped = TestRows.stepped(head);
      assertThat(there.backups().beginEpoch(SETTINGS).epoch()).isEqualTo(2);
      assertThatThrownBy(() -> storage.commit(List.of(TestRows.step(stepped)), TestRows.deadline()))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("epoch");
      storage.commit(List.of(inEpoch(2, TestRows.step(stepped))), TestRows.deadline());
      assertThat(storage.feed(TestRows.SCOPE, read, 10, TestRows.deadline()).entries())
          .singleElement()
          .satisfies(
              entry -> assertThat(entry.row().key()).isEqualTo(TestRows.event(execution, 2).key()));
    }
  }

  private static Batch inEpoch(long epoch, Batch batch) {
    return new Batch(
        UUID.randomUUID(), epoch, batch.scope(), Optional.empty(), batch.mutations(), List.of());
  }

  @Test
  void backupsAreLeftToTheToolsOfTheCluster(@TempDir Path directory) {
    assertThatThrownBy(() -> provider.backups().create(SETTINGS, directory))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("fdbbackup");
  }

  @Test
  void storesInOneClusterDoNotMeet() {
    Map<String, String> others = Map.of("subspace", "test2");
    migrator.migrate(SETTINGS, step -> {});
    migrator.migrate(others, step -> {});
    try (Storage storage = provider.open(SETTINGS);
        Storage other = provider.open(others)) {
      assertThat(storage.identity().storeId()).isNotEqualTo(other.identity().storeId());
      var head = TestRows.head(UUID.randomUUID());
      storage.commit(List.of(TestRows.batch(new Mutation.Insert(head))), TestRows.deadline());
      assertThat(TestRows.stored(storage, head.key())).contains(head);
      assertThat(TestRows.stored(other, head.key())).isEmpty();
    }
  }

  @Test
  void theProviderIsFoundAndWithoutALibrarySaysWhatToInstall(@TempDir Path directory)
      throws IOException {
    StorageProvider found =
        ServiceLoader.load(StorageProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(one -> one.name().equals("foundationdb"))
            .findFirst()
            .orElseThrow();
    Path file = Files.writeString(directory.resolve("fdb.cluster"), "d:i@127.0.0.1:4500\n");
    if (FoundationDbClusterIT.clusterFile().isPresent()) {
      System.out.println("NOT RUN: no client library: this machine has one");
      return;
    }
    assertThatThrownBy(() -> found.open(Map.of("cluster-file", file.toString())))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("foundationdb-clients")
        .satisfies(e -> assertThat(((Unavailable) e).isLasting()).isTrue());
    assertThatThrownBy(() -> found.migrator().status(Map.of("cluster-file", file.toString())))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("libfdb_c");
  }

  @Test
  void serversElsewhereAreReachedWithTlsOnly(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("fdb.cluster");
    for (String local : List.of("127.0.0.1:4500", "localhost:4500", "[::1]:4500")) {
      Files.writeString(file, "# made by hand\n\nname:id@" + local + ",127.0.0.2:4500\n");
      assertThat(ClusterFile.isOfThisMachine(file)).isTrue();
    }
    Files.writeString(file, "name:id@10.0.0.1:4500:tls,10.0.0.2:4500:tls");
    assertThat(ClusterFile.isOfThisMachine(file)).isFalse();
    for (String plain :
        List.of("10.0.0.1:4500:tls,10.0.0.2:4500", "127.0.0.1:4500,db.example:4500")) {
      Files.writeString(file, "name:id@" + plain);
      assertThatThrownBy(() -> ClusterFile.isOfThisMachine(file))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("TLS");
    }
    Files.writeString(file, "nothing");
    assertThatThrownBy(() -> ClusterFile.isOfThisMachine(file)).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> ClusterFile.isOfThisMachine(directory.resolve("none")))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("wovyr.storage.cluster-file");
  }

  @Test
  void settingsThatCannotBeAreNamed() {
    for (String bad : List.of("a/b", "x".repeat(65), "ä")) {
      assertThatThrownBy(() -> FoundationDbSettings.of(Map.of("subspace", bad)))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("wovyr.storage.subspace");
    }
    assertThat(FoundationDbSettings.of(Map.of()).subspace()).isEqualTo("wovyr");
  }
}
