/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** A running {@link RaceWorker}. For one thread; closing kills it. */
final class OtherJvm implements AutoCloseable {
  private final Process process;
  private final Writer tasks;
  private final BufferedReader answers;

  private OtherJvm(Process process) {
    this.process = process;
    this.tasks = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Starts a JVM with this one's class path and waits until it has opened the store. */
  static OtherJvm start(StorageUnderTest.OtherProcess how, KitTenant tenant) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx256m");
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(RaceWorker.class.getName());
    command.add(how.provider().getName());
    command.add(tenant.id());
    how.settings().forEach((name, value) -> command.add(name + "=" + value));
    try {
      OtherJvm other =
          new OtherJvm(
              new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
      assertEquals("ready", other.answer(), "the other process opens the store");
      return other;
    } catch (IOException e) {
      return fail("no other JVM", e);
    }
  }

  void ask(RaceWorker.Task task, UUID execution, int times) {
    try {
      tasks.write(task.name().toLowerCase(Locale.ROOT) + " " + execution + " " + times + "\n");
      tasks.flush();
    } catch (IOException e) {
      fail("the other process is gone", e);
    }
  }

  /** The next line it says. */
  String answer() {
    try {
      String line = answers.readLine();
      return line != null ? line : fail("the other process ended: its error output tells why");
    } catch (IOException e) {
      return fail("the other process is gone", e);
    }
  }

  /** Kills it, and answers what it still had said before. */
  List<String> kill() {
    // Not by Process, which would close the pipe before it is read to its end.
    process.toHandle().destroyForcibly();
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        return fail("the other process does not die");
      }
      return answers.lines().toList();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return fail("interrupted", e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
