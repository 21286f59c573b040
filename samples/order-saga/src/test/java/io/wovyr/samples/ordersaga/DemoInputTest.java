/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.samples.ordersaga.RunDirectory.Run;
import io.wovyr.samples.ordersaga.RunDirectory.StoredIn;
import io.wovyr.samples.ordersaga.SmallRun.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What cannot be used is refused with exit code 2, and nothing is touched. */
class DemoInputTest {
  @TempDir Path directory;

  private void refuses(DemoOptions options, String why) {
    Said said = SmallRun.run(options);
    assertThat(said.exitCode()).isEqualTo(Demo.UNUSABLE_INPUT);
    assertThat(said.error()).startsWith("wovyr: ").contains(why);
    assertThat(said.output()).isEmpty();
  }

  private static Run run(boolean finished) {
    StoredIn store = new StoredIn("sqlite", "orders.db", "orders", false, "some id");
    return new Run(1, null, 1_000, "orders.csv", List.of(), store, finished);
  }

  @Test
  void refusesAFileOfOrdersThatIsNotThere() {
    Path file = directory.resolve("none.csv");
    refuses(
        SmallRun.options(directory).orders(file).build(), file.toString() + ": it is not there");
    assertThat(directory.resolve("run")).doesNotExist();
  }

  @Test
  void saysInJsonWhatCannotBeUsedWhereJsonWasAskedFor() {
    Said said = SmallRun.run(SmallRun.options(directory).resume(true).json(true).build());
    JsonNode error = Json.tree(said.error()).path("error");
    assertThat(error.path("code").stringValue()).isEqualTo("USAGE");
    assertThat(error.path("exit").intValue()).isEqualTo(said.exitCode()).isEqualTo(2);
    assertThat(error.path("message").stringValue()).contains("no run in");
    assertThat(said.error().lines()).hasSize(1);
  }

  @Test
  void refusesADirectoryWithFilesOfSomebodyElse() throws IOException {
    Path run = Files.createDirectories(directory.resolve("run"));
    Path precious = Files.writeString(run.resolve("precious.txt"), "keep");
    refuses(SmallRun.options(directory).fresh(true).build(), "no run of this program");
    assertThat(precious).hasContent("keep");
  }

  @Test
  void refusesToResumeWhatIsNotThere() {
    refuses(SmallRun.options(directory).resume(true).build(), "no run in");
  }

  @Test
  void refusesToBeginOverAnUnfinishedRun() {
    Path path = directory.resolve("run");
    try (RunDirectory begun = RunDirectory.begin(path, false)) {
      begun.write(run(false));
    }
    refuses(SmallRun.options(directory).build(), "--resume finishes it, --fresh begins again");
  }

  @Test
  void movesAFinishedRunAsideWithAllThatIsInItsDirectory() throws IOException {
    Path path = directory.resolve("run");
    for (String which : List.of("first", "second")) {
      try (RunDirectory finished = RunDirectory.begin(path, false)) {
        finished.write(run(true));
        Files.writeString(finished.store(), which + ", and what a user added");
        Files.writeString(path.resolve("keystore.p12"), which);
        Files.writeString(path.resolve("notes.txt"), which);
      }
    }

    try (RunDirectory third = RunDirectory.begin(path, false)) {
      assertThat(third.former()).contains(directory.toRealPath().resolve("run-2"));
      assertThat(path).isDirectoryNotContaining("glob:**.{db,p12,txt,json}");
    }
    for (String kept : List.of("run-1 first", "run-2 second")) {
      Path former = directory.resolve(kept.substring(0, 5));
      assertThat(former.resolve("orders.db")).content().startsWith(kept.substring(6));
      assertThat(former.resolve("keystore.p12")).hasContent(kept.substring(6));
      assertThat(former.resolve("notes.txt")).hasContent(kept.substring(6));
    }
  }

  @Test
  void aRunThatEndedIsNotResumed() {
    Path path = directory.resolve("run");
    try (RunDirectory finished = RunDirectory.begin(path, false)) {
      finished.write(run(true));
    }
    refuses(SmallRun.options(directory).resume(true).build(), "has ended");
  }

  /** As versions before it wrote: its run.json has no plan. */
  @Test
  void aRunOfAnOlderVersionIsReadAndResumedAsTheOptionsSay() throws IOException {
    Path path = Files.createDirectories(directory.resolve("run"));
    Files.writeString(
        path.resolve("run.json"),
        """
        {
          "seed" : 7,
          "leaseTtlMillis" : 1500,
          "orderFile" : "orders.csv",
          "malformed" : [ ],
          "store" : {
            "provider" : "sqlite",
            "place" : "orders.db",
            "tenant" : "orders",
            "embedded" : false,
            "storeId" : "some id"
          },
          "finished" : false
        }
        """);
    Run read = RunDirectory.look(path);
    assertThat(read.plan()).isNull();
    assertThat(read.orderFile()).isEqualTo("orders.csv");

    DemoOptions resumed =
        DemoOptions.builder().directory(path).resume(true).workers(3).build().resuming(read);
    assertThat(resumed.workers()).isEqualTo(3);
    assertThat(resumed.kills()).isEqualTo(DemoOptions.builder().build().kills());
    assertThat(resumed.seed()).isEqualTo(7);
  }

  @Test
  void theFileOfARunThatIsResumedMayBeNamedInAnotherWay() {
    DemoOptions.Builder options = DemoOptions.builder().resume(true);
    for (String same : List.of("orders.csv", "./orders.csv", "x/../orders.csv")) {
      DemoOptions given = options.orders(Path.of(same)).build();
      assertThat(given.resuming(run(false)).orders()).contains(Path.of(same));
    }
    DemoOptions absolute = options.orders(Path.of("orders.csv").toAbsolutePath()).build();
    assertThat(absolute.resuming(run(false)).seed()).isEqualTo(1);

    DemoOptions other = options.orders(Path.of("x/orders.csv")).build();
    assertThatThrownBy(() -> other.resuming(run(false)))
        .isInstanceOf(UnusableInput.class)
        .hasMessageContaining("leave --orders out");
  }

  @Test
  void beginsOverAFinishedRunWhenToldToAndRemovesNothingButItsFiles() throws IOException {
    Path path = directory.resolve("run");
    try (RunDirectory finished = RunDirectory.begin(path, false)) {
      finished.write(run(true));
      Files.writeString(finished.ledger(), "old");
    }
    Path precious = Files.writeString(path.resolve("notes.txt"), "keep");
    RunDirectory.begin(path, true).close();
    assertThat(path.resolve("ledger.log")).doesNotExist();
    assertThat(path.resolve("run.json")).doesNotExist();
    assertThat(precious).hasContent("keep");
  }

  @Test
  void movesAsideWhatWasInterruptedBeforeItBegan() throws IOException {
    Path path = Files.createDirectories(directory.resolve("run"));
    Files.writeString(path.resolve("orders.db-wal"), "half");
    RunDirectory.begin(path, false).close();
    assertThat(path.resolve("orders.db-wal")).doesNotExist();
    assertThat(directory.resolve("run-1/orders.db-wal")).hasContent("half");
  }

  @Test
  void refusesADirectoryInWhichAnotherRunIsAtWork() {
    Path path = directory.resolve("run");
    try (RunDirectory begun = RunDirectory.begin(path, false)) {
      begun.write(run(false));
      refuses(SmallRun.options(directory).resume(true).build(), "at work in");
    }
  }

  @Test
  void namesTheOptionThatIsOutOfRange() {
    assertThatThrownBy(() -> DemoOptions.builder().workers(0).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--workers");
    assertThatThrownBy(() -> DemoOptions.builder().kills(-1).build())
        .hasMessageContaining("--kills");
    assertThatThrownBy(() -> DemoOptions.builder().pauses(101).build())
        .hasMessageContaining("--pauses");
    assertThatThrownBy(() -> DemoOptions.builder().leaseTtl(Duration.ofMillis(1)).build())
        .hasMessageContaining("lease ttl");
    assertThatThrownBy(() -> DemoOptions.builder().resume(true).fresh(true).build())
        .hasMessageContaining("--resume");
  }
}
