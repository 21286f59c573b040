/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The sample provider passes the kit from the published jars alone, and its jar can be used. */
final class SampleProviderIT {
  private static final String ROUNDS = "-Dwovyr.kit.rounds=20";

  /** Not a temporary one: there are links in it, which a careless removal would follow. */
  private static final Path DIRECTORY = Path.of("target/sample-provider").toAbsolutePath();

  private static SampleBuild build;
  private static SampleBuild.Ended built;

  @BeforeAll
  static void buildTheSample() throws Exception {
    build = SampleBuild.in(DIRECTORY);
    built = build.maven(ROUNDS, "package");
  }

  @AfterAll
  static void removeTheLinks() throws Exception {
    SampleBuild.remove(DIRECTORY);
  }

  @Test
  void passesTheKitFromThePublishedJarsAlone() throws Exception {
    assertThat(built.exitCode()).as(built.output()).isZero();
    List<SampleBuild.Contract> required =
        build.report().stream().filter(one -> one.need().equals("required")).toList();
    assertThat(required).hasSizeGreaterThan(100);
    assertThat(required)
        .filteredOn(one -> !one.result().equals("PASSED"))
        .extracting(SampleBuild.Contract::reason)
        .containsExactly("the store keeps indexes by itself (itemsPerIndexEntry is 0)");
  }

  @Test
  void aProviderThatDropsAGuardFailsTheKit() throws Exception {
    SampleBuild broken =
        build.changed(
            DIRECTORY,
            "LogFileEngine.java",
            "!change.condition().holds(stored)",
            "!(change.condition() instanceof io.wovyr.persistence.kv.engine.Condition.VersionIs)"
                + " && !change.condition().holds(stored)");

    SampleBuild.Ended ended = broken.maven(ROUNDS, "-Dtest=LogFileContractTest", "test");

    assertThat(ended.exitCode()).as(ended.output()).isNotZero();
    assertThat(broken.report())
        .filteredOn(one -> one.result().equals("FAILED"))
        .extracting(SampleBuild.Contract::area)
        .contains("Guards", "Fencing", "Takeover");
  }

  @Test
  void itsJarOnTheClassPathIsAStoreForTheCommand() throws Exception {
    assertThat(command("provider", "list")).contains("logfile", "rocksdb", "sqlite");
    assertThat(command("migrate", "up", "--provider", "logfile", "--store", "orders"))
        .contains("1-store");
    assertThat(command("provider", "check", "--provider", "logfile", "--store", "orders"))
        .contains("logfile", "merged-commit");
    assertThat(DIRECTORY.resolve("orders/store.log")).isNotEmptyFile();
  }

  @Test
  void theDemoRunsOnItAndItsProofsHold() throws Exception {
    List<String> shipped = Files.readAllLines(Path.of("../samples/order-saga/orders.csv"));
    Files.write(DIRECTORY.resolve("some.csv"), shipped.subList(0, 31));

    String said =
        command(
            "demo",
            "--provider",
            "logfile",
            "--orders",
            "some.csv",
            "--kills",
            "1",
            "--directory",
            "run");

    assertThat(said).contains("execution list --provider logfile");
    assertThat(DIRECTORY.resolve("run/orders.logfile/store.log")).isNotEmptyFile();
  }

  private static String command(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-cp");
    command.add(System.getProperty("java.class.path") + ":" + build.jar());
    command.add("io.wovyr.persistence.cli.Wovyr");
    command.addAll(List.of(arguments));
    SampleBuild.Ended ended = SampleBuild.run(DIRECTORY, command);
    assertThat(ended.exitCode()).as(ended.output()).isZero();
    return ended.output();
  }
}
