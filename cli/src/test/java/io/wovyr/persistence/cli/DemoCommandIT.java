/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo as the command runs it: a few real orders in real worker processes. */
final class DemoCommandIT {
  private static final int ORDERS = 6;
  private static final int INTERRUPTED_ORDERS = 300;
  private static final Pattern FINISH = Pattern.compile("Finish it: wovyr (.*)");

  @TempDir private Path directory;
  private Command wovyr;
  private Path run;
  private Path orders;

  @BeforeEach
  void chooseAFewOrders() throws IOException {
    wovyr = new Command(directory);
    run = directory.resolve("run");
    orders = directory.resolve("orders.csv");
    List<String> shipped = Files.readAllLines(Path.of("../samples/order-saga/orders.csv"));
    Files.write(orders, shipped.subList(0, ORDERS + 1));
  }

  private Command.Result demo(String... more) {
    String[] fixed = {
      "demo", "--directory", run.toString(), "--orders", orders.toString(), "--workers", "2"
    };
    String[] words = new String[fixed.length + more.length];
    System.arraycopy(fixed, 0, words, 0, fixed.length);
    System.arraycopy(more, 0, words, fixed.length, more.length);
    return wovyr.runBare(words);
  }

  @Test
  void runsProvesAndLeavesAStoreTheOtherCommandsCanLookInto() {
    Command.Result result = demo("--kills", "1", "--pauses", "0");

    assertThat(result.exitCode()).as(result.out()).isZero();
    tellsOfOneKeystore(result, "orders.db.keystore");
    String look = result.lines().get(result.lines().size() - 1);
    assertThat(look).startsWith("Look into its store: wovyr execution list --store ");
    String named = look.substring("Look into its store: wovyr execution list ".length());
    assertThat(orders(look("execution list", named))).isEqualTo(ORDERS);
    assertThat(look("definition list", named).size("definitions")).isEqualTo(2);
    Parsed schedule = look("schedule list", named).item("schedules", 0);
    assertThat(schedule.text("name")).isEqualTo("settlement");
    assertThat(schedule.flag("paused")).isTrue();
    assertThat(schedule.number("fires")).isPositive();
    assertThat(look("activity list --open", named).size("activities")).isZero();
    assertThat(look("retry list --pending", named).size("retries")).isZero();
    assertThat(look("compensation list --status REGISTERED", named).size("compensations"))
        .isPositive();
  }

  /** That of the run; the undisturbed run throws its store away, and has none of its own. */
  private void tellsOfOneKeystore(Command.Result result, String name) {
    assertThat(result.error().lines().filter(line -> line.contains("WOVYR-0201")))
        .singleElement()
        .asString()
        .contains("made the keystore " + run.resolve(name));
  }

  private Parsed look(String command, String store) {
    Command.Result result = wovyr.runBare((command + " " + store + " --output json").split(" "));
    assertThat(result.exitCode()).as("%s: %s", command, result.error()).isZero();
    return Parsed.of(result.out());
  }

  /** How many of these executions are orders: the others are settlements. */
  static long orders(Parsed listed) {
    return IntStream.range(0, listed.size("executions"))
        .mapToObj(i -> listed.item("executions", i).text("workflowId"))
        .filter(id -> !id.startsWith("settlement@"))
        .count();
  }

  @Test
  void runsOnAStoreThatOneProcessAtATimeHasOpen() {
    Command.Result result = demo("--provider", "rocksdb", "--kills", "2");

    assertThat(result.exitCode()).as(result.out() + result.error()).isZero();
    tellsOfOneKeystore(result, "orders.rocksdb.keystore");
    assertThat(result.out()).contains("One process at a time", "0 stalls", "kills          2");
    String look = result.lines().get(result.lines().size() - 1);
    String named = "--provider rocksdb --store " + run.resolve("orders.rocksdb");
    assertThat(look).isEqualTo("Look into its store: wovyr execution list " + named);
    assertThat(orders(look("execution list", named))).isEqualTo(ORDERS);
    assertThat(look("activity list --open", named).size("activities")).isZero();
  }

  @Test
  void theCommandThatFinishesARunOnAServerOfItsOwnRunsAsPrinted() throws Exception {
    List<String> shipped = Files.readAllLines(Path.of("../samples/order-saga/orders.csv"));
    Files.write(orders, shipped.subList(0, INTERRUPTED_ORDERS + 1));
    Path error = directory.resolve("error.txt");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Wovyr.class.getName()));
    command.addAll(List.of("demo", "--provider", "postgresql", "--embedded", "--workers", "2"));
    command.addAll(List.of("--kills", "0", "--pauses", "0", "--orders", orders.toString()));
    command.addAll(List.of("--directory", run.toString()));
    Process demo = new ProcessBuilder(command).redirectError(error.toFile()).start();
    try (BufferedReader lines = demo.inputReader(StandardCharsets.UTF_8)) {
      String line = lines.readLine();
      while (line != null && !line.startsWith("[")) {
        line = lines.readLine();
      }
      assertThat(line).as(Files.readString(error)).isNotNull();
      demo.destroy();
      assertThat(demo.waitFor(2, TimeUnit.MINUTES)).isTrue();
    } finally {
      demo.destroyForcibly();
    }

    Matcher printed = FINISH.matcher(Files.readString(error));
    assertThat(printed.find()).as(Files.readString(error)).isTrue();
    assertThat(printed.group(1)).contains("--embedded");
    Command.Result resumed = wovyr.runBare((printed.group(1) + " --output json").split(" "));
    assertThat(resumed.exitCode()).as(resumed.out() + resumed.error()).isZero();
    assertThat(Parsed.of(resumed.out()).flag("resumed")).isTrue();
  }

  @Test
  void answersInJsonAlone() {
    Command.Result result = demo("--kills", "0", "--pauses", "0", "--output", "json");

    assertThat(result.exitCode()).as(result.out()).isZero();
    assertThat(Parsed.of(result.out()).node().isObject()).isTrue();
  }

  @Test
  void saysInJsonWhatWentWrongWhereJsonWasAskedFor() {
    Command.Result result = demo("--resume", "--output", "json");

    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(Parsed.of(result.error()).node().at("/error/message").asString())
        .contains("no run in " + run);
  }

  /** The word that must stand in the refusal: the option's own name, or what is missing. */
  private static String reason(List<String> wrong) {
    return wrong.contains("--orders") ? "missing.csv" : wrong.get(0).substring(2) + "|--url";
  }

  @Test
  void refusesWhatItCannotUseBeforeAnythingIsBegun() {
    for (List<String> wrong :
        List.of(
            List.of("--workers", "0"),
            List.of("--kills", "many"),
            List.of("--sabotage", "forget"),
            List.of("--resume", "--fresh"),
            List.of("--store", "x.db"),
            List.of("--embedded", "--provider", "sqlite"),
            List.of("--embedded", "--url", "jdbc:postgresql://127.0.0.1:1/x"),
            List.of("--provider", "postgresql"),
            List.of("--sabotage", "skip-fencing", "--provider", "rocksdb"),
            List.of("--orders", directory.resolve("missing.csv").toString()))) {
      List<String> words = new ArrayList<>(List.of("demo", "--directory", run.toString()));
      words.addAll(wrong);
      Command.Result result = wovyr.runBare(words.toArray(String[]::new));
      assertThat(result.exitCode()).as("%s", wrong).isEqualTo(2);
      assertThat(result.error()).as("%s", wrong).containsPattern("(?i)" + reason(wrong));
    }
    assertThat(run).doesNotExist();
  }
}
