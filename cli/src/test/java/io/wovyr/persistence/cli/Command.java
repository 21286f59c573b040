/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs the command inside the test, as the shell would, in a directory of its own. */
final class Command {
  private final Path directory;
  private final Map<String, String> environment = new LinkedHashMap<>();
  private InstantSource clock = InstantSource.system();

  Command(Path directory) {
    this.directory = directory;
  }

  /** How a run ended. */
  record Result(int exitCode, String out, String error) {
    List<String> lines() {
      return out.lines().toList();
    }
  }

  Command withEnvironment(String name, String value) {
    environment.put(name, value);
    return this;
  }

  Command withClock(InstantSource other) {
    clock = other;
    return this;
  }

  /** Without {@code --store}, answering to this; what is told of standard error remains. */
  Result runInto(OutputStream answers, String... arguments) {
    ByteArrayOutputStream error = new ByteArrayOutputStream();
    Console console =
        new Console(
            AnswerStream.over(answers), print(error), Map.copyOf(environment), directory, clock);
    int exitCode = Wovyr.run(console, arguments);
    return new Result(exitCode, "", error.toString(StandardCharsets.UTF_8));
  }

  /** Without {@code --store}. */
  Result runBare(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream error = new ByteArrayOutputStream();
    int exitCode = Wovyr.run(console(out, error), arguments);
    return new Result(
        exitCode, out.toString(StandardCharsets.UTF_8), error.toString(StandardCharsets.UTF_8));
  }

  /** On the store {@code wovyr.db} of the directory. */
  Result run(String... arguments) {
    List<String> all = new ArrayList<>(List.of("--store", store().toString()));
    all.addAll(List.of(arguments));
    return runBare(all.toArray(String[]::new));
  }

  Path store() {
    return directory.resolve("wovyr.db");
  }

  private Console console(ByteArrayOutputStream out, ByteArrayOutputStream error) {
    return new Console(print(out), print(error), Map.copyOf(environment), directory, clock);
  }

  private static PrintStream print(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }
}
