/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.storage.spi.Migrator;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StorageProvider;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.SQLiteConfig;

class OpeningTest {
  @TempDir Path directory;
  private SqliteStore absent;
  private final Migrator migrator = new SqliteStorageProvider().migrator();

  @BeforeEach
  void name() {
    absent = SqliteStore.at(directory.resolve("deep/down/store.db"));
  }

  private List<String> files() throws IOException {
    try (var files = Files.walk(directory)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> file.getFileName().toString())
          .sorted()
          .toList();
    }
  }

  @Test
  void isFoundByItsName() {
    List<String> names = new ArrayList<>();
    ServiceLoader.load(StorageProvider.class).forEach(provider -> names.add(provider.name()));
    assertThat(names).contains("sqlite");
  }

  @Test
  void anAbsentStoreIsRefusedNamingTheCommandAndNothingIsCreated() throws IOException {
    assertThatThrownBy(absent::open)
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("wovyr migrate up")
        .hasMessageContaining(absent.path().toString());
    assertThat(files()).isEmpty();
  }

  @Test
  void statusOfAnAbsentStoreCreatesNothing() throws IOException {
    Migrator.Status status = migrator.status(absent.settings());
    assertThat(status.exists()).isFalse();
    assertThat(status.schemaVersion()).isZero();
    assertThat(status.latestVersion()).isEqualTo(StoreCheck.SCHEMA_VERSION);
    assertThat(status.pending()).isNotEmpty();
    assertThat(files()).isEmpty();
  }

  @Test
  void migratingCreatesTheStoreTellsTheStepsAndIsIdempotent() throws Exception {
    List<String> told = new ArrayList<>();
    Migrator.Status status = migrator.migrate(absent.settings(), told::add);
    assertThat(status.exists()).isTrue();
    assertThat(status.schemaVersion()).isEqualTo(StoreCheck.SCHEMA_VERSION);
    assertThat(status.pending()).isEmpty();
    for (String step : SqliteMigrator.steps()) {
      assertThat(told).contains("applying " + step, "applied " + step);
    }
    told.clear();
    assertThat(migrator.migrate(absent.settings(), told::add)).isEqualTo(status);
    assertThat(told).isEmpty();
    absent.open().close();
  }

  /** The rollback that SQLite has done already must not be told instead. */
  @Test
  void aDiskThatIsFullIsToldByAMigrationWhichIsThenRunAgain() throws Exception {
    SqliteSettings settings = SqliteSettings.of(absent.settings());
    SQLiteConfig small = new SQLiteConfig();
    small.setJournalMode(SQLiteConfig.JournalMode.WAL);
    small.setMaxPageCount(40);
    Files.createDirectories(settings.path().getParent());

    assertThatThrownBy(() -> SqliteMigrator.apply(settings, small, step -> {}))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("the disk is full")
        .hasMessageContaining("free space");

    assertThat(migrator.migrate(absent.settings(), step -> {}).pending()).isEmpty();
    absent.open().close();
  }

  @Test
  void statusOfAStoreLeavesItsFilesAsTheyAre() throws Exception {
    migrator.migrate(absent.settings(), step -> {});
    byte[] before = Files.readAllBytes(absent.path());
    assertThat(migrator.status(absent.settings()).pending()).isEmpty();
    assertThat(Files.readAllBytes(absent.path())).isEqualTo(before);
    assertThat(files()).containsExactly("store.db", "store.db.migrate.lock");
  }

  @Test
  void migratingAndOpeningPrintNothingToStandardOutput() throws Exception {
    PrintStream real = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      migrator.migrate(absent.settings(), step -> {});
      migrator.status(absent.settings());
      absent.open().close();
    } finally {
      System.setOut(real);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"schema_version = -1", "format_version = 0", "format_version = -1"})
  void aStoreOfAVersionThatNeverWasIsDamaged(String damage) throws Exception {
    migrator.migrate(absent.settings(), step -> {});
    absent.run("UPDATE wovyr_store SET " + damage);

    assertThatThrownBy(absent::open).isInstanceOf(Corrupt.class).hasMessageContaining("never");
    assertThatThrownBy(() -> migrator.migrate(absent.settings(), step -> {}))
        .isInstanceOf(Corrupt.class);
  }

  @Test
  void aFirstMigrationThatDidNotEndIsRunAgain() throws Exception {
    migrator.migrate(absent.settings(), step -> {});
    absent.run("UPDATE wovyr_store SET schema_version = 0");

    assertThatThrownBy(absent::open)
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("wovyr migrate up");
  }

  @ParameterizedTest
  @CsvSource({"schema_version", "format_version"})
  void aStoreOfANewerVersionIsRefusedAndNotTouched(String column) throws Exception {
    migrator.migrate(absent.settings(), step -> {});
    absent.run("UPDATE wovyr_store SET " + column + " = 99", "PRAGMA wal_checkpoint(TRUNCATE)");
    byte[] before = Files.readAllBytes(absent.path());
    List<String> files = files();

    assertThatThrownBy(absent::open)
        .isInstanceOf(UnsupportedVersion.class)
        .hasMessageContaining("99");
    assertThatThrownBy(() -> migrator.status(absent.settings()))
        .isInstanceOf(UnsupportedVersion.class);
    assertThatThrownBy(() -> migrator.migrate(absent.settings(), step -> {}))
        .isInstanceOf(UnsupportedVersion.class);

    assertThat(Files.readAllBytes(absent.path())).isEqualTo(before);
    assertThat(files()).isEqualTo(files);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DROP INDEX workflow_event_key",
        "DROP INDEX execution_head_due",
        "DROP TRIGGER workflow_event_never_updated",
        "DROP TABLE feed_mark",
        "ALTER TABLE execution DROP COLUMN closed_at",
        "DROP TABLE named_lease"
      })
  void aStoreThatLostSomethingEssentialIsRefused(String damage) throws Exception {
    migrator.migrate(absent.settings(), step -> {});
    absent.run(damage);
    assertThatThrownBy(absent::open).isInstanceOf(Corrupt.class).hasMessageContaining("has lost");
  }

  @Test
  void aHalfMigratedStoreIsRefusedUntilItIsMigrated() throws Exception {
    migrator.migrate(absent.settings(), step -> {});
    try (var connection = absent.foreign()) {
      SqliteMigrator.CHANGELOG.rollback(connection, 3);
    }
    assertThatThrownBy(absent::open)
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("wovyr migrate up");
    assertThat(migrator.status(absent.settings()).pending()).hasSize(3);
    migrator.migrate(absent.settings(), step -> {});
    absent.open().close();
  }

  @Test
  void aFileOfSomethingElseIsNotAStore() throws Exception {
    Files.createDirectories(absent.path().getParent());
    byte[] text =
        "Dear diary, today I was no database at all.\n"
            .repeat(100)
            .getBytes(StandardCharsets.UTF_8);
    Files.write(absent.path(), text);
    assertThatThrownBy(absent::open).isInstanceOf(Corrupt.class);
    assertThatThrownBy(() -> migrator.migrate(absent.settings(), step -> {}))
        .isInstanceOf(Corrupt.class);
    assertThat(Files.readAllBytes(absent.path())).isEqualTo(text);
  }

  @Test
  void anotherDatabaseIsNotAStore() throws Exception {
    Files.createDirectories(absent.path().getParent());
    absent.run("CREATE TABLE mine (id INTEGER)");
    assertThatThrownBy(absent::open)
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("tables of something else")
        .hasMessageContaining("wovyr.storage.path");
  }

  @Test
  void aCopyInAnotherJournalModeIsPutBackIntoWal() throws Exception {
    migrator.migrate(absent.settings(), step -> {});
    Path copy = directory.resolve("copy.db");
    absent.run("VACUUM INTO '" + copy + "'");
    SqliteStore restored = SqliteStore.at(copy);
    try (Storage storage = restored.open()) {
      assertThat(storage.health().writable()).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "busy-timeout, soon",
    "busy-timeout, PT0S",
    "busy-timeout, PT1H",
    "read-connections, 0",
    "read-connections, many",
    "hibernate-start, later",
    "path, 'a?b'",
    "path, ':memory:'",
    "path, ' '"
  })
  void aWrongSettingIsNamed(String key, String value) {
    assertThatThrownBy(() -> absent.with(key, value).open())
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("wovyr.storage." + key);
  }

  @Test
  void theFileMustBeNamed() {
    assertThatThrownBy(() -> new SqliteStorageProvider().open(Map.of()))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("wovyr.storage.path");
  }

  @Test
  void closingTwiceIsFineAndUseAfterwardsIsRefused() throws Exception {
    migrator.migrate(absent.settings(), step -> {});
    Storage storage = absent.open();
    storage.close();
    storage.close();
    assertThatThrownBy(
            () ->
                storage.read(
                    TestRows.SCOPE,
                    List.of(TestRows.head("acme", new java.util.UUID(1, 1)).key()),
                    TestRows.strong()))
        .isInstanceOf(Unavailable.class);
    assertThatThrownBy(
            () ->
                storage.commit(
                    TestRows.batch(
                        TestRows.insert(TestRows.head("acme", new java.util.UUID(1, 1)))),
                    TestRows.deadline()))
        .isInstanceOf(Unavailable.class);
    assertThat(storage.health().writable()).isFalse();
  }
}
