/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The provider and migrate commands over SQLite files in every condition. */
final class ProviderAndMigrateCommandsTest {
  @TempDir private Path directory;
  private Command wovyr;

  @BeforeEach
  void makeCommand() {
    wovyr = new Command(directory);
  }

  @Nested
  final class Migrating {
    @Test
    void createsTheStoreShowsEachStepAndMayBeRunAgain() {
      Command.Result first = wovyr.run("migrate", "up");
      Command.Result second = wovyr.run("migrate", "up");

      assertThat(first.exitCode()).isZero();
      assertThat(first.error()).isEmpty();
      assertThat(first.lines().get(0)).startsWith("  applied ");
      assertThat(first.out()).doesNotContain("applying");
      assertThat(first.lines().get(first.lines().size() - 1))
          .startsWith("sqlite " + wovyr.store() + ": created with schema version ");
      assertThat(second.exitCode()).isZero();
      assertThat(second.lines())
          .singleElement()
          .asString()
          .startsWith("sqlite " + wovyr.store() + " is up to date: schema version ");
    }

    @Test
    void aPlaceWhereNoStoreCanBeMadeIsToldWithTheReason() throws Exception {
      Path file = Files.createFile(directory.resolve("file"));
      for (String provider : List.of("sqlite", "rocksdb")) {
        String store = file.resolve("in").resolve("it").toString();
        Command.Result result =
            wovyr.runBare("migrate", "up", "--provider", provider, "--store", store);

        assertThat(result.exitCode()).as(provider).isEqualTo(3);
        assertThat(result.error())
            .contains("Not a directory (" + file, "may write", "name another");
      }
    }

    @Test
    void saysWhichDirectoryItMade() {
      Path store = directory.resolve("new").resolve("orders.db");

      assertThat(wovyr.runBare("migrate", "up", "--store", store.toString()).lines().get(0))
          .isEqualTo("  made the directory " + store.getParent());
    }

    @Test
    void aStoreThatIsOfTheOtherKindIsToldAsOne() throws Exception {
      Path file = Files.createFile(directory.resolve("file"));
      for (List<String> words : List.of(List.of("execution", "list"), List.of("migrate", "up"))) {
        List<String> all = new ArrayList<>(words);
        all.addAll(List.of("--store", directory.toString()));
        Command.Result result = wovyr.runBare(all.toArray(String[]::new));
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.error()).contains(directory + " is a directory");
      }
      Command.Result rocks =
          wovyr.runBare("execution", "list", "--provider", "rocksdb", "--store", file.toString());
      assertThat(rocks.exitCode()).isEqualTo(2);
      assertThat(rocks.error()).contains(file + " is a file");
    }

    /**
     * Neither a client library nor a cluster is to be had where this is run, or it is asked for.
     */
    @Test
    void foundationDbSaysWhatIsMissing() throws Exception {
      Path file = Files.writeString(directory.resolve("fdb.cluster"), "d:i@127.0.0.1:1\n");
      Path none = directory.resolve("none");
      for (List<String> words : List.of(List.of("execution", "list"), List.of("migrate", "up"))) {
        Command.Result absent = foundationDb(words, "-Dwovyr.storage.cluster-file=" + none);
        assertThat(absent.exitCode()).as(absent.error()).isEqualTo(3);
        assertThat(absent.error()).contains(none.toString(), "wovyr.storage.cluster-file");
        if (System.getenv("WOVYR_TEST_FDB_CLUSTER_FILE") == null) {
          Command.Result library = foundationDb(words, "-Dwovyr.storage.cluster-file=" + file);
          assertThat(library.exitCode()).as(library.error()).isEqualTo(3);
          assertThat(library.error()).contains("foundationdb-clients", "libfdb_c");
        }
        Command.Result store = foundationDb(words, "--store=somewhere");
        assertThat(store.exitCode()).isEqualTo(2);
        assertThat(store.error()).contains("-Dwovyr.storage.subspace");
      }
    }

    @Test
    void theDemoSaysWhatFoundationDbLacksBeforeItMakesAnything() {
      Path run = directory.resolve("run");
      Command.Result demo =
          foundationDb(
              List.of("demo", "--directory", run.toString()),
              "-Dwovyr.storage.cluster-file=" + directory.resolve("none"));
      assertThat(demo.exitCode()).isNotZero();
      assertThat(demo.error()).contains("wovyr.storage.cluster-file");
      assertThat(run).doesNotExist();
    }

    /** They would be passed over, and another store be worked on. */
    @Test
    void settingsThatNameNoTableOfDynamoDbAreRefused() {
      Map.of(
              "wovyr.storage.path",
              "wovyr.storage.table",
              "wovyr.storage.url",
              "wovyr.storage.endpoint")
          .forEach(
              (name, instead) -> {
                Command.Result list =
                    wovyr.runBare(
                        "execution", "list", "--provider", "dynamodb", "-D" + name + "=orders");
                assertThat(list.exitCode()).as(list.error()).isEqualTo(2);
                assertThat(list.error()).contains(name + ": set " + instead);
              });
    }

    private Command.Result foundationDb(List<String> words, String option) {
      List<String> all = new ArrayList<>(words);
      all.addAll(List.of("--provider", "foundationdb", option));
      return wovyr.runBare(all.toArray(String[]::new));
    }

    /** Read before the lock, the work of one would be told by all. */
    @Test
    void ofSeveralAtOnceEachTellsWhatItDidItself() throws Exception {
      ExecutorService threads = Executors.newFixedThreadPool(3);
      try {
        Callable<Command.Result> migrate = () -> wovyr.run("migrate", "up", "--output", "json");
        List<Parsed> told = new ArrayList<>();
        for (Future<Command.Result> run : threads.invokeAll(List.of(migrate, migrate, migrate))) {
          assertThat(run.get().exitCode()).as(run.get().error()).isZero();
          told.add(Parsed.of(run.get().out()));
        }
        Command.Result status = new Command(directory.resolve("other")).run("migrate", "status");
        long steps = status.lines().stream().filter(line -> line.contains("pending")).count();

        assertThat(told.stream().mapToLong(json -> json.number("applied")).sum()).isEqualTo(steps);
        assertThat(told.stream().map(json -> json.number("applied")).filter(n -> n > 0)).hasSize(1);
        assertThat(told)
            .allSatisfy(
                json ->
                    assertThat(json.number("migratedFrom"))
                        .isEqualTo(json.number("applied") == 0 ? json.number("schemaVersion") : 0));
      } finally {
        threads.shutdownNow();
      }
    }

    @Test
    void answersInOneJsonDocumentAndShowsProgressBesideIt() {
      Command.Result result = wovyr.run("migrate", "up", "--output", "json");

      assertThat(result.lines()).hasSize(1);
      Parsed json = Parsed.of(result.out());
      assertThat(json.names())
          .containsExactly(
              "store",
              "exists",
              "schemaVersion",
              "latestVersion",
              "pending",
              "migratedFrom",
              "applied");
      assertThat(json.number("migratedFrom")).isZero();
      assertThat(json.number("schemaVersion")).isEqualTo(json.number("latestVersion"));
      assertThat(json.size("pending")).isZero();
      assertThat(json.number("applied")).isPositive();
      assertThat(result.error().lines().filter(line -> line.startsWith("  applied ")).count())
          .isEqualTo(json.number("applied"));
    }

    @Test
    void statusEndsWithThreeUntilTheStoreIsMigratedAndCreatesNothing() {
      Command.Result before = wovyr.run("migrate", "status");
      assertThat(before.exitCode()).isEqualTo(3);
      assertThat(before.out())
          .contains(
              "there is no store yet", "to migrate: wovyr migrate up --store " + wovyr.store());
      assertThat(directory).isEmptyDirectory();

      wovyr.run("migrate", "up");

      Command.Result after = wovyr.run("migrate", "status");
      assertThat(after.exitCode()).isZero();
      assertThat(after.out()).contains("up to date").doesNotContain("pending");
    }

    @Test
    void statusAnswersInJson() {
      Parsed json = Parsed.of(wovyr.run("migrate", "status", "--output", "json").out());

      assertThat(json.flag("exists")).isFalse();
      assertThat(json.number("schemaVersion")).isZero();
      assertThat(json.size("pending")).isPositive();
    }

    @Test
    void leavesAStoreOfANewerVersionAsItIsAndEndsWithFour() throws Exception {
      makeNewerStore();
      byte[] before = Files.readAllBytes(wovyr.store());

      for (List<String> words : List.of(List.of("migrate", "up"), List.of("migrate", "status"))) {
        Command.Result result = wovyr.run(words.toArray(String[]::new));
        assertThat(result.exitCode()).isEqualTo(4);
        assertThat(result.error().lines())
            .singleElement()
            .asString()
            .contains(wovyr.store().toString(), "newer");
      }
      assertThat(Files.readAllBytes(wovyr.store())).isEqualTo(before);
    }
  }

  private void makeNewerStore() throws Exception {
    try (SampleStore store = SampleStore.create(wovyr.store())) {
      store.tamper("UPDATE wovyr_store SET schema_version = 99");
    }
  }

  @Nested
  final class Checking {
    @Test
    void listsProvidersAndWhatTheyCanDo() {
      assertThat(wovyr.runBare("provider", "list").out())
          .containsPattern("sqlite +yes +merged-commit, multi-process");

      Parsed json = Parsed.of(wovyr.runBare("provider", "list", "--output", "json").out());
      assertThat(json.item("providers", 0).names())
          .containsExactly("name", "migrates", "capabilities");
    }

    @Test
    void tellsIdentityHealthLimitsAndSizes() {
      try (SampleStore store = SampleStore.create(wovyr.store())) {
        store.completeOrder("order-1");
      }

      Command.Result result = wovyr.run("provider", "check");

      assertThat(result.exitCode()).isZero();
      assertThat(result.out())
          .containsPattern("id +\\p{XDigit}{8}-")
          .containsPattern("epoch +1\n")
          .containsPattern("health +can be read and written\n")
          .containsPattern("largest record +[\\d.]+ MiB\n")
          .containsPattern("workflow event +4\n");
    }

    @Test
    void answersInJson() {
      SampleStore.create(wovyr.store()).close();

      Parsed json = Parsed.of(wovyr.run("provider", "check", "--output", "json").out());

      assertThat(json.text("provider")).isEqualTo("sqlite");
      assertThat(json.flag("writable")).isTrue();
      assertThat(json.isNull("problem")).isTrue();
      assertThat(json.at("limits").number("recordBytes")).isPositive();
      assertThat(json.at("records").number("execution")).isZero();
    }

    @Test
    void namesTheProvidersThereAreWhenAskedForAnother() {
      Command.Result result = wovyr.run("--provider", "oracle", "provider", "check");

      assertThat(result.exitCode()).isEqualTo(2);
      assertThat(result.error()).contains("'oracle'", "sqlite");
    }
  }

  @Nested
  final class UnusableStores {
    private final List<List<String>> commands =
        List.of(
            List.of("execution", "list"),
            List.of("execution", "show", "order-1"),
            List.of("execution", "events", "order-1"),
            List.of("execution", "tail", "order-1"),
            List.of("execution", "state", "order-1"),
            List.of("lease", "list"),
            List.of("feed", "tail"),
            List.of("provider", "check"));

    @Test
    void everyCommandSaysHowToMigrateAndEndsWithThree() {
      for (List<String> words : commands) {
        Command.Result result = wovyr.run(words.toArray(String[]::new));

        assertThat(result.exitCode()).as("%s", words).isEqualTo(3);
        assertThat(result.out()).as("%s", words).isEmpty();
        assertThat(result.error().lines())
            .as("%s", words)
            .singleElement()
            .asString()
            .startsWith("wovyr: ")
            .contains("wovyr migrate up --store " + wovyr.store());
      }
      assertThat(wovyr.store()).doesNotExist();
    }

    @Test
    void anApostropheInThePathLeavesNothingOfItBehind() {
      String store = wovyr.store().resolveSibling("o'brien.db").toString();
      assertThat(wovyr.runBare("lease", "list", "--store", store).error())
          .endsWith("run wovyr migrate up --store '" + store.replace("'", "'\\''") + "'\n");
    }

    @Test
    void aFileThatIsNoStoreIsToldFromOneThatIsNotThere() throws Exception {
      assertThat(wovyr.run("lease", "list").error()).contains("is not there: run wovyr migrate up");
      Files.createFile(wovyr.store());
      assertThat(wovyr.run("lease", "list").error())
          .contains("run wovyr migrate up")
          .doesNotContain("not up to date");
      try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + wovyr.store());
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE photo (id INTEGER)");
      }
      Command.Result foreign = wovyr.run("lease", "list");

      assertThat(foreign.exitCode()).isEqualTo(3);
      assertThat(foreign.error())
          .contains("has tables of something else", "wovyr.storage.path")
          .doesNotContain("migrate up");
    }

    @Test
    void everyCommandRefusesANewerStoreAndEndsWithFour() throws Exception {
      makeNewerStore();
      for (List<String> words : commands) {
        Command.Result result = wovyr.run(words.toArray(String[]::new));

        assertThat(result.exitCode()).as("%s", words).isEqualTo(4);
        assertThat(result.error().lines())
            .as("%s", words)
            .singleElement()
            .asString()
            .contains("newer");
      }
    }

    @Test
    void aFileThatIsNoStoreIsNamedAndLeftAsItIs() throws Exception {
      String text = "these are not the bytes of a store\n".repeat(200);
      Files.writeString(wovyr.store(), text);
      for (List<String> words : commands) {
        Command.Result result = wovyr.run(words.toArray(String[]::new));

        assertThat(result.exitCode()).as("%s", words).isIn(3, 6);
        assertThat(result.error().lines())
            .as("%s", words)
            .singleElement()
            .asString()
            .contains(wovyr.store().toString());
      }
      assertThat(wovyr.store()).hasContent(text);
    }

    @Test
    void failuresAreJsonWhereAnswersAre() {
      Command.Result result = wovyr.run("lease", "list", "--output", "json");

      Parsed error = Parsed.of(result.error()).at("error");
      assertThat(result.out()).isEmpty();
      assertThat(error.text("code")).isEqualTo("UNAVAILABLE");
      assertThat(error.number("exit")).isEqualTo(3);
      assertThat(error.text("message")).contains("wovyr migrate up");
    }
  }
}
