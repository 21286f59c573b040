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
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.kv.KvStore;
import io.wovyr.persistence.kv.TestRows;
import io.wovyr.persistence.kv.engine.AtomicWrite;
import io.wovyr.persistence.kv.engine.Change;
import io.wovyr.persistence.kv.engine.Condition;
import io.wovyr.persistence.kv.engine.Found;
import io.wovyr.persistence.kv.engine.Place;
import io.wovyr.persistence.kv.engine.Range;
import io.wovyr.persistence.kv.engine.Stored;
import io.wovyr.persistence.kv.engine.View;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.FeedChunk;
import io.wovyr.persistence.storage.spi.Migrator;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StoreIdentity;
import io.wovyr.persistence.storage.spi.Unreadable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Making and opening stores, and what is found in those that are damaged or of others. */
class OpeningTest {
  private static final RocksDbStorageProvider PROVIDER = new RocksDbStorageProvider();

  @TempDir Path directory;

  /** The entry of the store's own record is the first of all. */
  private static Found.Entry record(RocksDbEngine engine) {
    Place first = new Place(new byte[] {0}, 1);
    try (View view = engine.view(deadline())) {
      return view.range(Range.of(first, true), 1).entries().get(0);
    }
  }

  private static void replace(RocksDbEngine engine, Place place, Stored stored) {
    engine.write(
        List.of(new AtomicWrite(List.of(new Change.Put(place, Condition.NONE, stored)))),
        deadline());
  }

  /** Changes the bytes of a row, past everything. */
  private static void damage(RocksDbDirectory store, Row row, UnaryOperator<byte[]> change) {
    try (RocksDbEngine engine = store.engine()) {
      Place place = KvStore.find(engine, deadline()).orElseThrow().place(SCOPE, row.key());
      Stored stored;
      try (View view = engine.view(deadline())) {
        stored = view.get(List.of(place)).get(0).orElseThrow();
      }
      byte[] changed = change.apply(stored.body().toByteArray());
      replace(engine, place, new Stored(stored.version(), stored.stamp(), Bytes.wrap(changed)));
    }
  }

  @Test
  void settingsThatAreMissingOrWrongAreNamed() {
    assertThatThrownBy(() -> PROVIDER.open(Map.of()))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("wovyr.storage.path");
    for (String cache : List.of("0", "x", "65537")) {
      assertThatThrownBy(() -> PROVIDER.open(Map.of("path", "x", "cache-mebibytes", cache)))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("wovyr.storage.cache-mebibytes");
    }
    assertThat(PROVIDER.settings())
        .extracting(setting -> setting.name())
        .containsExactly("wovyr.storage.path", "wovyr.storage.cache-mebibytes");
  }

  @Test
  void aStoreIsMadeByMigrationOnlyAndOnce() {
    RocksDbDirectory store = RocksDbDirectory.at(directory.resolve("new"));
    Migrator migrator = PROVIDER.migrator();
    assertThat(migrator.status(store.settings()))
        .isEqualTo(new Migrator.Status(false, 0, 1, List.of("1-store")));
    assertThatThrownBy(store::open)
        .isInstanceOf(Unavailable.class)
        .hasMessageContainingAll("wovyr migrate up", store.path().toString());
    assertThat(Files.exists(store.path())).as("looking makes nothing").isFalse();

    List<String> progress = new ArrayList<>();
    Migrator.Status made = migrator.migrate(store.settings(), progress::add);
    assertThat(made).isEqualTo(new Migrator.Status(true, 1, 1, List.of()));
    assertThat(progress).containsExactly("applied 1-store");
    StoreIdentity identity;
    try (Storage storage = store.open()) {
      identity = storage.identity();
    }
    assertThat(migrator.migrate(store.settings(), progress::add)).isEqualTo(made);
    assertThat(progress).hasSize(1);
    try (Storage storage = store.open()) {
      assertThat(storage.identity()).isEqualTo(identity);
    }
  }

  @Test
  void aKilledMigrationIsRunAgain() {
    RocksDbDirectory store = RocksDbDirectory.at(directory.resolve("half"));
    store.path().toFile().mkdirs();
    OpenDatabases.open(RocksDbSettings.of(store.settings()), true).close();
    assertThat(PROVIDER.migrator().status(store.settings()).pending()).containsExactly("1-store");
    assertThatThrownBy(store::open).isInstanceOf(Unavailable.class);

    assertThat(PROVIDER.migrator().migrate(store.settings(), step -> {}).exists()).isTrue();
    store.open().close();
  }

  @Test
  void aStoreOfANewerVersionIsRefusedAndLeftAsItIs() {
    RocksDbDirectory store = RocksDbDirectory.in(directory);
    try (RocksDbEngine engine = store.engine()) {
      Found.Entry record = record(engine);
      byte[] newer = record.stored().body().toByteArray();
      newer[0]++;
      replace(engine, record.place(), new Stored(record.stored().version(), Bytes.wrap(newer)));
    }
    assertThatThrownBy(store::open).isInstanceOf(UnsupportedVersion.class);
    assertThatThrownBy(() -> PROVIDER.migrator().migrate(store.settings(), step -> {}))
        .isInstanceOf(UnsupportedVersion.class);
  }

  @Test
  void aStoreWhoseRecordIsDamagedIsCorrupt() {
    RocksDbDirectory store = RocksDbDirectory.in(directory);
    try (RocksDbEngine engine = store.engine()) {
      replace(engine, record(engine).place(), new Stored(1, Bytes.wrap(new byte[] {1, 2})));
    }
    assertThatThrownBy(store::open).isInstanceOf(Corrupt.class);
  }

  @Test
  void aDamagedRowIsThereAndStopsNoOther() {
    RocksDbDirectory store = RocksDbDirectory.in(directory);
    List<Row> rows = new ArrayList<>();
    try (Storage storage = store.open()) {
      for (int i = 0; i < 6; i++) {
        rows.add(TestRows.head(new UUID(0, i)).with("owner", "w" + i));
        storage.commit(TestRows.batch(new Mutation.Insert(rows.get(i))), deadline());
      }
    }
    damage(store, rows.get(1), bytes -> new byte[0]);
    damage(store, rows.get(2), bytes -> java.util.Arrays.copyOf(bytes, bytes.length - 12));
    damage(
        store,
        rows.get(3),
        bytes -> {
          bytes[0] = 99;
          return bytes;
        });
    try (Storage storage = store.open()) {
      List<Row> read = TestRows.all(storage, RecordTypes.HEAD);
      assertThat(read).hasSize(6);
      for (int i = 0; i < 6; i++) {
        boolean damaged = i >= 1 && i <= 3;
        assertThat(read.get(i).key()).isEqualTo(rows.get(i).key());
        assertThat(read.get(i).values().stream().anyMatch(Unreadable.class::isInstance))
            .as("row %d", i)
            .isEqualTo(damaged);
        if (!damaged) {
          assertThat(read.get(i)).isEqualTo(rows.get(i));
        }
      }
    }
  }

  @Test
  void aDamagedEventIsDeliveredInTheFeedAndStopsNoOther() {
    RocksDbDirectory store = RocksDbDirectory.in(directory);
    UUID execution = UUID.randomUUID();
    List<Row> events = new ArrayList<>();
    try (Storage storage = store.open()) {
      for (int i = 1; i <= 3; i++) {
        events.add(TestRows.event(execution, i));
        storage.commit(TestRows.batch(new Mutation.Insert(events.get(i - 1))), deadline());
      }
    }
    damage(store, events.get(1), bytes -> java.util.Arrays.copyOf(bytes, bytes.length - 3));
    try (Storage storage = store.open()) {
      FeedChunk chunk = storage.feed(SCOPE, Optional.empty(), 10, deadline());
      assertThat(chunk.entries())
          .extracting(entry -> entry.row().key().values().get(1))
          .containsExactly(1L, 2L, 3L);
      assertThat(chunk.entries().get(1).row().values()).anyMatch(Unreadable.class::isInstance);
      assertThat(chunk.entries().get(2).row()).isEqualTo(events.get(2));
    }
  }

  @Test
  void aNewEpochRefusesOldBatchesAndNumbersItsFeedAboveAllBefore() {
    RocksDbDirectory store = RocksDbDirectory.in(directory);
    UUID execution = UUID.randomUUID();
    Batch late;
    FeedCursor cursor;
    try (Storage storage = store.open()) {
      storage.commit(TestRows.batch(new Mutation.Insert(TestRows.event(execution, 1))), deadline());
      late = TestRows.batch(new Mutation.Insert(TestRows.event(execution, 2)));
      cursor = storage.feed(SCOPE, Optional.empty(), 10, deadline()).next().orElseThrow();
    }
    try (RocksDbEngine engine = store.engine()) {
      KvStore.raiseEpoch(engine, deadline());
    }
    try (Storage storage = store.open()) {
      assertThat(storage.identity().epoch()).isEqualTo(2);
      assertThatThrownBy(() -> storage.commit(late, deadline())).isInstanceOf(Unavailable.class);
      Batch again =
          new Batch(late.commitId(), 2, SCOPE, Optional.empty(), late.mutations(), late.checks());
      storage.commit(again, deadline());
      FeedChunk chunk = storage.feed(SCOPE, Optional.of(cursor), 10, deadline());
      assertThat(chunk.entries()).hasSize(1);
      FeedCursor next = chunk.next().orElseThrow();
      assertThat(next.epoch()).isEqualTo(2);
      assertThat(next.position()).startsWith("0002").isGreaterThan(cursor.position());
    }
  }
}
