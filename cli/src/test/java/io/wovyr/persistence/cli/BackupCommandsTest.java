/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups of a real RocksDB store, by the command. */
final class BackupCommandsTest {
  @TempDir private Path directory;
  private Command wovyr;

  @BeforeEach
  void makeStore() {
    wovyr = new Command(directory);
    assertThat(on("orders", "migrate", "up").exitCode()).isZero();
    order("order-1");
  }

  private void order(String name) {
    try (SampleStore store =
        SampleStore.open(
            "rocksdb", Map.of("wovyr.storage.path", directory.resolve("orders").toString()))) {
      store.createOrder(name);
    }
  }

  private Command.Result on(String store, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--provider", "rocksdb", "--store", directory.resolve(store).toString()));
    return wovyr.runBare(all.toArray(String[]::new));
  }

  private String backups() {
    return directory.resolve("backups of orders").toString();
  }

  private static void isGood(Command.Result result) {
    assertThat(result.exitCode()).as(result.out() + result.error()).isZero();
  }

  @Test
  void aBackupIsMadeListedVerifiedAndRestored() throws IOException {
    Command.Result made = on("orders", "backup", "create", backups());
    isGood(made);
    assertThat(made.out())
        .contains("made backup 1 of rocksdb " + directory.resolve("orders"))
        .contains("wovyr backup verify '" + backups() + "' --id 1 --provider rocksdb");
    order("order-2");
    Parsed second =
        Parsed.of(on("orders", "backup", "create", backups(), "--output", "json").out());
    assertThat(second.number("id")).isEqualTo(2);
    assertThat(second.number("bytes")).isPositive();

    assertThat(on("orders", "backup", "list", backups()).lines()).hasSize(3);
    Parsed listed = Parsed.of(on("orders", "backup", "list", backups(), "--output", "json").out());
    assertThat(listed.item("backups", 1).text("storeId")).isEqualTo(second.text("storeId"));

    Command.Result verified = on("orders", "backup", "verify", backups());
    isGood(verified);
    assertThat(verified.out()).contains("backup 2 of", "can be restored");

    Command.Result restored = on("first", "backup", "restore", backups(), "--id", "1");
    isGood(restored);
    assertThat(restored.out()).contains("is backup 1 of", "in epoch 2");
    // The keystore is no part of a backup.
    for (String file : List.of(".keystore", ".keystore.password")) {
      Files.copy(directory.resolve("orders" + file), directory.resolve("first" + file));
    }
    assertThat(on("first", "execution", "list").out())
        .contains("order-1")
        .doesNotContain("order-2");
    Parsed newest =
        Parsed.of(on("newest", "backup", "restore", backups(), "--output", "json").out());
    assertThat(newest.number("epoch")).isEqualTo(3);
    assertThat(newest.at("backup").number("id")).isEqualTo(2);
  }

  @Test
  void aCopyBeginsANewEpoch() {
    Command.Result begun = on("orders", "backup", "begin-epoch");
    isGood(begun);
    assertThat(begun.out()).contains("is in epoch 2");
    assertThat(
            Parsed.of(on("orders", "backup", "begin-epoch", "--output", "json").out())
                .number("epoch"))
        .isEqualTo(3);
  }

  @Test
  void whatCannotBeDoneIsToldAndNothingIsChanged() throws IOException {
    isGood(on("orders", "backup", "create", backups()));
    Command.Result over = on("orders", "backup", "restore", backups());
    assertThat(over.exitCode()).isEqualTo(2);
    assertThat(over.error()).contains("never writes over a store");
    assertThat(on("orders", "backup", "verify", backups(), "--id", "7").exitCode()).isEqualTo(5);
    assertThat(on("orders", "backup", "list", directory + "/nowhere").exitCode()).isEqualTo(2);
    assertThat(on("nowhere", "backup", "create", backups()).exitCode()).isEqualTo(3);
    assertThat(on("nowhere", "backup", "begin-epoch").exitCode()).isEqualTo(3);
    Command.Result sqlite = wovyr.run("backup", "create", backups());
    assertThat(sqlite.exitCode()).isEqualTo(2);
    assertThat(sqlite.error()).contains("docs/stores/sqlite.md");
    Command.Result other = wovyr.run("backup", "create", backups(), "--provider", "failing");
    assertThat(other.exitCode()).isEqualTo(2);
    assertThat(other.error()).contains("'failing'", "its documentation").doesNotContain("docs/");
    for (String command : List.of("create", "list", "verify", "restore")) {
      Command.Result nowhere = on("orders", "backup", command, "");
      assertThat(nowhere.exitCode()).as(command).isEqualTo(2);
      assertThat(nowhere.error()).as(command).contains("DIR is empty");
    }

    try (Stream<Path> files = Files.walk(Path.of(backups()))) {
      for (Path table : files.filter(file -> file.toString().endsWith(".sst")).toList()) {
        byte[] bytes = Files.readAllBytes(table);
        bytes[bytes.length / 2] ^= 0x41;
        Files.write(table, bytes);
      }
    }
    assertThat(on("orders", "backup", "verify", backups()).exitCode()).isEqualTo(6);
    assertThat(on("orders", "provider", "check").out()).containsPattern("epoch +1");
  }
}
