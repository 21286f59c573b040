/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.storage.spi.Backups;
import io.wovyr.persistence.storage.spi.StoreIdentity;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which epoch a restored store is in, where it is put together, and what is left alone there. */
class RestoresTest {
  @TempDir Path directory;
  private final Backups backups = new RocksDbBackups();
  private RocksDbDirectory store;
  private Path made;

  @BeforeEach
  void makeStore() {
    store = RocksDbDirectory.in(directory);
    made = directory.resolve("backups");
  }

  private StoreIdentity restored(long id, String name) {
    return backups.restore(made, id, RocksDbDirectory.at(directory.resolve(name)).settings());
  }

  /** Each of the two alone tells of an epoch that was begun by another way than a restore here. */
  @ParameterizedTest
  @ValueSource(strings = {"meta/2", "wovyr.epoch"})
  void aRestoreBeginsNoEpochThatAnyBackupWasMadeIn(String lost) throws Exception {
    long first = backups.create(store.settings(), made).id();
    assertThat(backups.beginEpoch(store.settings()).epoch()).isEqualTo(2);
    assertThat(backups.create(store.settings(), made).store().epoch()).isEqualTo(2);
    Files.deleteIfExists(made.resolve(lost));

    assertThat(restored(first, "one").epoch()).isEqualTo(3);
    assertThat(restored(first, "two").epoch()).isEqualTo(4);
  }

  @Test
  void aBackupWhoseRecordMakesNoSenseIsDamaged() throws Exception {
    long id = backups.create(store.settings(), made).id();
    Path record = made.resolve("meta").resolve(String.valueOf(id));
    String whole = Files.readString(record, StandardCharsets.ISO_8859_1);
    String ours =
        HexFormat.of().withUpperCase().formatHex("wovyr-1 ".getBytes(StandardCharsets.US_ASCII));
    String senseless =
        HexFormat.of()
            .withUpperCase()
            .formatHex("wovyr-1 not-a-store 1 1".getBytes(StandardCharsets.US_ASCII));
    String damaged = whole.replaceFirst(ours + "[0-9A-F]*", senseless);
    assertThat(damaged).isNotEqualTo(whole);
    Files.writeString(record, damaged, StandardCharsets.ISO_8859_1);

    assertThatThrownBy(() -> backups.list(made))
        .isInstanceOf(Corrupt.class)
        .hasMessageContaining("backup " + id);
  }

  @Test
  void theDirectoriesAboveTheStoreNeedNotBeThere() {
    long id = backups.create(store.settings(), made).id();
    assertThat(restored(id, "new/and/deep").epoch()).isEqualTo(2);
    assertThat(directory.resolve("new/and/deep")).isNotEmptyDirectory();
    assertThat(directory.resolve("new/and/deep.restoring")).doesNotExist();
  }

  @Test
  void whatIsNotOursIsNeverRemovedForARestore() throws Exception {
    long id = backups.create(store.settings(), made).id();
    Path theirs = Files.createDirectory(directory.resolve("again.restoring"));
    Path file = Files.writeString(theirs.resolve("letters"), "dear all");

    assertThatThrownBy(() -> restored(id, "again"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining(theirs.toString());

    assertThat(file).hasContent("dear all");
    assertThat(directory.resolve("again")).doesNotExist();
  }

  @Test
  void aRestoreThatGoesOnElsewhereIsNotDisturbed() throws Exception {
    long id = backups.create(store.settings(), made).id();
    Path others = Files.createDirectory(directory.resolve("again.restoring"));
    Files.createFile(others.resolve("wovyr.restoring"));
    Path table = Files.createDirectory(others.resolve("store")).resolve("000009.sst");
    Files.writeString(table, "half of a table");

    try (StoreLock other = StoreLock.take(others, "restore")) {
      assertThat(other).isNotNull();
      assertThatThrownBy(() -> restored(id, "again"))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining(others.toString());
      assertThat(table).hasContent("half of a table");
    }

    assertThat(restored(id, "again").epoch()).isEqualTo(2);
    assertThat(others).doesNotExist();
  }
}
