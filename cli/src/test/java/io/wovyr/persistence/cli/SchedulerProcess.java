/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.schedule.Schedule;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code wovyr schedule run} in a JVM of its own, and what it said. */
final class SchedulerProcess implements AutoCloseable {
  private static final long DEADLINE_SECONDS = 180;
  private static final Pattern WORKFLOW_ID = Pattern.compile("\"workflowId\": ?\"([^\"]+)\"");

  private final Process process;
  private final LinkedBlockingQueue<String> fired = new LinkedBlockingQueue<>();
  private final List<String> seen = new ArrayList<>();
  private final Thread reader;

  private SchedulerProcess(Process process) {
    this.process = process;
    this.reader = new Thread(this::read, "scheduler-output");
    reader.setDaemon(true);
    reader.start();
  }

  static SchedulerProcess start(Path directory, List<String> options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx192m", "-cp"));
    command.addAll(List.of(System.getProperty("java.class.path"), Wovyr.class.getName()));
    command.addAll(List.of("schedule", "run", "--every", "PT0.02S", "--output", "json"));
    command.addAll(options);
    try {
      return new SchedulerProcess(
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      String line = lines.readLine();
      while (line != null) {
        Matcher id = WORKFLOW_ID.matcher(line);
        while (id.find()) {
          fired.add(id.group(1));
        }
        line = lines.readLine();
      }
    } catch (IOException e) {
      // It was killed.
    }
  }

  /** Waits until it has fired so many more. */
  void awaitFires(int count) throws InterruptedException {
    for (int i = 0; i < count; i++) {
      String one = fired.poll(DEADLINE_SECONDS, TimeUnit.SECONDS);
      assertThat(one).as("a fire, after %s", seen).isNotNull();
      seen.add(one);
    }
  }

  /** SIGKILL. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    assertThat(process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)).isTrue();
  }

  /** SIGTERM, as an interrupt from the terminal; answers the exit code. */
  int stop() throws InterruptedException {
    process.destroy();
    assertThat(process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  /** The workflow ids of everything it said it began. */
  List<String> said() throws InterruptedException {
    reader.join(TimeUnit.SECONDS.toMillis(DEADLINE_SECONDS));
    fired.drainTo(seen);
    return List.copyOf(seen);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  /** Every time of a schedule, from its first to its last fire, began one execution. */
  static void everyTimeFiredOnce(Repositories repositories, String name, Duration interval) {
    Schedule schedule = repositories.schedules().find(name).orElseThrow();
    List<String> wanted = new ArrayList<>();
    Instant first =
        repositories.schedules().next(schedule, schedule.header().createdAt(), 1).get(0);
    for (Instant time = first;
        !time.isAfter(schedule.lastFireAt().orElseThrow());
        time = time.plus(interval)) {
      wanted.add(name + "@" + time);
    }
    assertThat(begun(repositories)).containsExactlyInAnyOrderElementsOf(wanted);
    assertThat(schedule.fires()).isEqualTo(wanted.size());
  }

  private static List<String> begun(Repositories repositories) {
    List<String> ids = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      Page<WorkflowExecution> page = repositories.executions().list(Optional.empty(), 100, next);
      page.items().forEach(execution -> ids.add(execution.workflowId()));
      next = page.next();
    } while (next.isPresent());
    return ids;
  }
}
