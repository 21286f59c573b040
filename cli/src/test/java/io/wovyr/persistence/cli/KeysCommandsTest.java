/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The keys commands over a real SQLite store with its keystore beside it. */
final class KeysCommandsTest {
  @TempDir private Path directory;
  private Command wovyr;
  private SampleStore store;

  @BeforeEach
  void openStore() {
    wovyr = new Command(directory);
    store = SampleStore.create(wovyr.store());
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  private Path keystore() {
    return wovyr.store().resolveSibling(wovyr.store().getFileName() + ".keystore");
  }

  @Test
  void saysThatThereIsNoneBeforeTheFirstValue() {
    Command.Result result = wovyr.run("keys", "list");

    assertThat(result.exitCode()).isZero();
    assertThat(result.out()).contains("no data key");
  }

  @Test
  void listsAndTriesTheKeysOfTheTenant() {
    store.createOrder("order-1");

    Parsed listed = Parsed.of(wovyr.run("keys", "list", "--output", "json").out());
    assertThat(listed.size("keys")).isEqualTo(1);
    String id = listed.item("keys", 0).text("id");
    assertThat(listed.item("keys", 0).text("scope")).isEqualTo("DATA");

    Command.Result checked = wovyr.run("keys", "check");
    assertThat(checked.exitCode()).isZero();
    assertThat(checked.out()).containsPattern(id + ".+opens").contains(keystore().toString());
  }

  @Test
  void makesAKeystoreAndNeverWritesOverOne() throws IOException {
    Path made = wovyr.store().resolveSibling("keys.p12");

    Command.Result result = wovyr.run("keys", "create", made.toString());

    assertThat(result.exitCode()).isZero();
    assertThat(result.out())
        .contains("wovyr.sealing.keystore.path=" + made, made + ".password")
        .doesNotContain(Files.readString(made.resolveSibling("keys.p12.password")).strip());
    byte[] before = Files.readAllBytes(made);
    Path below = made.resolve("keys.p12");
    Command.Result impossible = wovyr.run("keys", "create", below.toString());
    assertThat(impossible.exitCode()).isEqualTo(3);
    assertThat(impossible.error())
        .contains("keystore " + below + " cannot be made", "may be written", "disk is not full")
        .doesNotContain("Exception");

    Command.Result again = wovyr.run("keys", "create", made.toString());
    assertThat(again.exitCode()).isEqualTo(2);
    assertThat(again.error()).contains("is there already");
    assertThat(made).hasBinaryContent(before);

    Command.Result nowhere = wovyr.run("keys", "create", "");
    assertThat(nowhere.exitCode()).isEqualTo(2);
    assertThat(nowhere.error()).contains("PATH is empty", "keys.p12");
  }

  @Test
  void saysWhichDirectoryItMadeForAKeystore() {
    Path made = wovyr.store().resolveSibling("new").resolve("keys.p12");

    assertThat(wovyr.run("keys", "create", made.toString()).error())
        .contains("made the directory " + made.getParent());
    assertThat(wovyr.run("keys", "create", made.resolveSibling("2.p12").toString()).error())
        .doesNotContain("made the directory");
  }

  @Test
  void aPasswordFileThatIsMissingIsNamedWithWhatToDo() throws IOException {
    store.createOrder("order-1");
    Path password = keystore().resolveSibling(keystore().getFileName() + ".password");
    Files.delete(password);

    assertThat(wovyr.run("keys", "check").out())
        .contains(password + " is missing: put it back", "wovyr.sealing.keystore.password-file");
  }

  @Test
  void failsWhenAKeyDoesNotOpen() throws IOException {
    store.createOrder("order-1");
    Files.delete(keystore());

    Command.Result checked = wovyr.run("keys", "check");

    assertThat(checked.exitCode()).isEqualTo(1);
    assertThat(checked.out()).contains("UNAVAILABLE").contains(keystore().toString());
  }

  @Test
  void aKeystoreThatTheSettingsMistakeIsToldWhenTheStoreIsOpened() {
    store.createOrder("order-1");
    String path = "wovyr.sealing.keystore.path=" + keystore();
    String alias = "wovyr.sealing.keystore.alias=wovyr-7";

    Command.Result wrong = wovyr.run("execution", "list", "-D", path, "-D", alias);
    Command.Result alone = wovyr.run("execution", "list", "-D", alias);

    assertThat(wrong.exitCode()).isEqualTo(2);
    assertThat(wrong.error()).contains("'wovyr-7'", "[wovyr-1]", "add the key");
    assertThat(alone.exitCode()).isEqualTo(2);
    assertThat(alone.error())
        .contains("wovyr.sealing.keystore.alias needs wovyr.sealing.keystore.path");
  }
}
