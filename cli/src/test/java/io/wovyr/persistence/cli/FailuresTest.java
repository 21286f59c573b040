/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.CommitReference;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.PersistenceException.AccessDenied;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.storage.spi.Health;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What a store can do to a command. */
final class FailuresTest {
  @TempDir private Path directory;
  private Command wovyr;

  @BeforeEach
  void makeStore() {
    wovyr = new Command(directory);
    SampleStore.create(wovyr.store()).close();
  }

  @AfterEach
  void healStore() {
    FailingProvider.heal();
  }

  private Command.Result run(String... arguments) {
    String[] words = new String[arguments.length + 2];
    words[0] = "--provider";
    words[1] = FailingProvider.NAME;
    System.arraycopy(arguments, 0, words, 2, arguments.length);
    return wovyr.run(words);
  }

  @Test
  void everyKindOfFailureEndsWithItsCodeAndOneLine() {
    IOException cause = new IOException("the driver's words");
    Map<PersistenceException, Integer> failures =
        Map.of(
            new Unavailable("the disk does not answer: try again", cause), 3,
            new UnsupportedVersion("record 7 is of shape 9"), 4,
            new Corrupt("record 7 fails its checksum", cause), 6,
            new AccessDenied("reading needs the role READER"), 8,
            new Rejected("too large"), 1,
            new OutcomeUnknown("the deadline came first", new CommitReference("r-1"), cause), 1);
    failures.forEach(
        (failure, exitCode) -> {
          FailingProvider.failReadsWith(() -> failure);
          Command.Result result = run("lease", "list", "-D", "wovyr.read.deadline=PT1S");

          assertThat(result.exitCode()).as(failure.toString()).isEqualTo(exitCode);
          assertThat(result.out()).isEmpty();
          assertThat(result.error().lines())
              .singleElement()
              .asString()
              .startsWith("wovyr: " + failure.getMessage())
              .doesNotContain("the driver's words");
        });
  }

  @Test
  void adviceIsGivenOnce() {
    for (PersistenceException failure :
        List.of(
            new Corrupt("the store has lost a table: restore a backup", null),
            new UnsupportedVersion("the store is of a newer version: use the newer program"))) {
      FailingProvider.failReadsWith(() -> failure);

      String said = run("lease", "list").error();

      assertThat(said.split("backup", -1)).as(said).hasSizeLessThanOrEqualTo(2);
      assertThat(said.split("use the", -1)).as(said).hasSizeLessThanOrEqualTo(2);
    }
  }

  @Test
  void aDefectNamesItselfAndAsksForAReport() {
    FailingProvider.failReadsWith(() -> new IllegalStateException("cannot\nhappen"));

    Command.Result result = run("lease", "list");

    assertThat(result.exitCode()).isEqualTo(70);
    assertThat(result.error().lines())
        .singleElement()
        .asString()
        .contains("IllegalStateException: cannot\\nhappen", "--verbose");
  }

  @Test
  void theStackTraceComesOnlyWhenAskedFor() {
    FailingProvider.failReadsWith(
        () -> new Corrupt("record 7", new IOException("the driver's words")));

    Command.Result result = run("lease", "list", "--verbose");

    assertThat(result.exitCode()).isEqualTo(6);
    assertThat(result.error()).contains("\tat ", "the driver's words");
  }

  @Test
  void aStoreThatCannotBeWrittenIsReportedAndEndsWithThree() {
    FailingProvider.reportHealth(
        new Health(
            false,
            Optional.of(Duration.ofSeconds(90)),
            Optional.of("the disk is full: free some space")));

    Command.Result text = run("provider", "check");
    Command.Result json = run("provider", "check", "--output", "json");

    assertThat(text.exitCode()).isEqualTo(3);
    assertThat(text.out())
        .containsPattern("health +can be read only\n")
        .containsPattern("problem +the disk is full: free some space\n")
        .containsPattern("feed lag +1 min 30 s\n");
    assertThat(text.error().lines()).containsExactly("wovyr: the disk is full: free some space");
    assertThat(json.exitCode()).isEqualTo(3);
    assertThat(Parsed.of(json.out()).flag("writable")).isFalse();
    assertThat(Parsed.of(json.out()).text("feedLag")).isEqualTo("PT1M30S");
  }

  /** Damage of the whole store must not read as damage of one record. */
  @Test
  void onlyABrokenHistoryLeavesTheRestReadable() {
    FailingProvider.failReadsWith(() -> new Corrupt("the file is no database", null));
    assertThat(run("lease", "list").error())
        .contains("the file is no database; copy the store as it is")
        .doesNotContain("readable");
  }

  @Test
  void theHintHowToGoOnKeepsSettingsButNoPassword() {
    Command.Result result =
        new Command(directory.resolve("elsewhere"))
            .runBare(
                "migrate",
                "status",
                "--store",
                directory.resolve("none.db").toString(),
                "-D",
                "wovyr.storage.busy-timeout=PT7S",
                "-D",
                "wovyr.storage.password=geheim");
    assertThat(result.out())
        .contains("to migrate: wovyr migrate up", "-D wovyr.storage.busy-timeout=PT7S")
        .doesNotContain("geheim");
    assertThat(result.error()).contains("warning: a password on the command line");
  }

  @Test
  void aPasswordOnTheCommandLineIsAnsweredWithTheSettingThatTakesItsPlace() {
    assertThat(run("execution", "list", "-D", "wovyr.sealing.keystore.password=changeit").error())
        .contains("wovyr.sealing.keystore.password-file", "wovyr.sealing.keystore.password-env")
        .doesNotContain("--password", "changeit");
    assertThat(run("execution", "list", "-D", "wovyr.storage.system-password=geheim").error())
        .contains("-D wovyr.storage.system-password=env:VARIABLE or file:PATH")
        .doesNotContain("--password", "geheim");
  }

  @Test
  void whatMayBeASecretIsNotSaidAgain() {
    for (List<String> words :
        List.of(
            List.of("secret", "put", "card-api", "geheim"),
            List.of("secret", "put", "card-api", "-geheim"),
            List.of("secret", "put", "card-api", "--value=geheim"),
            List.of("secret", "put", "card-api", "--value", "geheim"),
            List.of("secret", "put", "card-api", "geheim", "--output", "json"))) {
      Command.Result result = run(words.toArray(String[]::new));
      assertThat(result.exitCode()).as("%s", words).isEqualTo(2);
      assertThat(result.error()).contains("standard input", "--file").doesNotContain("geheim");
    }
    for (String value : List.of("geheim", "first line\ngeheim\n")) {
      assertThat(run("execution", "list", "--passwort=" + value).error())
          .contains("unknown option '--passwort'", "--password")
          .doesNotContain("geheim");
    }
  }

  /** As other clients write it; the driver takes it for a part of the host's name. */
  @Test
  void aPasswordBeforeTheHostOfAUrlIsRefusedAndNeverShown() {
    for (String url :
        List.of(
            "jdbc:postgresql://orders_app:geheim@127.0.0.1:1/orders",
            "jdbc:postgresql://orders_app:geheim@127.0.0.1/orders?connectTimeout=1",
            "jdbc:postgresql://orders_app:ge/heim@127.0.0.1:1/orders")) {
      for (List<String> words :
          List.of(
              List.of("execution", "list"),
              List.of("provider", "check"),
              List.of("migrate", "status"),
              List.of("migrate", "up"),
              List.of("demo", "--directory", directory.resolve("demo").toString()))) {
        List<String> all = new ArrayList<>(words);
        all.addAll(List.of("--url", url));
        Command.Result result = new Command(directory).runBare(all.toArray(String[]::new));

        assertThat(result.exitCode()).as("%s: %s", all, result.error()).isEqualTo(2);
        assertThat(result.out() + result.error()).as(all.toString()).doesNotContain("heim");
        assertThat(result.error())
            .contains("warning: a password on the command line", "wovyr.storage.password");
      }
    }
  }

  @Test
  void aMaskedUrlStillTellsWhereTheServerIs() {
    assertThat(Secrets.masked("jdbc:postgresql://app:geheim@host:1/orders?password=geheim&ssl=1"))
        .isEqualTo("jdbc:postgresql://...@host:1/orders?password=...&ssl=1");
    assertThat(Secrets.masked("jdbc:postgresql://host/orders?options=a@b"))
        .isEqualTo("jdbc:postgresql://host/orders?options=a@b");
  }

  /** The answer is lost, and a script must know. */
  @Test
  void anAnswerThatCannotBeWrittenIsAFailure() throws Exception {
    Path error = directory.resolve("error");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Wovyr.class.getName(),
                "lease",
                "list",
                "--store",
                wovyr.store().toString())
            .redirectOutput(new File("/dev/full"))
            .redirectError(error.toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(1);
    assertThat(error).content().contains("could not be written", "No space left on device");
  }

  /** Obeyed, "run it again" would store a second version. */
  @Test
  void aChangeWhoseAnswerIsLostIsSaidToBeMade() throws Exception {
    Path body = Files.writeString(directory.resolve("order.json"), "{}");
    Path error = directory.resolve("error");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Wovyr.class.getName(),
                "definition",
                "add",
                body.toString(),
                "--name",
                "order",
                "--store",
                wovyr.store().toString())
            .redirectOutput(new File("/dev/full"))
            .redirectError(error.toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(1);
    assertThat(error)
        .content()
        .contains("No space left on device", "is done all the same")
        .doesNotContain("incomplete");
    assertThat(wovyr.run("definition", "list").out()).contains("order");
  }

  /** A new command has to be told apart, too. */
  @Test
  void everyCommandThatChangesSomethingIsKnownAsOne() {
    Set<String> looking =
        Set.of("list", "show", "status", "check", "verify", "events", "state", "tail", "next");
    Set<String> besideStores = Set.of("bench", "completion");
    List<String> wrong = new ArrayList<>();
    Deque<CommandLine> open = new ArrayDeque<>(List.of(Wovyr.commandLine(Console.system())));
    while (!open.isEmpty()) {
      CommandLine command = open.remove();
      open.addAll(command.getSubcommands().values());
      String name = command.getCommandName();
      boolean changing = command.getCommandSpec().userObject() instanceof Changing;
      boolean leaf = command.getSubcommands().isEmpty();
      if (changing != (leaf && !looking.contains(name) && !besideStores.contains(name))) {
        wrong.add(command.getCommandSpec().qualifiedName());
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void aReaderThatHasSeenEnoughIsNoFailure() throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process process =
        new ProcessBuilder(
                "bash",
                "-c",
                "\"$1\" -cp \"$2\" \"$3\" provider list | true; echo ${PIPESTATUS[0]}",
                "bash",
                java,
                System.getProperty("java.class.path"),
                Wovyr.class.getName())
            .redirectError(directory.resolve("error").toFile())
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(said.strip()).isEqualTo("0");
    assertThat(directory.resolve("error")).content().isEmpty();
  }

  @Test
  void aProviderWithoutMigrationsSaysSo() {
    for (String command : List.of("status", "up")) {
      Command.Result result = run("migrate", command);

      assertThat(result.exitCode()).isEqualTo(2);
      assertThat(result.error()).contains("need no migration", "wovyr provider check");
    }
  }
}
