/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.bench.Bench;
import io.wovyr.bench.BenchOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Runs the benchmark in a JVM of its own: this one is set up to start fast, not to run fast. */
@Command(
    name = "bench",
    description = {
      "Measures durable steps, loads, latency and memory beside the same work done by hand.",
      "Works on stores of its own, which it makes and removes. Progress goes to standard error;",
      "interrupted, it prints what it has."
    })
final class BenchCommand extends StoreCommand {
  private final List<String> arguments = new ArrayList<>();
  private boolean embedded;
  private boolean elsewhere;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description =
          "JDBC URL of a PostgreSQL server, with user and password of a superuser: databases and"
              + " roles are made there and dropped.")
  void setUrl(String url) {
    elsewhere = true;
    pass("--url", url);
  }

  @Option(
      names = "--embedded",
      description = "Start a PostgreSQL server for the run; the default without --url.")
  void setEmbedded(boolean wanted) {
    embedded = wanted;
  }

  @Option(
      names = "--mode",
      paramLabel = "MODES",
      description = "step, load, latency, soak, with commas between them; default step,load.")
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
    if (embedded && elsewhere) {
      throw wrongUsage("--embedded and --url exclude each other");
    }
    String provider = settings().get(Settings.PROVIDER, GlobalOptions.DEFAULT_PROVIDER);
    if (embedded && provider.equals(GlobalOptions.DEFAULT_PROVIDER)) {
      throw wrongUsage("--embedded is for --provider postgresql");
    }
    pass("--provider", provider);
    if (json()) {
      arguments.add("--json");
    }
    try {
      BenchOptions unused = BenchOptions.of(arguments);
    } catch (IllegalArgumentException e) {
      throw wrongUsage(String.valueOf(e.getMessage()));
    }
    return run(arguments);
  }

  private static int run(List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Bench.class.getName()));
    command.addAll(arguments);
    try {
      Process process = new ProcessBuilder(command).inheritIO().start();
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
