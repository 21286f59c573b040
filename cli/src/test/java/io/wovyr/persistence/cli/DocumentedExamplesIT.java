/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * What {@code docs/cli.md} shows is what the commands answer: its examples run, in their order, on
 * the store of a short demo to which what a running one has open was added; ids, times, numbers and
 * names may differ.
 */
final class DocumentedExamplesIT {
  private static final Path PAGE = Path.of("../docs/cli.md");
  private static final int ORDERS = 40;

  /** Ended without a retry: as the one that the page shows. */
  private static final int PLAIN_EVENTS = 11;

  /** Needs a server and somebody who holds its feed back: {@link PostgresqlCommandsIT} has both. */
  private static final String ON_A_SERVER = "feed status --all";

  private static final String DEMO = "demo ";

  /** Begins with what a table has in its first column. */
  private static final Pattern ROW =
      Pattern.compile("\\p{XDigit}{8}-|worker-|DATA |SECRET |\\d|settlement |nightly ");

  @TempDir private static Path directory;
  private static Command wovyr;
  private static SampleStore store;
  private static String plain;
  private static String newer;
  private static Command.Result demo;

  private record Example(String command, List<String> shown) {}

  @BeforeAll
  static void runDemo() throws IOException, SQLException {
    wovyr = new Command(directory);
    List<String> shipped = Files.readAllLines(Path.of("../samples/order-saga/orders.csv"));
    Files.write(directory.resolve("orders.csv"), shipped.subList(0, ORDERS + 1));
    Files.writeString(directory.resolve("order.json"), "{\"steps\": [\"charge\"]}\n");
    Files.writeString(directory.resolve("card-api.txt"), SampleStore.SECRET + "\n");
    Path run = directory.resolve("wovyr-demo");
    String started = "demo --workers 2 --orders %s/orders.csv --directory %s";
    demo = wovyr.runBare(words(started.formatted(directory, run)).toArray(String[]::new));
    assertThat(demo.exitCode()).as(demo.out() + demo.error()).isZero();
    Path file = run.resolve("orders.db");
    Files.writeString(directory.resolve("wovyr.properties"), "wovyr.storage.path = " + file + "\n");
    store = SampleStore.open("sqlite", Map.of("wovyr.storage.path", file.toString()));
    plain = plainOrder();
    newer = store.completeOrder("newer").toString();
    for (int worker = 1; worker <= 3; worker++) {
      store.acquire(store.createOrder("GB-2026-9000" + worker), "worker-" + worker);
    }
    SampleWork.undoing(store, "UA-2026-00109");
    SampleWork.failing(store, "BG-2026-00459", Optional.of(Duration.ofMinutes(1)));
    SampleStore.tamper(file, "UPDATE execution SET entity_version = 9 WHERE workflow_id = 'newer'");
  }

  @AfterAll
  static void closeStore() {
    store.close();
  }

  private static String plainOrder() {
    Parsed all =
        Parsed.of(
            wovyr.runBare("execution", "list", "--status", "COMPLETED", "--output", "json").out());
    for (int i = 0; i < all.size("executions"); i++) {
      String id = all.item("executions", i).text("id");
      if (store.orders().executions().head(UUID.fromString(id)).orElseThrow().lastSequence()
          == PLAIN_EVENTS) {
        return id;
      }
    }
    throw new AssertionError("no order of the demo went through without a retry");
  }

  private static List<String> words(String command) {
    Matcher word = Pattern.compile("'([^']*)'|(\\S+)").matcher(command);
    List<String> words = new ArrayList<>();
    while (word.find()) {
      words.add(word.group(1) == null ? word.group(2) : word.group(1));
    }
    return words;
  }

  private static List<String> blocks(String language) throws IOException {
    Matcher block =
        Pattern.compile("(?m)^```" + language + "\\n(.*?)^```$", Pattern.DOTALL)
            .matcher(Files.readString(PAGE));
    List<String> blocks = new ArrayList<>();
    while (block.find()) {
      blocks.add(block.group(1));
    }
    return blocks;
  }

  /** What the page shows of a command. */
  static List<String> shown(String command) throws IOException {
    return examples().stream()
        .filter(example -> example.command().equals(command))
        .findFirst()
        .orElseThrow(() -> new AssertionError("the page has no example of " + command))
        .shown();
  }

  private static List<Example> examples() throws IOException {
    List<Example> examples = new ArrayList<>();
    for (String block : blocks("text")) {
      for (String one : block.split("(?m)^\\$ wovyr ")) {
        List<String> lines = one.lines().toList();
        if (!lines.isEmpty()) {
          examples.add(new Example(lines.get(0), lines.subList(1, lines.size())));
        }
      }
    }
    assertThat(examples).hasSizeGreaterThan(30);
    return examples;
  }

  @TestFactory
  List<DynamicTest> everyExampleAnswersAsShown() throws IOException {
    return examples().stream()
        .filter(example -> !example.command().equals(ON_A_SERVER))
        .map(example -> DynamicTest.dynamicTest(example.command(), () -> answersAsShown(example)))
        .toList();
  }

  private static void answersAsShown(Example example) {
    Command.Result result = example.command().startsWith(DEMO) ? demo : run(example.command());
    String said = result.out() + result.error();
    // 'migrate status' says by its exit code, too, that there is something to do.
    assertThat(result.exitCode()).as(said).isEqualTo(said.contains("to migrate: ") ? 3 : 0);
    List<String> answered = shape(result.lines());
    List<String> shown = shape(example.shown());
    if (shown.contains("...")) {
      shown.removeIf("..."::equals);
      assertThat(answered).as(said).containsSubsequence(shown);
    } else {
      assertThat(answered).as(said).isEqualTo(shown);
    }
  }

  private static Command.Result run(String command) {
    String placed =
        command
            .replace("EXECUTION", plain)
            .replace("002c07fa-05ab-3464-bdb0-5965365fe9b7", newer)
            .replace("new.db", directory.resolve("new.db").toString())
            .replaceAll("\\b(orders.rocksdb|restored.rocksdb|backups)\\b", directory + "/$1");
    InputStream before = System.in;
    try {
      Matcher piped = Pattern.compile("(.*) < (\\S+)").matcher(placed);
      if (piped.matches()) {
        placed = piped.group(1);
        byte[] input = Files.readAllBytes(directory.resolve(piped.group(2)));
        System.setIn(new ByteArrayInputStream(input));
      }
      return wovyr.runBare(words(placed).toArray(String[]::new));
    } catch (IOException e) {
      throw new AssertionError(e);
    } finally {
      System.setIn(before);
    }
  }

  /** The lines without what differs from run to run; equal ones after each other are one. */
  private static List<String> shape(List<String> lines) {
    List<String> shape = new ArrayList<>();
    for (String line : lines) {
      String masked = mask(line);
      if (masked.equals("failing no -")) {
        // A provider of these tests.
        continue;
      }
      if (shape.isEmpty() || !shape.get(shape.size() - 1).equals(masked)) {
        shape.add(masked);
      }
    }
    return shape;
  }

  private static String mask(String line) {
    String masked =
        line.replace(directory + "/", "")
            .replace("text/plain;charset=utf-8", "application/json")
            .strip()
            .replaceAll("\\s+", " ");
    boolean row = ROW.matcher(masked).lookingAt();
    masked =
        masked
            .replaceAll("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}", "<id>")
            .replaceAll("\\d{4}-\\d\\d-\\d\\d[ T]\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z?", "<time>")
            .replaceAll("\\p{XDigit}{64}", "<hash>")
            .replaceAll("--after [\\w-]+", "--after <place>")
            .replaceAll("\\[[#.]+\\]", "<bar>")
            .replaceAll("\\([^()]*\\d[^()]*\\)", "<counts>")
            // Scheduled ones lie wherever their ids, which no run shares, put them.
            .replaceAll("[A-Z]{2}-\\d{4}-\\d{5}|settlement@<time>", "<order>")
            .replaceAll("(wovyr-1:)\\p{XDigit}+", "$1#")
            .replaceAll("(=)\\w+", "$1*")
            .replaceAll("worker-\\d+|order-service", "<worker>")
            .replaceAll("\\d[\\d,.:-]*", "#")
            .replaceAll("^(takeovers|late writes|kills|stalls) .*", "$1")
            .replaceAll("(in )?(# (d|h|min) )?# (ms|s|min|h|d)( ago)?", "<duration>")
            .replaceAll("# (B|KiB|MiB)", "<size>");
    return row ? kinds(masked) : masked.replaceAll("(# [A-Z]{5,}(, )?)+", "<statuses>");
  }

  /** Of a row only its columns: what stands in them is another record's. */
  private static String kinds(String row) {
    return row.replaceAll("(\\+\\S+ ?)+", "<value> ")
        .replaceAll("[\\w./;=-]+, <size>", "<value>")
        .replaceAll("(?<!\\S)(-|<time>|<duration>|<worker>)(?!\\S)", "<value>")
        .replaceAll("(?<!\\S)[A-Z_]{4,}(?!\\S)", "<word>")
        .replaceAll("(?<!\\S)[a-zA-Z.]+(-[a-z]+)*(?!\\S)", "<name>");
  }

  @Test
  void everyOtherCommandLineOfThePageIsUnderstood() throws IOException {
    CommandLine command = Wovyr.commandLine(Console.system());
    int seen = 0;
    for (String block : blocks("sh")) {
      Matcher line = Pattern.compile("\\./wovyr ([^#)\\n]*)").matcher(block);
      while (line.find()) {
        command.parseArgs(words(line.group(1)).toArray(String[]::new));
        seen++;
      }
    }
    assertThat(seen).isGreaterThan(3);
  }
}
