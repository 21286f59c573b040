/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.samples.ordersaga.ProgressLine;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;

/**
 * What surrounds a run of the command. Immutable; a test brings its own.
 *
 * @param out answers, always UTF-8
 * @param error everything that is not an answer
 * @param environment the environment variables
 * @param directory where {@code wovyr.properties} is looked for
 * @param clock for times told as "in 5 s"
 */
record Console(
    PrintStream out,
    PrintStream error,
    Map<String, String> environment,
    Path directory,
    InstantSource clock) {
  /** The process's own. */
  static Console system() {
    return new Console(
        AnswerStream.over(new FileOutputStream(FileDescriptor.out)),
        utf8(FileDescriptor.err),
        System.getenv(),
        Path.of(""),
        InstantSource.system());
  }

  /** True when the launcher saw that answers go to a terminal. */
  boolean isTerminal() {
    return "yes".equals(environment.get("WOVYR_LAUNCHER_TERMINAL"));
  }

  /** Of the terminal, as the launcher saw it; where it did not, as many as most have. */
  int columns() {
    String said = environment.getOrDefault("WOVYR_LAUNCHER_COLUMNS", "");
    return said.matches("[1-9]\\d{0,4}") ? Integer.parseInt(said) : ProgressLine.USUAL_COLUMNS;
  }

  private static PrintStream utf8(FileDescriptor descriptor) {
    return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
  }
}
