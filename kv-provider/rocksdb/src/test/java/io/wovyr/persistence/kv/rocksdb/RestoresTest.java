/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.PersistenceException.Corrupt;
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

/** Which epoch a restored store is in, and what backups say of themselves. */
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
}
