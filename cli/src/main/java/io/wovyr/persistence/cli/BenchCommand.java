/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.bench.Bench;
import io.wovyr.bench.BenchOptions;
import io.wovyr.persistence.internal.FileReasons;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Runs the benchmark in a JVM of its own: this one is set up to start fast, not to run fast. */
@Command(
    name = "bench",
    description = {
      "Measures durable steps, loads, latency and memory beside the same work done by hand.",
      "Works on stores of its own, which it makes and removes;",
      "on a PostgreSQL server --user is a superuser.",
      "Progress goes to standard error; interrupted, it prints what it has."
    })
final class BenchCommand extends StoreCommand {
  private static final String POSTGRESQL = "postgresql";

  private final List<String> arguments = new ArrayList<>();

  @Option(
      names = "--embedded",
      description = "On a PostgreSQL server of its own, started and stopped with the run.")
  private boolean embedded;

  @Option(
      names = "--mode",
      paramLabel = "MODES",
      description =
          "step, load, latency, soak, due, sealing, enlist, with commas between them; default"
              + " step,load.")
  void setModes(String modes) {
    pass("--mode", modes);
  }

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Turns of each column that count; default 5.")
  void setRounds(String rounds) {
    pass("--rounds", rounds);
  }

  @Option(names = "--seconds", paramLabel = "S", description = "Length of a turn; default 2.")
  void setSeconds(String seconds) {
    pass("--seconds", seconds);
  }

  @Option(
      names = "--warm-up",
      paramLabel = "S",
      description = "Seconds each column runs before anything counts; default 5.")
  void setWarmUp(String seconds) {
    pass("--warm-up", seconds);
  }

  @Option(
      names = "--callers",
      paramLabel = "N,N",
      description = "Numbers of concurrent callers of the step mode; default 1,8,32.")
  void setCallers(String callers) {
    pass("--callers", callers);
  }

  @Option(
      names = "--steps",
      paramLabel = "N",
      description = "Steps of the soak mode; default 1000000.")
  void setSteps(String steps) {
    pass("--steps", steps);
  }

  @Option(
      names = "--executions",
      paramLabel = "N",
      description = "Executions present in the latency mode; default 100000.")
  void setExecutions(String executions) {
    pass("--executions", executions);
  }

  @Option(
      names = "--waiting",
      paramLabel = "N",
      description = "Executions, and schedules, of the due mode; default 1000000.")
  void setWaiting(String waiting) {
    pass("--waiting", waiting);
  }

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = "Where its stores go: a place on the disk to be measured; default temporary.")
  void setDirectory(Path directory) {
    pass("--directory", directory.toString());
  }

  private void pass(String option, String value) {
    arguments.add(option);
    arguments.add(value);
  }

  @Override
  ExitCode run() {
    throw new IllegalStateException("the benchmark ends with exit codes of its own");
  }

  @Override
  int exitCode() {
    if (options().namesStore()) {
      throw wrongUsage("the benchmark makes its own stores: give --directory");
    }
    String provider = chosenProvider();
    pass("--provider", provider);
    Optional<String> url =
        provider.equals(POSTGRESQL) && !embedded ? Optional.of(administrator()) : Optional.empty();
    if (json()) {
      arguments.add("--json");
    }
    try {
      BenchOptions unused = BenchOptions.of(arguments, url);
    } catch (IllegalArgumentException e) {
      throw wrongUsage(String.valueOf(e.getMessage()));
    }
    return run(arguments, url);
  }

  private String chosenProvider() {
    if (embedded && options().namesUrl()) {
      throw wrongUsage("--embedded starts a server of its own: give it or --url, not both");
    }
    String provider =
        embedded && !options().namesProvider()
            ? POSTGRESQL
            : settings().get(Settings.PROVIDER, GlobalOptions.DEFAULT_PROVIDER);
    if (embedded && !provider.equals(POSTGRESQL)) {
      throw wrongUsage("--embedded starts a PostgreSQL: give --provider postgresql, or none");
    }
    return provider;
  }

  /** The URL of a superuser, password included: never on a command line. */
  private String administrator() {
    String url = settings().get(Settings.URL, "");
    if (url.isEmpty()) {
      throw wrongUsage("say where PostgreSQL is with --url, or give --embedded to start one");
    }
    String named = with(url, "user", settings().get(Settings.USER, ""));
    return with(named, "password", password(settings().get(Settings.PASSWORD, "")));
  }

  private static String with(String url, String name, String value) {
    return value.isEmpty()
        ? url
        : url
            + (url.contains("?") ? "&" : "?")
            + name
            + "="
            + URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  private String password(String where) {
    if (where.startsWith("env:")) {
      return console().environment().getOrDefault(where.substring("env:".length()), "");
    }
    if (!where.startsWith("file:")) {
      return where;
    }
    try {
      return Files.readString(Path.of(where.substring("file:".length()))).strip();
    } catch (IOException e) {
      throw new CommandFailure(
          ExitCode.USAGE, "the file of the password cannot be read: " + FileReasons.withPath(e));
    }
  }

  private static int run(List<String> arguments, Optional<String> url) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Bench.class.getName()));
    command.addAll(arguments);
    try {
      ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
      url.ifPresent(value -> builder.environment().put(Bench.URL_VARIABLE, value));
      Process process = builder.start();
      Thread ending = new Thread(() -> end(process), "bench-end");
      Runtime.getRuntime().addShutdownHook(ending);
      return process.waitFor();
    } catch (IOException e) {
      throw new CommandFailure(
          ExitCode.FAILED, "the benchmark cannot be started: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure(ExitCode.FAILED, "interrupted");
    }
  }

  /** When this process is told to end, so is the other; it prints what it has, and this waits. */
  private static void end(Process process) {
    process.destroy();
    try {
      int unused = process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private ParameterException wrongUsage(String message) {
    return new ParameterException(spec().commandLine(), message);
  }
}
