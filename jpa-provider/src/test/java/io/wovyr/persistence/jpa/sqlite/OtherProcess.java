/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A JVM of its own that runs a main class of the tests and talks by lines. */
final class OtherProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader lines;

  private OtherProcess(Process process) {
    this.process = process;
    lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  static OtherProcess start(Class<?> main, Object... arguments) throws IOException {
    return start(List.of(), main, arguments);
  }

  static OtherProcess start(List<String> options, Class<?> main, Object... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx256m");
    command.add("-XX:TieredStopAtLevel=1");
    String logging = System.getProperty("java.util.logging.config.file");
    if (logging != null) {
      command.add("-Djava.util.logging.config.file=" + logging);
    }
    command.addAll(options);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    return new OtherProcess(builder.start());
  }

  /** Says a line to it. */
  void tell(String line) throws IOException {
    process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  /** The next line it says, null at its end. */
  @Nullable String line() throws IOException {
    return lines.readLine();
  }

  /** Reads on to a line that begins so. */
  String lineThatBegins(String beginning) throws IOException {
    for (String line = line(); line != null; line = line()) {
      if (line.startsWith(beginning)) {
        return line;
      }
    }
    throw new AssertionError("the process ended without saying " + beginning);
  }

  /** All it still says. */
  List<String> rest() throws IOException {
    List<String> rest = new ArrayList<>();
    for (String line = line(); line != null; line = line()) {
      rest.add(line);
    }
    return rest;
  }

  /** SIGKILL. */
  void kill() {
    // By its handle: Process.destroyForcibly would throw away what the process still said.
    process.toHandle().destroyForcibly();
    process.onExit().orTimeout(30, TimeUnit.SECONDS).join();
  }

  int exit() throws InterruptedException {
    if (!process.waitFor(120, TimeUnit.SECONDS)) {
      throw new AssertionError("the process does not end");
    }
    return process.exitValue();
  }

  @Override
  public void close() throws IOException {
    if (process.isAlive()) {
      kill();
    }
    lines.close();
  }
}
