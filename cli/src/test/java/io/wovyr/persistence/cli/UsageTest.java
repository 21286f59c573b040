/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Help, wrong usage, completion. */
final class UsageTest {
  @TempDir private Path directory;
  private Command wovyr;

  @BeforeEach
  void makeCommand() {
    wovyr = new Command(directory);
  }

  @Test
  void showsHelpWhenNothingIsAskedFor() {
    Command.Result bare = wovyr.runBare();

    assertThat(bare.exitCode()).isZero();
    assertThat(bare.out()).isEqualTo(wovyr.runBare("--help").out());
    assertThat(bare.out())
        .contains("demo", "execution", "lease", "feed", "provider", "migrate", "completion");
  }

  @Test
  void everyCommandHasHelpOnLinesThatFitATerminal() {
    everyCommand(Wovyr.commandLine(Console.system()))
        .forEach(
            words -> {
              Command.Result result = wovyr.runBare((words + " --help").strip().split(" "));
              assertThat(result.exitCode()).as(words).isZero();
              assertThat(result.out()).as(words).startsWith("Usage: wovyr");
              assertThat(result.lines()).as(words).allMatch(line -> line.length() <= 80);
            });
  }

  private static List<String> everyCommand(CommandLine root) {
    return root.getSubcommands().values().stream()
        .flatMap(
            command ->
                java.util.stream.Stream.concat(
                    java.util.stream.Stream.of(command),
                    command.getSubcommands().values().stream()))
        .map(command -> command.getCommandSpec().qualifiedName().substring("wovyr ".length()))
        .toList();
  }

  @Test
  void aGroupAloneIsWrongUsageAndNamesItsCommands() {
    Command.Result result = wovyr.runBare("execution");

    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.error().lines())
        .singleElement()
        .isEqualTo(
            "wovyr: say what to do: events, list, show, state, tail; see wovyr execution --help");
  }

  @Test
  void wrongWordsAreAnsweredInOneLineWithTheNearestRightOnes() {
    assertThat(wovyr.runBare("execution", "lst").error())
        .startsWith("wovyr: unknown command or argument 'lst', perhaps list");
    assertThat(wovyr.runBare("execution", "list", "--stats", "X").error())
        .startsWith("wovyr: unknown option '--stats', perhaps --status");
    for (List<String> wrong :
        List.of(
            List.of("frobnicate"),
            List.of("--frobnicate"),
            List.of("execution", "show"),
            List.of("execution", "show", "a", "b"),
            List.of("execution", "events", "a", "--from", "many"),
            List.of("execution", "list", "--status", "GONE"),
            List.of("lease", "list", "--output", "xml"),
            List.of("completion", "fish"),
            List.of("-D", "wovyr.storage.path"))) {
      Command.Result result = wovyr.runBare(wrong.toArray(String[]::new));
      assertThat(result.exitCode()).as("%s", wrong).isEqualTo(2);
      assertThat(result.out()).as("%s", wrong).isEmpty();
      assertThat(result.error().lines()).as("%s", wrong).hasSize(1);
    }
    assertThat(wovyr.runBare("-D", "wovyr.storage.path").error())
        .startsWith("wovyr: Value for option '-D' (KEY=VALUE)");
  }

  @Test
  void wrongWordsAreAnsweredInJsonWhereThatWasAskedFor() {
    for (List<String> wrong :
        List.of(
            List.of("execution", "lst", "--output", "json"),
            List.of("--output=json", "execution", "list", "--limit", "many"))) {
      Command.Result result = wovyr.runBare(wrong.toArray(String[]::new));
      assertThat(result.exitCode()).as("%s", wrong).isEqualTo(2);
      assertThat(Parsed.of(result.error()).node().at("/error/code").asString()).isEqualTo("USAGE");
    }
  }

  @Test
  void tellsItsVersion() {
    assertThat(wovyr.runBare("--version").lines().get(0)).matches("wovyr \\d+\\.\\d+\\.\\d+.*");
  }

  @Test
  void theCompletionScriptCompletesCommandsAndOptionsInBash() throws Exception {
    Command.Result script = wovyr.runBare("completion", "bash");
    assertThat(script.exitCode()).isZero();
    Path file = directory.resolve("completion.bash");
    java.nio.file.Files.writeString(file, script.out());

    assertThat(complete(file, "wovyr", "exec")).containsExactly("execution");
    assertThat(complete(file, "wovyr", "execution", "")).contains("list", "show", "tail");
    assertThat(complete(file, "wovyr", "execution", "list", "--sta")).containsExactly("--status");
    assertThat(complete(file, "wovyr", "demo", "--sabotage", "st")).containsExactly("stale-write");
  }

  private static List<String> complete(Path script, String... words) throws Exception {
    String program =
        "compopt() { :; }; source '%s'; COMP_WORDS=(%s); COMP_CWORD=%d; COMP_LINE='%s'; _complete_wovyr; printf '%%s\\n' \"${COMPREPLY[@]}\""
            .formatted(script, quoted(words), words.length - 1, String.join(" ", words));
    Process bash =
        new ProcessBuilder("bash", "--norc", "-c", program).redirectErrorStream(true).start();
    String output =
        new String(bash.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    assertThat(bash.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return output.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
  }

  private static String quoted(String... words) {
    return String.join(" ", java.util.Arrays.stream(words).map(word -> "'" + word + "'").toList());
  }
}
