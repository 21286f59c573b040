/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.samples.ordersaga.SmallRun.Said;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A PostgreSQL server of the run's own: it ends with the run, however that ends. */
class EmbeddedServerIT {
  private static final int ORDERS = 60;
  private static final Duration LONG_ENOUGH = Duration.ofMinutes(2);

  @TempDir Path directory;

  @Test
  void theServerEndsWithARunThatIsInterruptedOrKilledAndTheRunIsFinishedByResume()
      throws Exception {
    Process interrupted = start("orders=" + SmallRun.orders(directory, ORDERS));
    ProcessHandle server = PostgresqlStore.serverIn(run()).orElseThrow();
    signalAll("-INT", interrupted);
    assertThat(interrupted.waitFor(LONG_ENOUGH.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(interrupted.exitValue()).isEqualTo(Demo.INTERRUPTED);
    server.onExit().get(LONG_ENOUGH.toSeconds(), TimeUnit.SECONDS);
    assertThat(workerLogs()).as("what was held was handed back").doesNotContain("SQLSTATE");

    Process killed = start("resume");
    ProcessHandle next = PostgresqlStore.serverIn(run()).orElseThrow();
    killed.destroyForcibly();
    next.onExit().get(LONG_ENOUGH.toSeconds(), TimeUnit.SECONDS);

    Said resumed = SmallRun.run(SmallRun.options(directory).resume(true).json(true).build());
    assertThat(resumed.exitCode()).as(resumed.output() + resumed.error()).isEqualTo(Demo.OK);
    assertThat(resumed.json().at("/resumed").asBoolean()).isTrue();
    assertThat(resumed.json().at("/input/orders").asInt()).isEqualTo(ORDERS);
    assertThat(resumed.json().at("/store").asString()).contains(run().toString());
    assertThat(PostgresqlStore.serverIn(run())).isEmpty();
  }

  private Path run() {
    return directory.resolve("run");
  }

  private Process start(String what) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(DemoProcess.class.getName(), what, "directory=" + run()));
    if (!what.equals("resume")) {
      command.add("embedded");
    }
    command.addAll(List.of("workers=2", "kills=0", "pauses=0"));
    Process demo =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    BufferedReader lines = demo.inputReader(StandardCharsets.UTF_8);
    String line = lines.readLine();
    while (line != null && !line.startsWith("[")) {
      line = lines.readLine();
    }
    assertThat(line).as("a line of progress").isNotNull().doesNotContain(ORDERS + "/" + ORDERS);
    return demo;
  }

  /** As a terminal does: the signal goes to the workers as well. */
  private static void signalAll(String signal, Process demo) throws Exception {
    List<String> kill = new ArrayList<>(List.of("kill", signal, String.valueOf(demo.pid())));
    demo.descendants().forEach(worker -> kill.add(String.valueOf(worker.pid())));
    Process killing = new ProcessBuilder(kill).redirectErrorStream(true).start();
    String said = new String(killing.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int unused = killing.waitFor();
    // What ends by itself meanwhile, a session of the server say, cannot be told any more.
    assertThat(said).as("the demo was told").doesNotContain(String.valueOf(demo.pid()));
  }

  private String workerLogs() throws IOException {
    StringBuilder text = new StringBuilder();
    try (var files = Files.newDirectoryStream(run(), "worker-*.log")) {
      for (Path file : files) {
        text.append(Files.readString(file));
      }
    }
    return text.toString();
  }
}
