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

/** Where settings come from, seen through the command. */
final class SettingsTest {
  @TempDir private Path directory;
  private Command wovyr;

  @BeforeEach
  void makeCommand() {
    wovyr = new Command(directory);
  }

  @AfterEach
  void clearProperty() {
    System.clearProperty("wovyr.storage.path");
  }

  /** The store a run looks at, told by its answer. */
  private String store(String... options) {
    String[] words = new String[options.length + 4];
    System.arraycopy(options, 0, words, 0, options.length);
    System.arraycopy(
        new String[] {"migrate", "status", "--output", "json"}, 0, words, options.length, 4);
    return Parsed.of(wovyr.runBare(words).out()).text("store");
  }

  private void properties(String... lines) throws IOException {
    Files.write(directory.resolve("wovyr.properties"), java.util.List.of(lines));
  }

  @Test
  void theStoreIsWovyrDbHereUnlessSomethingElseIsSaid() {
    assertThat(store()).isEqualTo("sqlite wovyr.db");
  }

  @Test
  void theFileIsOverruledByTheEnvironmentThatByAPropertyAndThatByAnOption() throws IOException {
    properties("wovyr.storage.path=file.db");
    assertThat(store()).isEqualTo("sqlite file.db");

    wovyr.withEnvironment("WOVYR_STORAGE_PATH", "environment.db");
    assertThat(store()).isEqualTo("sqlite environment.db");

    System.setProperty("wovyr.storage.path", "property.db");
    assertThat(store()).isEqualTo("sqlite property.db");

    assertThat(store("-D", "wovyr.storage.path=definition.db")).isEqualTo("sqlite definition.db");
    assertThat(store("--store", "option.db")).isEqualTo("sqlite option.db");
  }

  /** {@code --tenant "$TENANT"} with no such variable must not show somebody else's records. */
  @Test
  void anEmptyOptionIsRefusedAndDoesNotPassForTheDefault() {
    for (String option : java.util.List.of("--tenant", "--store", "--provider")) {
      Command.Result result = wovyr.runBare("execution", "list", option, "");
      assertThat(result.exitCode()).as(option).isEqualTo(2);
      assertThat(result.error()).contains(option + " is empty");
    }
  }

  @Test
  void aDurationThatNoClockHoldsIsAWrongSetting() {
    for (String setting :
        java.util.List.of(
            "wovyr.read.deadline",
            "wovyr.commit.deadline",
            "wovyr.retry.cap",
            "wovyr.storage.busy-timeout")) {
      Command.Result result =
          wovyr.run("execution", "list", "-D", setting + "=PT2562047788015215H");
      assertThat(result.exitCode()).as("%s: %s", setting, result.error()).isEqualTo(2);
      assertThat(result.error()).contains(setting);
    }
  }

  @Test
  void optionsMayStandBeforeAndAfterTheCommand() {
    assertThat(wovyr.runBare("migrate", "status", "--store", "option.db").out())
        .contains("option.db");
    assertThat(wovyr.runBare("migrate", "--store", "option.db", "status").out())
        .contains("option.db");
  }

  @Test
  void aVariableOfTheEnvironmentMayNameASettingInKebabCase() {
    wovyr.withEnvironment("WOVYR_STORAGE_BUSY_TIMEOUT", "soon");

    Command.Result result = wovyr.run("migrate", "status");

    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.error()).contains("wovyr.storage.busy-timeout", "soon");
  }

  @Test
  void aWrongSettingOfTheLibraryIsWrongUsage() {
    SampleStore.create(wovyr.store()).close();

    Command.Result result = wovyr.run("lease", "list", "-D", "wovyr.read.deadline=10 s");

    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.error()).contains("wovyr.read.deadline is not a duration such as PT10S");
  }

  @Test
  void settingsNobodyKnowsAreWarnedAboutOnce() {
    SampleStore.create(wovyr.store()).close();
    wovyr.withEnvironment("WOVYR_TEST_POSTGRESQL_URL", "is read by tests");
    wovyr.withEnvironment("WOVYR_LAUNCHER_TERMINAL", "is read by the launcher");

    Command.Result result =
        wovyr.run(
            "migrate", "up", "-D", "wovyr.storage.pth=x", "-D", "wovyr.storage.busy-timeout=PT1S");
    Command.Result other =
        wovyr.run("lease", "list", "-D", "wovyr.lease.mragin=PT1S", "--tenant", "orders");

    assertThat(result.exitCode()).isZero();
    assertThat(result.error().lines())
        .singleElement()
        .asString()
        .startsWith("warning: ")
        .contains("wovyr.storage.pth");
    assertThat(other.exitCode()).isZero();
    assertThat(other.error().lines())
        .singleElement()
        .asString()
        .startsWith("warning: ")
        .contains("wovyr.lease.mragin");
  }

  @Test
  void aFileNamedInsteadOfTheServerOfThePropertiesIsNoReasonForWarnings() throws IOException {
    SampleStore.create(wovyr.store()).close();
    properties(
        "wovyr.storage.url=jdbc:postgresql://localhost:1/orders",
        "wovyr.storage.user=app",
        "wovyr.storage.password=env:APP",
        "wovyr.storage.system-user=operator",
        "wovyr.storage.system-password=env:OPERATOR",
        "wovyr.storage.connections=3");

    Command.Result result = wovyr.run("execution", "list");

    assertThat(result.exitCode()).isZero();
    assertThat(result.error()).isEmpty();
  }

  @Test
  void theTenantMayBeASetting() throws IOException {
    try (SampleStore store = SampleStore.create(wovyr.store())) {
      SampleStore.createOrder(store.tenant("acme"), "acme-1");
    }
    properties("wovyr.cli.tenant = acme");

    Command.Result result = wovyr.run("execution", "list");

    assertThat(result.error()).isEmpty();
    assertThat(result.out()).contains("acme-1");
    assertThat(wovyr.run("execution", "list", "--tenant", "orders").out())
        .contains("no executions");
  }

  @Test
  void aTenantThatCannotBeIsWrongUsage() {
    SampleStore.create(wovyr.store()).close();

    for (String tenant : new String[] {"$system", " ", "a\u0000b"}) {
      Command.Result result = wovyr.run("execution", "list", "--tenant", tenant);
      assertThat(result.exitCode()).isEqualTo(2);
      assertThat(result.error().lines()).hasSize(1);
    }
  }

  @Test
  void anUnreadablePropertiesFileIsNamed() throws IOException {
    properties("wovyr.storage.path = \\u00zz");

    Command.Result result = wovyr.runBare("migrate", "status");

    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.error())
        .contains(directory.resolve("wovyr.properties").toString(), "properties file");
  }

  @Test
  void aValueMayReferToAnotherOne() throws IOException {
    properties("wovyr.storage.path = ${java.vendor}/orders.db");
    assertThat(store()).isEqualTo("sqlite " + System.getProperty("java.vendor") + "/orders.db");

    properties("wovyr.storage.path = ${nowhere.to.be.found}/orders.db");
    Command.Result result = wovyr.runBare("migrate", "status");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.error()).contains("wovyr.storage.path refers to something that is not there");
  }

  @Test
  void anEmptyValueCountsAsNone() {
    wovyr.withEnvironment("WOVYR_STORAGE_PATH", "");

    assertThat(store()).isEqualTo("sqlite wovyr.db");
  }

  @Test
  void onlySettingsOfOursMayBeDefined() {
    Command.Result result = wovyr.runBare("migrate", "status", "-D", "storage.path=x");

    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.error()).contains("'storage.path'");
  }
}
